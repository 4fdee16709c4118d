import { type Assessment, notAssessed } from '../../captures/assessment.ts';
import { isXml, mediaTypeOf } from '../../captures/media-type.ts';
import type { HttpResponse, Navigation } from '../../captures/website.ts';
import { codeOf, isClosed, isMomentary, isRefused, reasonFor } from './failure.ts';
import { navigate, type OriginHeaders, type Visit } from './navigate.ts';
import type { Session } from './session.ts';
import { startUrl } from './target.ts';
import type { Handshake } from './tls.ts';

export type Attempt<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: unknown };

/** Visits the site over HTTPS, given the result of the first handshake. */
export async function visitHttps(
  session: Session,
  handshake: Attempt<Handshake>,
  credential: OriginHeaders | null,
): Promise<Assessment<Navigation>> {
  const url = startUrl(session.target, 'https');
  if (!handshake.ok || url === null) {
    const error = handshake.ok ? null : handshake.error;
    return speaksNoTls(error)
      ? { assessed: true, value: { served: false, responses: [], stopped: null } }
      : notAssessed(reasonFor(error));
  }
  let visit = await navigate(session.client, url, credential);
  if (isMomentary(visit.error)) visit = await navigate(session.client, url, credential);
  const { navigation } = visit;
  // TLS works, but the request was not answered. That differs from having no HTTPS.
  return navigation.assessed && !navigation.value.served
    ? notAssessed('The server supports TLS, but did not answer the request.')
    : navigation;
}

/**
 * Nothing listens, or the answer is not TLS. An alert is TLS, and a server that closes the connection or stays silent
 * may support TLS at the next attempt.
 */
function speaksNoTls(error: unknown): boolean {
  const code = codeOf(error);
  const isOther = /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/.test(code);
  // A firewall drops packets to a closed port. It was tried twice, and this host answers on another port.
  return error === null || isOther || isRefused(error) || code === 'CONNECT_TIMEOUT';
}

/** How servers answer plain HTTP on an HTTPS port; 497 is nginx's own code for it. */
const plainHttpRefusals = new Set([400, 426, 497]);

/** Visits the site over plain HTTP. @param speaksTls whether the HTTPS port does */
export async function visitHttp(
  session: Session,
  speaksTls: boolean,
  credential: OriginHeaders | null,
): Promise<Visit> {
  const url = startUrl(session.target, 'http');
  if (url === null) {
    return {
      navigation: notAssessed('The source has no port for plain HTTP.'),
      error: null,
    };
  }
  let visit = await navigate(session.client, url, credential);
  if (isClosed(visit.error)) visit = await navigate(session.client, url, credential);
  const { https_port, http_port } = session.target.site;
  if (https_port !== http_port) return visit;
  const notServed = (stopped: Navigation['stopped']): Visit => ({
    ...visit,
    navigation: { assessed: true, value: { served: false, responses: [], stopped } },
  });
  // One port for both: TLS servers often close plain HTTP connections.
  if (speaksTls && isClosed(visit.error)) return notServed('closed');
  const status = visit.navigation.assessed ? visit.navigation.value.responses[0]?.status : undefined;
  return status !== undefined && plainHttpRefusals.has(status) ? notServed(null) : visit;
}

/** The last document of the visit over HTTPS, or over plain HTTP if there is no TLS. */
export function finalPage(
  https: Assessment<Navigation>,
  http: Assessment<Navigation>,
): Assessment<HttpResponse> {
  const navigation = visitOf(https, http);
  if (!navigation.assessed) return navigation;
  const { responses, stopped } = navigation.value;
  const last = responses.at(-1);
  if (last === undefined) return notAssessed('No page of the site answered.');
  if (stopped === 'other_site') return notAssessed('The site sends visitors to another site.');
  if (stopped === 'address_too_long') {
    return notAssessed('A redirect of the site leads to an address that is longer than the scan reads.');
  }
  if (stopped !== null) return notAssessed('The redirects of the site could not be followed.');
  // Often the response of a firewall or a proxy, which shows nothing about the site itself.
  const isOther = last.status === 403 || last.status === 429 || last.status >= 500;
  // No document, or one that some browsers show if a redirect cannot be followed.
  const isNone = last.status === 204 || last.status === 205 || (last.status >= 300 && last.status < 400);
  if (isOther || isNone) return notAssessed(`The page answers the scan with status ${last.status}.`);
  if (last.body_unread !== null) return notAssessed(last.body_unread);
  // Programs that fail without an error page send an empty document.
  if (last.status < 300 && last.body.trim() === '') return notAssessed('The page is empty.');
  const type = mediaTypeOf(last.headers);
  // Without a type, browsers detect it from the beginning of the document (MIME Sniffing, 7.1).
  const isXmlByItself = type === '' && /^\ufeff?\s*<\?xml/.test(last.body);
  if ((isXml(type) && type !== 'application/xhtml+xml') || isXmlByItself || type.startsWith('multipart/')) {
    return notAssessed('The page is of a media type that the scan does not read.');
  }
  return { assessed: true, value: last };
}

/**
 * The origin for requests of exposed files: the page's, even if the page was not assessed, else that of the first
 * response.
 */
export function exposureOrigin(
  page: Assessment<HttpResponse>,
  https: Assessment<Navigation>,
  http: Assessment<Navigation>,
): string | null {
  const navigation = visitOf(https, http);
  const { responses, stopped } = navigation.assessed ? navigation.value : { responses: [], stopped: null };
  const url = page.assessed ? page.value.url : responses.at(stopped === null ? -1 : 0)?.url;
  return url === undefined ? null : new URL(url).origin;
}

function visitOf(https: Assessment<Navigation>, http: Assessment<Navigation>): Assessment<Navigation> {
  // The plain HTTP port may serve a default page, which must not replace a page that failed only this time.
  return !https.assessed || https.value.served ? https : http;
}
