import { type Assessment, notAssessed } from '../../captures/assessment.ts';
import { readTags } from '../../captures/read-tags.ts';
import type { HttpResponse, Navigation, WebsiteSite } from '../../captures/website.ts';
import type { PinnedAddress } from '../connection/target-guard.ts';
import type { Budget } from './budget.ts';
import { errorCodeOf, isMomentary, SiteDeclines, WebsiteUnreachable } from './failure.ts';
import { explained } from './handshake-obstacle.ts';
import type { OriginHeaders } from './navigate.ts';
import type { Session } from './session.ts';
import { firstHandshake, type Handshake, type Roots } from './tls.ts';
import { type Attempt, finalPage, visitHttp, visitHttps } from './visit.ts';

/** The site as its first requests found it. */
export interface Arrival {
  readonly pinned: PinnedAddress;
  readonly handshake: Attempt<Handshake>;
  readonly isTrusted: boolean;
  /** Null without a credential, or if it must not be sent. */
  readonly credential: OriginHeaders | null;
  readonly https: Assessment<Navigation>;
  readonly http: Assessment<Navigation>;
  readonly page: Assessment<HttpResponse>;
}

/**
 * Connects with TLS, and requests the page over HTTPS and plain HTTP.
 *
 * @throws WebsiteUnreachable if there is nothing to scan
 */
export async function arrive(session: Session): Promise<Arrival> {
  const { site, explicitHttp } = session.target;
  const pinned = await session.client.pin(site.hostname);
  const handshake = await shakeHands(pinned, site.https_port, session.budget, session.roots);
  const isTrusted =
    handshake.ok && handshake.value.authorization_error === null && handshake.value.hostname_matches;
  // An untrusted certificate may be an attacker's, so the credential is not sent.
  const credential = isTrusted || explicitHttp ? session.credential : null;
  const https = await visitHttps(session, handshake, credential);
  const { navigation: http, error } = await visitHttp(
    session,
    handshake.ok,
    explicitHttp ? credential : null,
  );
  if (!handshake.ok && !(http.assessed && http.value.served) && !(error instanceof SiteDeclines)) {
    // The error of HTTPS explains more, unless the source has no HTTPS.
    throw new WebsiteUnreachable(errorCodeOf(site.https_port === null ? error : handshake.error));
  }
  const page = behindLogIn(finalPage(https, http), site, credential);
  return { pinned, handshake, isTrusted, credential, https, http, page };
}

/**
 * Not assessed if the page redirects to a login although a credential was sent: it has expired or is wrong, and
 * findings behind the login may still exist.
 */
function behindLogIn(
  page: Assessment<HttpResponse>,
  { path }: WebsiteSite,
  credential: OriginHeaders | null,
): Assessment<HttpResponse> {
  if (credential === null || !page.assessed) return page;
  const { url, body } = page.value;
  return new URL(url).pathname !== path.split('?', 1)[0] && asksForPassword(body)
    ? notAssessed('The site redirects the scan to a login page, although the source’s credential was sent.')
    : page;
}

function asksForPassword(html: string): boolean {
  let asks = false;
  readTags(html, {
    onOpen(name, { type }) {
      asks ||= name === 'input' && type?.trim().toLowerCase() === 'password';
    },
  });
  return asks;
}

async function shakeHands(
  pinned: PinnedAddress,
  port: number | null,
  budget: Budget,
  roots: Roots,
): Promise<Attempt<Handshake>> {
  if (port === null) {
    const error = new Error('The source is an http:// URL with a nonstandard port');
    return { ok: false, error: Object.assign(error, { code: 'ECONNREFUSED' }) };
  }
  const shake = async (): Promise<Attempt<Handshake>> => {
    try {
      return { ok: true, value: await firstHandshake(pinned, port, budget, roots) };
    } catch (error) {
      return { ok: false, error };
    }
  };
  const first = await shake();
  const last = !first.ok && isMomentary(first.error) ? await shake() : first;
  return last.ok ? last : { ok: false, error: await explained(last.error, pinned, port, budget) };
}
