import { isIP } from 'node:net';
import type { WebsiteSite } from '../../evidence/website.ts';
import type { TargetGuard } from '../target-guard.ts';
import { hostnameOf, portOf } from './http-client.ts';

/** How the domain of a source was proven; see `findDomainProof`. */
export type ProofMethod = Proof['by'];

/** What was found just now: a TXT record of the name, or a file at one of the addresses that the name has. */
export type Proof = { readonly by: 'dns_txt' } | { readonly by: 'well_known_file'; readonly address: string };

/**
 * Whether a proof of the source's domain covers a URL, so that a full scan may ask there for more than a safe one.
 *
 * A TXT record comes from who decides about the name: it covers the host and the names below it, on every port. A file comes
 * from one server: it covers the host at the address that answered, on the ports that the source means, for HTTPS and plain
 * HTTP. Neither covers the parent or a sibling: below a provider's domain, or within a company, those are often other people's.
 */
export function isCoveredBy(method: ProofMethod, site: WebsiteSite, url: URL): boolean {
  const hostname = hostnameOf(url);
  if (method === 'dns_txt') return hostname === site.hostname || hostname.endsWith(`.${site.hostname}`);
  const port = url.protocol === 'https:' ? site.https_port : site.http_port;
  return hostname === site.hostname && portOf(url) === port;
}

/**
 * A guard that finds the host of a proof at one address only, which it checks like any other: by the time of the scan,
 * DNS may say that the name is somebody else's server.
 */
export function guardAt(address: string, host: string, guard: TargetGuard): TargetGuard {
  return {
    async pin(hostname, signal) {
      if (hostname !== host) return guard.pin(hostname, signal);
      const { addresses } = await guard.pin(address, signal);
      return { hostname, isAddress: isIP(hostname) !== 0, addresses };
    },
  };
}
