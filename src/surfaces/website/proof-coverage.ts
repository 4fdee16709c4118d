import type { WebsiteSite } from '../../evidence/website.ts';
import { hostnameOf, portOf } from './http-client.ts';

/** How the domain of a source was proven; see `findDomainProof`. */
export type ProofMethod = 'dns_txt' | 'well_known_file';

/**
 * Whether a proof of the source's domain covers a URL, so that a full scan may ask there for more than a safe one.
 *
 * A TXT record comes from who decides about the name: it covers the host and the names below it, on every port. A file comes
 * from one server: it covers the host on the ports that the source means, for HTTPS and plain HTTP. Neither covers the parent
 * or a sibling: below a provider's domain, or within a company, those are often other people's.
 */
export function isCoveredBy(method: ProofMethod, site: WebsiteSite, url: URL): boolean {
  const hostname = hostnameOf(url);
  if (method === 'dns_txt') return hostname === site.hostname || hostname.endsWith(`.${site.hostname}`);
  const port = url.protocol === 'https:' ? site.https_port : site.http_port;
  return hostname === site.hostname && portOf(url) === port;
}
