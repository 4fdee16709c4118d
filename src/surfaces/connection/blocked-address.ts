import { isPublicUnicast, parseHost } from './address.ts';
import { createAllowlist } from './target-allowlist.ts';

/**
 * Whether a source's normalized host is an IP address that the target guard refuses. Of a name, only a scan can decide: what it resolves to
 * may change.
 *
 * @param allowlist as for the target guard
 * @throws AllowlistError
 */
export function blockedAddress(allowlist: readonly string[]): (host: string) => boolean {
  const isAllowlisted = createAllowlist(allowlist);
  return host => {
    const url = /^https?:\/\//.test(host) ? host : `https://${host}`;
    const parsed = URL.canParse(url) ? parseHost(new URL(url).hostname) : null;
    return parsed?.kind === 'address' && !isAllowlisted(parsed.address) && !isPublicUnicast(parsed.address);
  };
}
