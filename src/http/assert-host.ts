import type { IncomingMessage } from 'node:http';
import { Refusal } from '../domain/refusal.ts';

/**
 * Throws 400 for an HTTP/1.1 request with a missing, repeated or invalid Host header (RFC 9112, section 3.2). Replaces the check of
 * Node, which answers without a body and before authentication.
 */
export function assertHost({ rawHeaders, httpVersion }: IncomingMessage): void {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]!.toLowerCase() !== 'host') continue;
    hosts += 1;
    if (!isAuthority(rawHeaders[index + 1]!)) refuse('requires a valid Host header');
  }
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) {
    refuse('requires exactly one Host header');
  }
}

/** A host name of 253 characters (RFC 1035, section 2.3.4) and a port. Bounds the time for parsing. */
const longestAuthority = 260;

/** It may be empty (RFC 9110, section 7.2). */
function isAuthority(host: string): boolean {
  if (host.length > longestAuthority) return false;
  return host === '' || (!/[/?#@\\\s]/.test(host) && URL.canParse(`http://${host}`));
}

function refuse(message: string): never {
  throw new Refusal('invalid_body', { fields: [{ path: '', message }] });
}
