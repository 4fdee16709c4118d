import zlib from 'node:zlib';
import { GrowingBuffer } from '../../bytes/growing-buffer.ts';

export interface BoundedBytes {
  readonly bytes: Buffer;
  readonly truncated: boolean;
}

/**
 * Reads a body up to a limit and leaves the rest unread. An error after some bytes ends the body as cut off:
 * what was received is still evidence.
 *
 * @throws the stream's error when nothing was received.
 */
export async function readBounded(
  stream: AsyncIterable<Buffer> & { destroy(): unknown },
  limit: number,
  onBytes: (count: number) => void,
): Promise<BoundedBytes> {
  const received = new GrowingBuffer();
  let length = 0;
  try {
    for await (const chunk of stream) {
      onBytes(chunk.length);
      received.append(chunk.subarray(0, limit - length));
      length += chunk.length;
      if (length > limit) break;
    }
  } catch (error) {
    if (length === 0) throw error;
    return { bytes: received.bytes, truncated: true };
  } finally {
    stream.destroy();
  }
  return { bytes: received.bytes, truncated: length > limit };
}

const decoders: Record<string, () => zlib.Gunzip | zlib.Inflate | zlib.BrotliDecompress> = {
  gzip: () => zlib.createGunzip({ finishFlush: zlib.constants.Z_SYNC_FLUSH }),
  'x-gzip': () => zlib.createGunzip({ finishFlush: zlib.constants.Z_SYNC_FLUSH }),
  deflate: () => zlib.createInflate({ finishFlush: zlib.constants.Z_SYNC_FLUSH }),
  br: () => zlib.createBrotliDecompress({ finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH }),
};

/**
 * Undoes one content coding (RFC 9110, 8.4) and stops at the limit, so that a small body cannot become a
 * large one. Identity is asked for, so this is for servers that compress regardless. A body in several
 * codings or an unknown one stays as it is.
 */
export async function decodeBounded(
  body: BoundedBytes,
  coding: string,
  limit: number,
): Promise<BoundedBytes> {
  const name = coding.trim().toLowerCase();
  const create = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  if (create === undefined || body.bytes.length === 0) return body;
  const decoder = create();
  decoder.end(body.bytes);
  try {
    const decoded = await readBounded(decoder, limit, () => {});
    return { bytes: decoded.bytes, truncated: decoded.truncated || body.truncated };
  } catch {
    return body;
  }
}
