import type { Cookie } from 'set-cookie-parser';
import { getDomain } from 'tldts';
import type { HttpResponse, WebsiteCapture } from '../../../captures/website.ts';
import type { Severity } from '../../../contract/severity.ts';
import { type DetectionBuilder, detecting } from '../../detection.ts';
import type { Check, Detector } from '../../detector.ts';
import { readMarkup } from '../markup.ts';
import { pageSubject } from '../page-subject.ts';
import { errorPageReason, isDocument, isErrorPage, redirectTarget } from '../response.ts';
import { cookiesSet, isSessionCookie, setsTooManyCookies, stableCookieName } from '../session-cookie.ts';
import { undecided, undecidedOverHttp } from '../visits.ts';
import { cookiesChecks as checks } from './checks.ts';
import { likelySessions } from './likely-session.ts';
import { type OpenContent, openContent } from './open-content.ts';

/** Cookies that the site sets before and on its page. Findings never contain their values. */
export const cookiesDetector: Detector<WebsiteCapture> = {
  name: 'website.cookies',
  surface: 'website',
  reads: ['cors'],
  checks: Object.values(checks),
  perSubject: pageSubject(Object.values(checks)),
  detect: detecting((found, capture) => {
    const { https, http, page } = capture;
    if (!page.assessed) found.cannotAssess(Object.values(checks), page.reason);
    else if (isErrorPage(page.value)) found.cannotAssess(Object.values(checks), errorPageReason(page.value));
    for (const reason of [undecided(https), undecidedOverHttp({ http })]) {
      if (reason !== null) found.cannotAssess(Object.values(checks), reason);
    }
    // The page is the last response of a visit.
    const visits = [
      ...(https.assessed ? https.value.responses : []),
      ...(http.assessed ? http.value.responses : []),
    ];
    const responses = page.assessed ? [...visits, page.value] : visits;
    const servesHttps = https.assessed && https.value.served;
    const { likely, undecided: onlyOnce } = likelySessions(
      [...visits, ...responsesToOrigins(capture)],
      capture.collected_at,
    );
    if (onlyOnce.length > 0) {
      found.cannotAssess(
        ofSessions,
        'A cookie may be a session, but was set by one response only, so that its values could not be compared.',
      );
    }
    for (const response of responses) {
      if (setsTooManyCookies(response)) {
        const { sessionInUrl, ...ofCookies } = checks;
        found.cannotAssess(Object.values(ofCookies), 'A response sets more cookies than the scan reads.');
      }
      const cookies = cookiesSet(response, capture.collected_at);
      const names = new Set(cookies.map(({ name }) => name));
      for (const cookie of cookies) {
        detectPrefix(found, response, cookie);
        detectContent(found, response, cookie, names);
        const because = likely.get(cookie.name) ?? null;
        if (isSessionCookie(cookie)) detectSession(found, response, cookie, { servesHttps, because: null });
        else if (because !== null) detectSession(found, response, cookie, { servesHttps, because });
      }
      detectAddresses(found, response);
    }
  }),
};

const ofSessions = [checks.notSecure, checks.notHttpOnly, checks.sameSite];

/** Further responses of the page to requests without cookies. */
function responsesToOrigins({ cors }: WebsiteCapture): HttpResponse[] {
  const probes = cors.assessed ? cors.value : [];
  return probes.flatMap(({ target, response }) =>
    target === 'page' && response.assessed ? [response.value] : [],
  );
}

const placeOf = (response: HttpResponse, cookie: Cookie) =>
  `${new URL(response.url).hostname} ${stableCookieName(cookie.name)}`;

function detectPrefix(found: DetectionBuilder, response: HttpResponse, cookie: Cookie) {
  const broken = brokenPrefix(cookie, response.url);
  if (broken === null) return;
  const seen = `The cookie ${stableCookieName(cookie.name)} ${broken}.`;
  found.observe(checks.brokenPrefix, placeOf(response, cookie), seen);
}

const contents: Readonly<Record<OpenContent, string>> = {
  role: 'states a role or right in plain text, without a signature',
  identity: 'states who the visitor is in plain text, without a signature',
  object: 'contains a serialized object without a signature, which the server may deserialize',
  unsigned_token: 'contains a JSON Web Token without a signature',
};

function detectContent(
  found: DetectionBuilder,
  response: HttpResponse,
  cookie: Cookie,
  names: ReadonlySet<string>,
) {
  const content = openContent(cookie, names);
  if (content === null) return;
  const seen = `The cookie ${stableCookieName(cookie.name)} ${contents[content]}.`;
  // A name or number of a person grants nothing by itself.
  const severity = content === 'identity' ? (['low'] as const) : [];
  found.observe(checks.openContent, placeOf(response, cookie), seen, ...severity);
}

interface Recognition {
  readonly servesHttps: boolean;
  /** Why a cookie without a known name is treated as a session. */
  readonly because: string | null;
}

function detectSession(
  found: DetectionBuilder,
  response: HttpResponse,
  cookie: Cookie,
  { servesHttps, because }: Recognition,
) {
  const place = placeOf(response, cookie);
  const which = `session cookie ${stableCookieName(cookie.name)}`;
  const observe = (check: Check, seen: string, severity?: Severity) =>
    found.observe(
      check,
      place,
      because === null ? seen : `${seen} It is recognized because ${because}.`,
      severity,
    );
  const { hostname } = new URL(response.url);
  const sameSite = cookie.sameSite?.toLowerCase();
  if (!cookie.secure) {
    const first = servesHttps
      ? ''
      : ' The site needs HTTPS first: browsers reject Secure cookies over plain HTTP.';
    const seen = `The ${which} has no Secure attribute.${first}`;
    observe(checks.notSecure, seen, because === null ? undefined : 'medium');
  }
  if (!cookie.httpOnly) observe(checks.notHttpOnly, `The ${which} has no HttpOnly attribute.`);
  if (sameSite !== 'lax' && sameSite !== 'strict' && !(sameSite === 'none' && cookie.secure)) {
    observe(
      checks.sameSite,
      sameSite === 'none'
        ? `The ${which} has SameSite=None without Secure.`
        : `The ${which} has no effective SameSite attribute.`,
    );
  }
  const domain = cookie.domain?.toLowerCase().replace(/^\./, '');
  if (domain !== undefined && domain !== '' && domain !== hostname && domain === getDomain(hostname)) {
    observe(checks.broadDomain, `The Domain attribute of the ${which} covers the whole registered domain.`);
  }
}

/** What a prefixed cookie lacks, or null (RFC 6265bis, 4.1.3). */
function brokenPrefix(cookie: Cookie, url: string): string | null {
  const [, prefix] = /^__(host-http|host|http|secure)-/i.exec(cookie.name) ?? [];
  if (prefix === undefined) return null;
  const kind = prefix.toLowerCase();
  if (!cookie.secure) return 'has no Secure attribute';
  if (!url.startsWith('https:')) return 'is set over plain HTTP';
  if (kind.endsWith('http') && !cookie.httpOnly) return 'has no HttpOnly attribute';
  if (kind.startsWith('host') && cookie.domain) return 'has a Domain attribute';
  if (kind.startsWith('host') && cookie.path !== '/') return 'does not have Path=/';
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
