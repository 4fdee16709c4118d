import { isIP } from 'node:net';
import type { WebsiteSite } from '../../captures/website.ts';
import type { TargetGuard } from '../connection/target-guard.ts';
import type { Coverage } from './coverage.ts';
import { hostnameOf, portOf } from './http-client.ts';

/**
 * What `findDomainProof` just found: a TXT record of the name, or a file at one of its addresses. A TXT record with an
 * address: the file exists as well.
 */
export type Proof =
  | { readonly by: 'dns_txt'; readonly address?: string }
  | { readonly by: 'well_known_file'; readonly address: string };

/**
 * What a proof of the source's domain allows for a URL. Without a proof, what a file would allow.
 *
 * A TXT record comes from the owner of the name, which may point to a server of someone else: it covers the host and
 * the names below it, on every port, if the server has a certificate for the name. A file comes from one server: it
 * covers the host at the address that answered, on the ports of the source, for HTTPS and plain HTTP. Neither covers
 * the parent or a sibling, which often belong to others, as with hosting providers or within a company.
 */
export function coverageOf(proof: Proof | undefined, site: WebsiteSite, url: URL): Coverage {
  const hostname = hostnameOf(url);
  const port = url.protocol === 'https:' ? site.https_port : site.http_port;
  const hasFile = proof === undefined || proof.address !== undefined;
  if (hasFile && hostname === site.hostname && portOf(url) === port) return 'covered';
  if (proof?.by !== 'dns_txt') return 'none';
  if (hostname !== site.hostname && !hostname.endsWith(`.${site.hostname}`)) return 'none';
  if (url.protocol === 'https:') return 'if_trusted';
  // A file covers only the host itself.
  return hostname === site.hostname ? 'by_file' : 'none';
}

/**
 * A guard that resolves the host of a proof to one address only, which it checks like any other: by the time of the
 * scan, DNS may resolve the name to someone else's server.
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
