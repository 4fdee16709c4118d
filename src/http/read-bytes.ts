import type { Readable } from 'node:stream';
import { GrowingBuffer } from '../bytes/growing-buffer.ts';
import { Refusal } from '../domain/refusal.ts';
import { MeteredRequest } from './metered-request.ts';

/**
 * All bytes of a body, in memory of their order. Rejects with `payload_too_large` as soon as there are more than the limit, and
 * leaves the rest unread, so that the socket stays open for the answer; and with the reason where the body breaks off.
 *
 * @param keep false for a body that is read at the same pace, and neither kept nor copied
 */
export function readBytes(body: Readable, limit: number, { keep = true } = {}): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (!keep && body instanceof MeteredRequest) body.leaveUncounted();
    const received = new GrowingBuffer();
    let length = 0;
    body.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length > limit) {
        body.removeAllListeners('data').pause();
        reject(new Refusal('payload_too_large'));
      } else if (keep) received.append(piece);
    });
    body.on('end', () => resolve(received.bytes));
    body.on('error', error => reject(refusalOf(error)));
    body.on('close', () => reject(new Refusal('invalid_body')));
  });
}

/** What breaks a body off is the client's doing, its connection included. */
function refusalOf(error: Error & { code?: string }): Refusal {
  if (error instanceof Refusal) return error;
  const code = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'invalid_body';
  return new Refusal(code, {}, { cause: error });
}
