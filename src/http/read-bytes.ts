import type { Readable } from 'node:stream';
import { GrowingBuffer } from '../bytes/growing-buffer.ts';
import { Refusal } from '../domain/refusal.ts';
import { MeteredRequest } from './metered-request.ts';

/**
 * Reads a body, with memory proportional to its size. Rejects with `payload_too_large` beyond the limit, without closing the socket, to
 * send the answer; and with `invalid_body` or `request_timeout` if the body is incomplete.
 *
 * @param keep false to read the body at the same pace without buffering it
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
    body.on('close', () => {
      if (!body.readableEnded) reject(new Refusal('invalid_body'));
    });
  });
}

/** An incomplete body, even after a lost connection, is an error of the client. */
function refusalOf(error: Error & { code?: string }): Refusal {
  if (error instanceof Refusal) return error;
  const code = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'invalid_body';
  return new Refusal(code, {}, { cause: error });
}
