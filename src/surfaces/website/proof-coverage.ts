import { isIP } from 'node:net';
import type { WebsiteSite } from '../../captures/website.ts';
import type { TargetGuard } from '../connection/target-guard.ts';
import type { Coverage } from './coverage.ts';
import { hostnameOf, portOf } from './http-client.ts';

/**
 * What `findDomainProof` found just now: a TXT record of the name, or a file at one of the addresses that the name has. A TXT record with an
 * address: the file is there as well.
 */
export type Proof =
  | { readonly by: 'dns_txt'; readonly address?: string }
  | { readonly by: 'well_known_file'; readonly address: string };

/**
 * What a proof of the source's domain says about a URL. Without a proof, what a file would.
 *
 * A TXT record comes from who decides about the name, which may lead to somebody else's server: it covers the host and the names
 * below it, on every port, where the server shows a certificate for the name. A file comes from one server: it covers the host
 * at the address that answered, on the ports that the source means, for HTTPS and plain HTTP. Neither covers the parent or a
 * sibling: below a provider's domain, or within a company, those are often other people's.
 */
export function coverageOf(proof: Proof | undefined, site: WebsiteSite, url: URL): Coverage {
  const hostname = hostnameOf(url);
  const port = url.protocol === 'https:' ? site.https_port : site.http_port;
  const hasFile = proof === undefined || proof.address !== undefined;
  if (hasFile && hostname === site.hostname && portOf(url) === port) return 'covered';
  if (proof?.by !== 'dns_txt') return 'none';
  if (hostname !== site.hostname && !hostname.endsWith(`.${site.hostname}`)) return 'none';
  if (url.protocol === 'https:') return 'if_trusted';
  // A file covers the host alone.
  return hostname === site.hostname ? 'by_file' : 'none';
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
