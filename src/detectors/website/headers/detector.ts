import type { HttpResponse, WebsiteEvidence } from '../../../evidence/website.ts';
import { DetectionBuilder, quoted } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { allowsEverybody, frameAncestors } from '../frame-ancestors.ts';
import { type Markup, readMarkup } from '../markup.ts';
import {
  errorPageReason,
  headerValue,
  headerValues,
  isDocument,
  isErrorPage,
  mediaType,
  originOf,
} from '../response.ts';
import { cookiesSet, isSessionCookie, setsTooManyCookies } from '../session-cookie.ts';
import { detectBanners } from './banners.ts';
import { headersChecks as checks } from './checks.ts';
import { detectCors } from './cors.ts';

/** The page's response headers, and what the site permits to scripts of other origins. */
export const headersDetector: Detector<WebsiteEvidence> = {
  name: 'website.headers',
  surface: 'website',
  reads: ['cors'],
  checks: Object.values(checks),
  detect(evidence) {
    const found = new DetectionBuilder();
    const { reflectsOrigin, wildcardCredentialed, ...ofPage } = checks;
    if (evidence.page.assessed) {
      const page = evidence.page.value;
      const origin = originOf(page.url);
      if (isDocument(page)) detectDocument(found, origin, page, readMarkup(page));
      if (isErrorPage(page)) {
        const { framing, referrerPolicy, permissionsPolicy, isolation, nosniff, contentType } = checks;
        const ofContent = [framing, referrerPolicy, permissionsPolicy, isolation, nosniff, contentType];
        found.cannotAssess(ofContent, errorPageReason(page));
      } else if (page.body !== '') {
        // An empty answer has nothing that these headers would protect.
        detectContent(found, origin, page);
      }
      detectCaching(found, origin, page, evidence.collected_at);
      detectBanners(found, origin, page);
    } else {
      found.cannotAssess(Object.values(ofPage), evidence.page.reason);
    }
    detectCors(found, evidence);
    return found.result();
  },
};

function detectDocument(found: DetectionBuilder, origin: string, page: HttpResponse, markup: Markup): void {
  detectFraming(found, origin, page);
  detectReferrerPolicy(found, origin, page, markup);
  if (headerValue(page, 'permissions-policy') === undefined) {
    found.observe(checks.permissionsPolicy, origin, 'The page has no Permissions-Policy header.');
  }
  const opener = headerValue(page, 'cross-origin-opener-policy')?.trim().toLowerCase();
  if (opener === undefined || opener.startsWith('unsafe-none')) {
    found.observe(
      checks.isolation,
      `${origin} opener`,
      'The page has no effective Cross-Origin-Opener-Policy.',
    );
  }
  if (headerValue(page, 'cross-origin-resource-policy') === undefined) {
    found.observe(checks.isolation, `${origin} resource`, 'The page has no Cross-Origin-Resource-Policy.');
  }
  if (headerValue(page, 'cross-origin-embedder-policy') === undefined) {
    // It breaks pages whose third parties do not take part, and adds least: worth knowing, no more.
    found.observe(
      checks.isolation,
      `${origin} embedder`,
      'The page has no Cross-Origin-Embedder-Policy.',
      'info',
    );
  }
}

function detectFraming(found: DetectionBuilder, origin: string, page: HttpResponse): void {
  const ancestors = frameAncestors(page);
  if (ancestors.some(sources => !sources.some(allowsEverybody))) return;
  const options = listed(page, 'x-frame-options');
  const restricted = options.some(value => value === 'deny' || value === 'sameorigin');
  if (ancestors.length === 0 && restricted && new Set(options).size === 1) return;
  const seen =
    ancestors.length > 0
      ? 'frame-ancestors permits everybody, and where it is given browsers do not look at X-Frame-Options.'
      : options.length === 0
        ? 'The page has no frame-ancestors and no X-Frame-Options.'
        : `Browsers ignore X-Frame-Options: ${quoted(options.join(', '))}, and there is no frame-ancestors.`;
  found.observe(checks.framing, origin, seen);
}

/** A header's values in lower case, whether they came in one list or in several fields. */
function listed(page: HttpResponse, name: string): string[] {
  return headerValues(page, name)
    .flatMap(value => value.split(','))
    .map(value => value.trim().toLowerCase());
}

function detectReferrerPolicy(
  found: DetectionBuilder,
  origin: string,
  page: HttpResponse,
  markup: Markup,
): void {
  const ofHeaders = headerValues(page, 'referrer-policy').join(',');
  if (ofHeaders === '' && markup.gap !== null) found.cannotAssess([checks.referrerPolicy], markup.gap);
  const value = ofHeaders || markup.referrerPolicy;
  // A list is for browsers of different age: the last policy that is known counts.
  const policy = value?.split(',').at(-1)?.trim().toLowerCase();
  if (!policy) {
    found.observe(
      checks.referrerPolicy,
      origin,
      'The page has no Referrer-Policy, neither as a header nor as a meta element.',
    );
  } else if (policy === 'unsafe-url' || policy === 'no-referrer-when-downgrade') {
    found.observe(
      checks.referrerPolicy,
      origin,
      `The policy is ${policy}: full addresses go to other sites.`,
    );
  }
}

function detectContent(found: DetectionBuilder, origin: string, page: HttpResponse): void {
  if (listed(page, 'x-content-type-options')[0] !== 'nosniff') {
    found.observe(checks.nosniff, origin, 'The answer has no X-Content-Type-Options: nosniff.');
  }
  const type = headerValue(page, 'content-type');
  if (type === undefined) {
    found.observe(checks.contentType, origin, 'The answer has no Content-Type.');
    return;
  }
  const isHtml = mediaType(page) === 'text/html';
  const startsWithMark = page.body.charCodeAt(0) === 0xfeff;
  if (isHtml && !/charset=/i.test(type) && !startsWithMark && !readMarkup(page).declaresCharset) {
    found.observe(checks.contentType, origin, `The page declares no character encoding: ${quoted(type)}.`);
  }
}

function detectCaching(found: DetectionBuilder, origin: string, page: HttpResponse, now: string): void {
  if (setsTooManyCookies(page)) {
    found.cannotAssess([checks.cacheableSession], 'The answer sets more cookies than the scan reads.');
  }
  if (!cookiesSet(page, now).some(({ name }) => isSessionCookie(name))) return;
  const directives = headerValues(page, 'cache-control').join(',').toLowerCase();
  if (/no-store|private|no-cache/.test(directives)) return;
  found.observe(
    checks.cacheableSession,
    origin,
    directives === ''
      ? 'The answer sets a session cookie and has no Cache-Control.'
      : `The answer sets a session cookie and has Cache-Control: ${quoted(directives)}.`,
  );
}
