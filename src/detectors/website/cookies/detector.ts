import type { Cookie } from 'set-cookie-parser';
import { getDomain } from 'tldts';
import type { HttpResponse, WebsiteCapture } from '../../../captures/website.ts';
import { type DetectionBuilder, detecting } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { readMarkup } from '../markup.ts';
import { pageSubject } from '../page-subject.ts';
import { errorPageReason, isDocument, isErrorPage, redirectTarget } from '../response.ts';
import { cookiesSet, isSessionCookie, setsTooManyCookies, stableCookieName } from '../session-cookie.ts';
import { undecided, undecidedOverHttp } from '../visits.ts';
import { cookiesChecks as checks } from './checks.ts';

/** Cookies that the site sets before and on its page. Findings never contain their values. */
export const cookiesDetector: Detector<WebsiteCapture> = {
  name: 'website.cookies',
  surface: 'website',
  reads: [],
  checks: Object.values(checks),
  perSubject: pageSubject(Object.values(checks)),
  detect: detecting((found, capture) => {
    const { https, http, page } = capture;
    if (!page.assessed) found.cannotAssess(Object.values(checks), page.reason);
    else if (isErrorPage(page.value)) found.cannotAssess(Object.values(checks), errorPageReason(page.value));
    for (const reason of [undecided(https), undecidedOverHttp({ http })]) {
      if (reason !== null) found.cannotAssess(Object.values(checks), reason);
    }
    const responses = [
      ...(https.assessed ? https.value.responses : []),
      ...(http.assessed ? http.value.responses : []),
      ...(page.assessed ? [page.value] : []),
    ];
    const servesHttps = https.assessed && https.value.served;
    for (const response of responses) {
      if (setsTooManyCookies(response)) {
        const { sessionInUrl, ...ofCookies } = checks;
        found.cannotAssess(Object.values(ofCookies), 'A response sets more cookies than the scan reads.');
      }
      for (const cookie of cookiesSet(response, capture.collected_at)) {
        detectCookie(found, response, cookie, servesHttps);
      }
      detectAddresses(found, response);
    }
  }),
};

function detectCookie(found: DetectionBuilder, response: HttpResponse, cookie: Cookie, servesHttps: boolean) {
  const name = stableCookieName(cookie.name);
  const { hostname } = new URL(response.url);
  const place = `${hostname} ${name}`;
  const sameSite = cookie.sameSite?.toLowerCase();
  const broken = brokenPrefix(cookie, response.url);
  if (broken !== null) found.observe(checks.brokenPrefix, place, `The cookie ${name} ${broken}.`);
  if (!isSessionCookie(cookie.name)) return;
  if (!cookie.secure) {
    const first = servesHttps
      ? ''
      : ' The site needs HTTPS first: browsers reject Secure cookies over plain HTTP.';
    found.observe(checks.notSecure, place, `The session cookie ${name} has no Secure attribute.${first}`);
  }
  if (!cookie.httpOnly) {
    found.observe(checks.notHttpOnly, place, `The session cookie ${name} has no HttpOnly attribute.`);
  }
  if (sameSite !== 'lax' && sameSite !== 'strict' && !(sameSite === 'none' && cookie.secure)) {
    found.observe(
      checks.sameSite,
      place,
      sameSite === 'none'
        ? `The session cookie ${name} has SameSite=None without Secure.`
        : `The session cookie ${name} has no effective SameSite attribute.`,
    );
  }
  const domain = cookie.domain?.toLowerCase().replace(/^\./, '');
  if (domain !== undefined && domain !== '' && domain !== hostname && domain === getDomain(hostname)) {
    found.observe(
      checks.broadDomain,
      place,
      `The Domain attribute of the session cookie ${name} covers the whole registered domain.`,
    );
  }
}

/** What a prefixed cookie lacks, or null (RFC 6265bis, 4.1.3). */
function brokenPrefix(cookie: Cookie, url: string): string | null {
  const name = cookie.name.toLowerCase();
  const isHost = name.startsWith('__host-');
  if (!isHost && !name.startsWith('__secure-')) return null;
  if (!cookie.secure) return 'has no Secure attribute';
  if (!url.startsWith('https:')) return 'is set over plain HTTP';
  if (isHost && cookie.domain) return 'has a Domain attribute';
  if (isHost && cookie.path !== '/') return 'does not have Path=/';
  return null;
}

/** Parameters that carry sessions, in the query or after a semicolon in the path. */
const sessionParameters = /[;?&](?:jsessionid|phpsessid|aspsessionid[a-z]{0,8}|cftoken)=[\w.!-]{8}/i;

/** Ambiguous names, such as of a shop or a conference session: only a long, mixed value counts as a session ID. */
const maybeSession =
  /[;?&](?:session_?id|sessid|sid)=(?=[a-z]{0,40}\d)(?=\d{0,40}[a-z])(?<value>[0-9a-z]{20,128})(?![\w-])/gi;

function carriesSession(address: string): boolean {
  if (sessionParameters.test(address)) return true;
  return [...address.matchAll(maybeSession)].some(({ groups }) => new Set(groups?.value).size >= 10);
}

function detectAddresses(found: DetectionBuilder, response: HttpResponse): void {
  const { hostname } = new URL(response.url);
  const target = redirectTarget(response);
  const links = isDocument(response) ? readMarkup(response) : null;
  if (links !== null && links.gap !== null) found.cannotAssess([checks.sessionInUrl], links.gap);
  const addresses = [target, ...(links?.links.map(({ url }) => url) ?? []), ...(links?.formActions ?? [])];
  const isCarried = addresses.some(
    address => address !== null && new URL(address).hostname === hostname && carriesSession(address),
  );
  if (isCarried) {
    found.observe(
      checks.sessionInUrl,
      hostname,
      'A redirect or link of the site contains a session ID in its URL.',
    );
  }
}
