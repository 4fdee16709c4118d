import { type Assessment, notAssessed } from '../../captures/assessment.ts';
import type { HandshakeFacts, Navigation, TlsFacts } from '../../captures/website.ts';
import type { PinnedAddress } from '../connection/target-guard.ts';
import type { Arrival } from './arrival.ts';
import { assess, reasonFor } from './failure.ts';
import { hostnameOf, portOf } from './http-client.ts';
import type { Session, WebsiteOptions } from './session.ts';
import { dhBits, firstHandshake, noRoots, protocolSupport, timestampsBeside, weakCiphers } from './tls.ts';

/** Further hosts to which the site redirects whose certificates are read. */
const mostHosts = 3;

/** What handshakes with the site, and with further hosts of its redirects, show. */
export async function tlsFacts(
  session: Session,
  { pinned, handshake, isTrusted, https, http }: Arrival,
  { proof, place }: Pick<WebsiteOptions, 'proof' | 'place'>,
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
      further_hosts: await furtherHosts(session, port, [https, http]),
    },
  };
}

async function isStapledLater(pinned: PinnedAddress, port: number, { budget }: Session): Promise<boolean> {
  const again = await assess(firstHandshake(pinned, port, budget, noRoots));
  return again.assessed && again.value.stapled;
}

/** Hosts and ports over HTTPS, other than the site's own, that answered its redirects. */
async function furtherHosts(
  { client, target, budget, roots }: Session,
  ownPort: number,
  visits: readonly Assessment<Navigation>[],
): Promise<TlsFacts['further_hosts']> {
  const urls = visits
    .flatMap(visit => (visit.assessed ? visit.value.responses : []))
    .map(({ url }) => new URL(url))
    .filter(url => url.protocol === 'https:')
    .filter(url => hostnameOf(url) !== target.site.hostname || portOf(url) !== ownPort);
  const origins = [...new Set(urls.map(({ origin }) => origin))].slice(0, mostHosts);
  const hosts: { origin: string; handshake: Assessment<HandshakeFacts> }[] = [];
  for (const origin of origins) {
    const url = new URL(origin);
    const shake = async () => {
      const { staple_has_timestamps: _, ...seen } = await firstHandshake(
        await client.pin(hostnameOf(url)),
        portOf(url),
        budget,
        roots,
      );
      return seen;
    };
    hosts.push({ origin, handshake: await assess(shake()) });
  }
  return hosts;
}
