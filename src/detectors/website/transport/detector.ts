import { isGone } from '../../../captures/statuses.ts';
import type { HttpResponse, WebsiteCapture } from '../../../captures/website.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { type Markup, readMarkup } from '../markup.ts';
import { pageSubject } from '../page-subject.ts';
import { directivesOf, separatePolicies } from '../policy-directives.ts';
import {
  errorPageReason,
  headerValues,
  httpOrigin,
  httpsOrigin,
  isErrorPage,
  originOf,
  redirectTarget,
  requireDocument,
  withoutQuery,
} from '../response.ts';
import { scriptPlace } from '../script-place.ts';
import { isMarkup } from '../shown-as-html.ts';
import { leadsTo, requireHttpVisit, undecided } from '../visits.ts';
import { transportChecks as checks } from './checks.ts';
import { parseHsts } from './hsts.ts';

const sixMonths = 182 * 86_400;

/** Top-level domains that browsers load over HTTPS only, with every subdomain (https://hstspreload.org/). */
const preloadedTopLevels = new Set(
  'app,bank,boo,channel,dad,day,dev,eat,esq,fly,foo,gle,gmail,google,hangout,ing,insurance,meet,meme,mov,new,nexus,page,phd,play,prof,rsvp,search,youtube,zip'.split(
    ',',
  ),
);

/** Whether all traffic between visitor and site is encrypted. */
export const transportDetector: Detector<WebsiteCapture> = {
  name: 'website.transport',
  surface: 'website',
  reads: [],
  checks: Object.values(checks),
  perSubject: pageSubject([checks.mixedContent, checks.insecureForm, checks.passwordOverHttp]),
  detect: detecting((found, capture) => {
    detectHttps(found, capture);
    detectRedirect(found, capture);
    detectHsts(found, capture);
    detectPage(found, capture);
    detectPlainLogin(found, capture);
  }),
};

function detectHttps(found: DetectionBuilder, { https, http, site }: WebsiteCapture) {
  if (!https.assessed) return found.cannotAssess([checks.noHttps], https.reason);
  const plain = http.assessed ? http.value.responses.at(-1) : undefined;
  if (!https.value.served) {
    if (!http.assessed) found.cannotAssess([checks.noHttps], http.reason);
    if (plain === undefined) return;
    const seen =
      site.https_port === null || site.https_port === site.http_port
        ? 'The source’s port serves plain HTTP and does not support TLS.'
        : `The site responds on port ${site.http_port}, but port ${site.https_port} does not support TLS.`;
    found.observe(checks.noHttps, site.hostname, seen);
  } else if (leadsTo(https.value)?.startsWith('http:')) {
    found.observe(checks.noHttps, site.hostname, 'HTTPS only redirects visitors back to plain HTTP.');
  } else {
    const status = https.value.responses.at(-1)?.status;
    // A login prompt over HTTPS means that the page has HTTPS too.
    const reason = status === 401 ? null : undecided(https);
    if (reason !== null) found.cannotAssess([checks.noHttps], reason);
    const isOnHttpOnly = isGone(status) && plain?.url.startsWith('http:') && plain.status < 300;
    if (isOnHttpOnly)
      found.cannotAssess([checks.noHttps], `HTTPS responds with status ${status}, plain HTTP with a page.`);
  }
}

function detectRedirect(found: DetectionBuilder, { https, http, site }: WebsiteCapture) {
  const both = [checks.noRedirect, checks.insecureFirstHop];
  if (!http.assessed || !http.value.served) {
    requireHttpVisit(found, both, { http });
    return;
  }
  if (!(https.assessed && https.value.served))
    return found.cannotAssess(both, 'The site has no HTTPS to redirect to.');
  const { responses } = http.value;
  const first = responses[0];
  const last = responses.at(-1);
  if (first === undefined || last === undefined) return;
  const origin = httpOrigin(site);
  const end = leadsTo(http.value);
  if (end?.startsWith('https:')) {
    const hop = redirectTarget(first);
    if (hop?.startsWith('http:')) {
      found.observe(
        checks.insecureFirstHop,
        origin,
        `The first redirect goes to ${quoted(withoutQuery(hop))}.`,
      );
    }
    return;
  }
  if (['unreachable', 'refused', 'address_too_long'].includes(http.value.stopped ?? ''))
    return found.cannotAssess(both, 'A redirect from plain HTTP could not be followed.');
  // Only a page, or a redirect that stays on plain HTTP, exposes anything. A refusal may apply to the scan alone.
  if (isErrorPage(last)) {
    requireHttpVisit(found, both, { http });
  } else {
    found.observe(
      checks.noRedirect,
      origin,
      `Plain HTTP responds with status ${last.status} and does not redirect to HTTPS.`,
    );
  }
}

function detectHsts(found: DetectionBuilder, { https, site }: WebsiteCapture) {
  const all = [checks.hstsMissing, checks.hstsShort, checks.hstsMalformed];
  if (!https.assessed) return found.cannotAssess(all, https.reason);
  const first = https.value.responses[0];
  if (first === undefined) return found.cannotAssess(all, 'The site has no HTTPS.');
  // Browsers keep HSTS for names only (RFC 6797, 8.1.1).
  if (site.is_address) return;
  const origin = httpsOrigin(site);
  // Only the first header counts (RFC 6797, 8.1).
  const value = headerValues(first, 'strict-transport-security')[0];
  if (value === undefined) {
    if (isErrorPage(first)) {
      // Servers often add headers to successful responses only, and bot protection responds without them.
      return found.cannotAssess(
        all,
        `The first response has no HSTS header, but others may have one. ${errorPageReason(first)}`,
      );
    }
    const topLevel = site.hostname.slice(site.hostname.lastIndexOf('.') + 1);
    const isPreloaded = preloadedTopLevels.has(topLevel);
    return found.observe(
      checks.hstsMissing,
      origin,
      isPreloaded
        ? `The response has no Strict-Transport-Security header. Browsers use HTTPS for all of .${topLevel} anyway.`
        : 'The first HTTPS response has no Strict-Transport-Security header.',
      ...(isPreloaded ? (['info'] as const) : []),
    );
  }
  const hsts = parseHsts(value);
  if (hsts.kind === 'malformed') {
    found.observe(
      checks.hstsMalformed,
      origin,
      `The header value ${quoted(value)} is invalid: ${hsts.reason}.`,
    );
  } else if (hsts.maxAge === 0) {
    found.observe(checks.hstsMissing, origin, 'The header has max-age=0, which disables HSTS.');
  } else if (hsts.maxAge < sixMonths) {
    found.observe(checks.hstsShort, origin, `The header has max-age=${hsts.maxAge} (seconds).`);
  }
}

function detectPage(found: DetectionBuilder, { page }: WebsiteCapture) {
  const both = [checks.mixedContent, checks.insecureForm];
  if (!page.assessed) return found.cannotAssess(both, page.reason);
  if (!requireDocument(found, both, page.value) || !page.value.url.startsWith('https:')) return;
  const markup = readMarkup(page.value);
  if (markup.gap !== null) found.cannotAssess(both, markup.gap);
  if (upgradesRequests(page.value, markup)) return;
  const origin = originOf(page.value.url);
  for (const { element, url, active } of markup.resources.filter(isPlain)) {
    const place = withoutQuery(url);
    // Browsers upgrade or show images and media; scripts and frames can change the page.
    found.observe(
      checks.mixedContent,
      `${origin} ${element} ${scriptPlace(url)}`,
      `A <${element}> element loads ${quoted(place)}.`,
      ...(active ? [] : (['low'] as const)),
    );
  }
  for (const action of markup.formActions.filter(url => url.startsWith('http:'))) {
    const place = withoutQuery(action);
    found.observe(
      checks.insecureForm,
      `${origin} form ${scriptPlace(action)}`,
      `A form submits to ${quoted(place)}.`,
    );
  }
}

function isPlain({ url }: { url: string }): boolean {
  return url.startsWith('http:');
}

function upgradesRequests(page: HttpResponse, markup: Markup): boolean {
  const policies = separatePolicies([...headerValues(page, 'content-security-policy'), ...markup.policies]);
  return policies.some(policy => directivesOf(policy).has('upgrade-insecure-requests'));
}

function detectPlainLogin(found: DetectionBuilder, { http, page }: WebsiteCapture): void {
  const both = [checks.passwordOverHttp, checks.basicAuthOverHttp];
  const requestsLogin = http.assessed && http.value.responses.at(-1)?.status === 401;
  requireHttpVisit(found, requestsLogin ? [checks.passwordOverHttp] : both, { http });
  const responses = [...(http.assessed ? http.value.responses : []), ...(page.assessed ? [page.value] : [])];
  // Plain HTTP may not have led to a readable page; a login form found on the way still counts.
  if (!page.assessed) found.cannotAssess([checks.passwordOverHttp], page.reason);
  else requireDocument(found, [checks.passwordOverHttp], page.value);
  for (const response of responses.filter(isPlain)) {
    const place = withoutQuery(response.url);
    const isEnd = redirectTarget(response) === null;
    const gap = isEnd
      ? (response.body_unread ?? (isMarkup(response) ? readMarkup(response).gap : null))
      : null;
    if (gap !== null) found.cannotAssess([checks.passwordOverHttp], gap);
    // Login forms are often served with status 401 or 403.
    if (isMarkup(response) && readMarkup(response).hasPasswordField) {
      found.observe(
        checks.passwordOverHttp,
        place,
        'A page with a password field is served over plain HTTP.',
      );
    }
    const challenges = headerValues(response, 'www-authenticate');
    if (response.status === 401 && challenges.some(value => /^\s*basic\b/i.test(value))) {
      found.observe(
        checks.basicAuthOverHttp,
        place,
        'The response over plain HTTP requests Basic authentication.',
      );
    }
  }
}
