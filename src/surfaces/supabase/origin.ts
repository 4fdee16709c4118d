import type { Credential } from '../../contract/sources.ts';
import { type Authority, isSameAuthority, parseAuthority } from '../connection/authority.ts';
import { ConnectionFailed } from '../connection/connection-failed.ts';
import { originOf } from '../website/target.ts';
import { isHeaderValue } from './keys.ts';

export type ServiceRole = Extract<Credential, { type: 'service_role' }>;

const httpsPort = 443;

/**
 * The origin to ask, which the source and the credential must both name.
 *
 * @throws ConnectionFailed when they do not, or when the key cannot be a header's value
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
 * Nothing but scheme, host and port: no user, path or query that would change what is asked, and of whom.
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
