import { Readable } from 'node:stream';
import { Refusal } from '../domain/refusal.ts';

/** The body of a request that was passed on as a stream. Throws `payload_too_large`, or `invalid_body` where it is none. */
export async function readBytes(body: unknown, limit: number): Promise<Buffer> {
  if (!(body instanceof Readable)) {
    throw new Refusal('invalid_body', {
      fields: [{ path: '', message: 'must be the bytes of a file, sent as application/octet-stream' }],
    });
  }
  const pieces: Buffer[] = [];
  let length = 0;
  // Whoever sends too much still gets an answer: the socket stays open for it.
  for await (const piece of body.iterator({ destroyOnReturn: false })) {
    length += piece.length;
    if (length > limit) throw new Refusal('payload_too_large');
    pieces.push(piece);
  }
  return Buffer.concat(pieces, length);
}
