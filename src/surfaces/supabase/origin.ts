import type { Credential } from '../../contract/sources.ts';
import { type Authority, isSameAuthority, parseAuthority } from '../connection/authority.ts';
import { ConnectionFailed } from '../connection/connection-failed.ts';
import { originOf } from '../website/target.ts';
import { isHeaderValue } from './keys.ts';

export type ServiceRole = Extract<Credential, { type: 'service_role' }>;

const httpsPort = 443;

/**
 * The origin to request, on which the source and the credential must agree.
 *
 * @throws ConnectionFailed if they do not, or if the key cannot be a header's value
 */
export function originFor(host: string, { url, key }: ServiceRole): string {
  const source = parseAuthority(host, httpsPort);
  if (source === null) throw new ConnectionFailed('invalid_host');
  const named = parseProjectUrl(url);
  if (!isSameAuthority(source, named)) throw new ConnectionFailed('credential_host_mismatch');
  if (!isHeaderValue(key)) throw new ConnectionFailed('invalid_credential');
  return originOf('https', source.hostname, source.port);
}

/**
 * Accepts only scheme, host and port: a user, path or query would change the request or its recipient.
 *
 * @throws ConnectionFailed with `invalid_credential` or, for http, `tls_required`
 */
export function parseProjectUrl(url: string): Authority {
  const [, scheme = '', authority = ''] = /^(https?):\/\/([^/?#@\s\\]+)\/?$/i.exec(url) ?? [];
  const named = parseAuthority(authority, httpsPort);
  if (named === null) throw new ConnectionFailed('invalid_credential');
  if (scheme.toLowerCase() === 'http') throw new ConnectionFailed('tls_required');
  return named;
}
