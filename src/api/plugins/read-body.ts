import type { IncomingMessage } from 'node:http';
import { limits } from '../../contract/limits.ts';
import { Refusal } from '../../domain/refusal.ts';

const empty = Buffer.alloc(0);

/** Throws 413 where the announced length is over the limit: nothing can be verified of a body that is not read. */
export function assertAnnouncedLength({ headers }: IncomingMessage): void {
  if (Number(headers['content-length'] ?? 0) > limits.bodyBytes) throw new Refusal('payload_too_large');
}

/**
 * The exact bytes of a request's body, whatever its method and media type; undefined where it broke off or came too slowly.
 * Throws 413 as soon as there is more than the limit.
 *
 * @param keep false for a request that is refused already: its body is read at the same pace, and neither kept nor hashed
 */
export function readBody(request: IncomingMessage, keep: boolean): Promise<Buffer | undefined> {
  const { headers } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
    return Promise.resolve(empty);
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limits.bodyBytes) {
        request.removeAllListeners('data').pause();
        reject(new Refusal('payload_too_large'));
      } else if (keep) chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    request.on('error', () => resolve(undefined));
    request.on('close', () => resolve(undefined));
  });
}
