import type { IncomingMessage } from 'node:http';
import { limits } from '../../contract/limits.ts';
import { Refusal } from '../../domain/refusal.ts';
import { readBytes } from '../../http/read-bytes.ts';
import { bodyTurn } from '../../http/share-turns.ts';

const empty = Buffer.alloc(0);

/** Throws 413 where the announced length is over the limit: nothing can be verified of a body that is not read. */
export function assertAnnouncedLength({ headers }: IncomingMessage): void {
  if (Number(headers['content-length'] ?? 0) > limits.bodyBytes) throw new Refusal('payload_too_large');
}

/**
 * The exact bytes of a request's body, whatever its method and media type; undefined where it broke off, came too slowly or in
 * too many pieces. Throws 413 as soon as there is more than the limit.
 *
 * @param keep false for a request that is refused already: its body is read at the same pace, and neither kept nor hashed
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
