import { type Assessment, notAssessed } from '../../captures/assessment.ts';
import { certifiedAt } from '../../captures/places.ts';
import type { TlsFacts } from '../../captures/tls.ts';
import type { Navigation } from '../../captures/website.ts';
import { type PinnedAddress, TargetRefused } from '../connection/target-guard.ts';
import type { Arrival } from './arrival.ts';
import { assess, isRefused, reasonFor } from './failure.ts';
import { hostnameOf, portOf } from './http-client.ts';
import { isSameSite } from './navigate.ts';
import type { Session, WebsiteOptions } from './session.ts';
import { dhBits, firstHandshake, noRoots, protocolSupport, timestampsBeside, weakCiphers } from './tls.ts';

/** Hosts of open findings, to which the site no longer redirects, whose certificates are read again. */
const mostOpen = 3;

/** What handshakes with the site, and with further hosts of its redirects, show. */
export async function tlsFacts(
  session: Session,
  { pinned, handshake, isTrusted, https, http }: Arrival,
  { proof, place, openPlaces = [] }: Pick<WebsiteOptions, 'proof' | 'place' | 'openPlaces'>,
): Promise<Assessment<TlsFacts>> {
  const { target, budget, reach } = session;
  const port = target.site.https_port;
  if (port === null) return notAssessed('The source is an http:// URL with a nonstandard port.');
  if (!handshake.ok) return notAssessed(reasonFor(handshake.error));
  const { staple_has_timestamps: _, ...seen } = handshake.value;
  const [leaf] = seen.chain;
  // With an untrusted certificate, a TXT record alone covers no more than a safe scan.
  const isNameOnly = proof?.by === 'dns_txt' && proof.address === undefined && !isTrusted;
  const allCiphers = reach.allCiphers && (place !== undefined || !isNameOnly);
  const protocols = await protocolSupport(pinned, port, budget, seen.negotiated_version);
  return {
    assessed: true,
    value: {
      ...seen,
      // Servers such as nginx fetch the response only after the first handshake.
      stapled: seen.stapled || (leaf?.must_staple === true && (await isStapledLater(pinned, port, session))),
      protocols,
      weak_ciphers: await weakCiphers(pinned, port, budget, allCiphers),
      dh_bits: await dhBits(pinned, port, budget),
      has_timestamps:
        leaf?.has_timestamps || !seen.publicly_trusted
          ? { assessed: true, value: leaf?.has_timestamps === true }
          : await timestampsBeside(handshake.value, pinned, port, budget),
      further_hosts: await furtherHosts(
        session,
        port,
        [https, http],
        [...(place === undefined ? [] : [place]), ...openPlaces],
      ),
    },
  };
}

async function isStapledLater(pinned: PinnedAddress, port: number, { budget }: Session): Promise<boolean> {
  const again = await assess(firstHandshake(pinned, port, budget, noRoots));
  return again.assessed && again.value.stapled;
}

/** Hosts and ports over HTTPS, other than the site's own, that answered its redirects, and those of open findings. */
async function furtherHosts(
  { client, target, budget, roots }: Session,
  ownPort: number,
  visits: readonly Assessment<Navigation>[],
  openPlaces: readonly string[],
): Promise<TlsFacts['further_hosts']> {
  const { hostname } = target.site;
  const isFurther = (url: URL) =>
    url.protocol === 'https:' && (hostnameOf(url) !== hostname || portOf(url) !== ownPort);
  const urls = visits
    .flatMap(visit => (visit.assessed ? visit.value.responses : []))
    .map(({ url }) => new URL(url))
    .filter(isFurther);
  const ofRedirects = new Set(urls.map(({ origin }) => origin));
  const ofFindings = openPlaces
    .flatMap(place => certifiedAt(place) ?? [])
    .filter(url => isFurther(url) && isSameSite(hostname, url.hostname) && !ofRedirects.has(url.origin))
    .map(({ origin }) => origin);
  const hosts: TlsFacts['further_hosts'][number][] = [];
  for (const origin of [...ofRedirects, ...[...new Set(ofFindings)].slice(0, mostOpen)]) {
    const url = new URL(origin);
    try {
      const address = await client.pin(hostnameOf(url));
      const { staple_has_timestamps: _, ...seen } = await firstHandshake(address, portOf(url), budget, roots);
      hosts.push({ origin, handshake: { assessed: true, value: seen } });
    } catch (error) {
      const isGone = isRefused(error) || (error instanceof TargetRefused && error.errorCode === 'dns_failed');
      // A host of the redirects that does not answer is one that visitors still meet.
      const handshake: Assessment<null> =
        isGone && !ofRedirects.has(origin) ? { assessed: true, value: null } : notAssessed(reasonFor(error));
      hosts.push({ origin, handshake });
    }
  }
  return hosts;
}
