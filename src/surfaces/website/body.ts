import zlib from 'node:zlib';
import { GrowingBuffer } from '../../bytes/growing-buffer.ts';

export interface BoundedBytes {
  readonly bytes: Buffer;
  readonly truncated: boolean;
}

/**
 * Reads a body up to a limit and leaves the rest unread. An error after some bytes ends the body as truncated: what was
 * received is still part of the capture.
 *
 * @throws the stream's error if nothing was received
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

const decoders: Record<string, (bytes: Buffer) => zlib.Gunzip | zlib.Inflate | zlib.BrotliDecompress> = {
  gzip: () => zlib.createGunzip(),
  'x-gzip': () => zlib.createGunzip(),
  deflate: bytes => (isZlib(bytes) ? zlib.createInflate() : zlib.createInflateRaw()),
  br: () => zlib.createBrotliDecompress(),
};

/** Whether bytes begin as RFC 1950 specifies; some servers send `deflate` without that header (RFC 9110, 8.4.1.2). */
function isZlib([first = 0, second = 0]: Buffer): boolean {
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}

/** More codings than any real response has, since each may decode to the limit. */
const maxCodings = 3;

/**
 * Removes codings (RFC 9110, 8.4), the last one first, and stops at the limit, so that a small body cannot become a
 * large one. The scan requests identity, so this is for servers that compress regardless.
 *
 * @param codings in the order of application
 * @returns null if one is unknown or does not match the body, or if there are too many
 */
export async function decodeBounded(
  body: BoundedBytes,
  codings: readonly string[],
  limit: number,
): Promise<BoundedBytes | null> {
  const applied = codings.map(name => name.trim().toLowerCase()).filter(name => !isNone.has(name));
  if (body.bytes.length === 0 || applied.length === 0) return body;
  if (applied.length > maxCodings) return null;
  let decoded = body;
  for (const name of applied.reverse()) {
    const create = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
    if (create === undefined) return null;
    const decoder = create(decoded.bytes);
    decoder.end(decoded.bytes);
    try {
      const { bytes, truncated } = await readBounded(decoder, limit, () => {});
      // The stream ended before its content: this is not an empty body.
      if (bytes.length === 0 && limit > 0) return null;
      decoded = { bytes, truncated: truncated || decoded.truncated };
    } catch {
      return null;
    }
  }
  return decoded;
}

const isNone = new Set(['', 'identity']);
