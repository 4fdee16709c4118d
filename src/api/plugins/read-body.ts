import type { IncomingMessage } from 'node:http';
import { limits } from '../../contract/limits.ts';
import { Refusal } from '../../domain/refusal.ts';

const empty = Buffer.alloc(0);

/**
 * The exact bytes of a request's body, whatever its method and media type. Throws 413 as soon as there is more than the
 * limit, from the announced length where there is one: nothing can be verified of a body that is not read.
 */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const announced = request.headers['content-length'];
  if (announced === undefined && request.headers['transfer-encoding'] === undefined) return empty;
  if (Number(announced ?? 0) > limits.bodyBytes) throw new Refusal('payload_too_large');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limits.bodyBytes) throw new Refusal('payload_too_large');
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size);
}
