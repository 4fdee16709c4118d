import type { IncomingMessage } from 'node:http';
import { Refusal } from '../domain/refusal.ts';

/**
 * Throws 400 for an HTTP/1.1 request with no Host or more than one (RFC 9112, section 3.2). Node's own check answers without
 * a body, and before it is known whether the request is signed: it is off.
 */
export function assertHost({ rawHeaders, httpVersion }: IncomingMessage): void {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]!.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) {
    throw new Refusal('invalid_body', { fields: [{ path: '', message: 'needs exactly one Host header' }] });
  }
}
