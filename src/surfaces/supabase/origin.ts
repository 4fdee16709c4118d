import type { Credential } from '../../contract/sources.ts';
import { isSameAuthority, parseAuthority } from '../database/authority.ts';
import { ConnectionFailed } from '../database/failure.ts';
import { originOf } from '../website/target.ts';

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
  // Nothing but scheme, host and port: no user, path or query that would change what is asked, and of whom.
  const [, scheme = '', authority = ''] = /^(https?):\/\/([^/?#@\s\\]+)\/?$/i.exec(url) ?? [];
  const named = parseAuthority(authority, httpsPort);
  if (named === null) throw new ConnectionFailed('invalid_credential');
  if (scheme.toLowerCase() === 'http') throw new ConnectionFailed('tls_required');
  if (!isSameAuthority(source, named)) throw new ConnectionFailed('credential_host_mismatch');
  if (!isHeaderValue(key)) throw new ConnectionFailed('invalid_credential');
  return originOf('https', source.hostname, source.port);
}

export const isHeaderValue = (key: string) => /^[\x21-\x7e]+$/.test(key);

/** Keys that are no JWT are taken as a bearer only where they equal `apikey`. */
export const keyHeaders = (key: string) => ({ apikey: key, authorization: `Bearer ${key}` });
