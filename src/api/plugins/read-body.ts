import type { IncomingMessage } from 'node:http';
import { limits } from '../../contract/limits.ts';
import { Refusal } from '../../domain/refusal.ts';
import { readBytes } from '../../http/read-bytes.ts';
import { bodyTurn } from '../../http/share-turns.ts';

const empty = Buffer.alloc(0);

/** Throws 413 if the Content-Length exceeds the limit: a body that is not read cannot be verified. */
export function assertAnnouncedLength({ headers }: IncomingMessage): void {
  if (Number(headers['content-length'] ?? 0) > limits.bodyBytes) throw new Refusal('payload_too_large');
}

/**
 * Reads the exact bytes of a body; undefined if it is incomplete, too slow or in too many chunks. Throws 413 beyond the limit.
 *
 * @param keep false for a request that is already refused: its body is read at the same pace, but not buffered
 */
export async function readBody(request: IncomingMessage, keep: boolean): Promise<Buffer | undefined> {
  const { headers } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return empty;
  try {
    const body = await readBytes(request, limits.bodyBytes, { keep });
    if (body.length > 0) await bodyTurn(request, body.length, 'known');
    return body;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'payload_too_large') throw error;
    return undefined;
  }
}
