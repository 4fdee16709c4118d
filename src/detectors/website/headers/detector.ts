import type { HttpResponse, WebsiteCapture } from '../../../captures/website.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { allowsEverybody, frameAncestors, frameOptions, obeysFrameOptions } from '../frame-ancestors.ts';
import { type Markup, readMarkup } from '../markup.ts';
import { pageSubject } from '../page-subject.ts';
import {
  errorPageReason,
  headerValue,
  headerValues,
  isErrorPage,
  mediaType,
  originOf,
  requireDocument,
} from '../response.ts';
import { cookiesSet, isSessionCookie, setsTooManyCookies } from '../session-cookie.ts';
import { detectBanners } from './banners.ts';
import { headersChecks as checks } from './checks.ts';
import { detectCors } from './cors.ts';
import { parsePermissionsPolicy } from './permissions-policy.ts';

/** The page's response headers, and the site's permissions for scripts of other origins. */
export const headersDetector: Detector<WebsiteCapture> = {
  name: 'website.headers',
  surface: 'website',
  reads: ['cors'],
  checks: Object.values(checks),
  perSubject: pageSubject(Object.values(checks)),
  detect: detecting((found, capture) => {
    const { reflectsOrigin, wildcardCredentialed, ...ofPage } = checks;
    if (capture.page.assessed) {
      const page = capture.page.value;
      const origin = originOf(page.url);
      if (isErrorPage(page)) found.cannotAssess(Object.values(ofPage), errorPageReason(page));
      else detectContent(found, origin, page);
      const { framing, referrerPolicy, permissionsPolicy, isolation } = checks;
      const ofDocument = [framing, referrerPolicy, permissionsPolicy, isolation];
      if (requireDocument(found, ofDocument, page)) detectDocument(found, origin, page, readMarkup(page));
      detectCaching(found, origin, page, capture.collected_at);
      detectBanners(found, origin, page);
    } else {
      found.cannotAssess(Object.values(ofPage), capture.page.reason);
    }
    detectCors(found, capture);
  }),
};

function detectDocument(found: DetectionBuilder, origin: string, page: HttpResponse, markup: Markup): void {
  detectFraming(found, origin, page);
  detectReferrerPolicy(found, origin, page, markup);
  detectPermissions(found, origin, page);
  if (!isolates(page, 'cross-origin-opener-policy', openerPolicies)) {
    found.observe(
      checks.isolation,
      `${origin} opener`,
      'The page has no effective Cross-Origin-Opener-Policy.',
    );
  }
  if (!isolates(page, 'cross-origin-resource-policy', resourcePolicies)) {
    found.observe(
      checks.isolation,
      `${origin} resource`,
      'The page has no effective Cross-Origin-Resource-Policy.',
    );
  }
  if (!isolates(page, 'cross-origin-embedder-policy', embedderPolicies)) {
    // It breaks pages with third parties that do not support it, and adds the least protection.
    found.observe(
      checks.isolation,
      `${origin} embedder`,
      'The page has no effective Cross-Origin-Embedder-Policy.',
      'info',
    );
  }
}

function detectPermissions(found: DetectionBuilder, origin: string, page: HttpResponse) {
  const values = headerValues(page, 'permissions-policy');
  if (values.length === 0)
    return found.observe(checks.permissionsPolicy, origin, 'The page has no Permissions-Policy header.');
  const policy = parsePermissionsPolicy(values.join(', '));
  if (policy === null) {
    const seen = `Browsers ignore the whole header, because it is not valid: ${quoted(values.join(', '))}.`;
    return found.observe(checks.permissionsPolicy, origin, seen);
  }
  if (policy.open.length > 0) {
    const seen = `Every origin, in any frame, may use ${policy.open.slice(0, 5).join(', ')}.`;
    found.observe(checks.permissionsPolicy, origin, seen);
  }
}

/** An item of a structured field with parameters (RFC 9651, 3.1.2), such as where to report. An error makes browsers ignore it. */
const parameter =
  /; {0,9}[a-z*][a-z0-9_.*-]{0,60}(?:=(?:"[^"\\]{0,300}"|[A-Za-z*][\w!#$%&'*+.^`|~:/-]{0,200}|-?\d{1,15}|\?[01]))?/;
const withParameters = (values: string) => new RegExp(`^(?:${values})(?:${parameter.source}){0,9}$`);
const openerPolicies = withParameters('same-origin(?:-allow-popups)?|noopener-allow-popups');
const resourcePolicies = /^(?:same-origin|same-site|cross-origin)$/;
const embedderPolicies = withParameters('require-corp|credentialless');

/** Whether browsers obey the header: it must have one known value in lowercase (HTML, 7.1.3; Fetch, 3.7). */
function isolates(page: HttpResponse, name: string, known: RegExp): boolean {
  return known.test(headerValues(page, name).join(', '));
}

function detectFraming(found: DetectionBuilder, origin: string, page: HttpResponse): void {
  const ancestors = frameAncestors(page);
  if (ancestors.some(sources => !sources.some(allowsEverybody))) return;
  if (ancestors.length === 0 && obeysFrameOptions(page)) return;
  const seen =
    ancestors.length > 0
      ? 'frame-ancestors allows every site, and browsers ignore X-Frame-Options when it is present.'
      : frameOptions(page).length === 0
        ? 'The page has no frame-ancestors and no X-Frame-Options.'
        : `Browsers ignore X-Frame-Options: ${quoted(headerValues(page, 'x-frame-options').join(', '))}, and there is no frame-ancestors.`;
  found.observe(checks.framing, origin, seen);
}

/** A header's values in lowercase, from one list or several fields. */
function listed(page: HttpResponse, name: string): string[] {
  return headerValues(page, name)
    .flatMap(value => value.split(','))
    .map(value => value.trim().toLowerCase());
}

function detectReferrerPolicy(found: DetectionBuilder, origin: string, page: HttpResponse, markup: Markup) {
  // In a list, the last policy that a browser knows counts (Referrer Policy, 8.1). Only headers have lists.
  const ofMarkup = markup.referrerPolicies.map(word => olderNames.get(word) ?? word);
  const given = [...listed(page, 'referrer-policy'), ...ofMarkup];
  const policy = given.findLast(word => referrerPolicies.has(word));
  if (markup.elementGap !== null) found.cannotAssess([checks.referrerPolicy], markup.elementGap);
  if (!policy) {
    found.observe(
      checks.referrerPolicy,
      origin,
      given.length === 0
        ? 'The page has no Referrer-Policy, neither as a header nor as a meta element.'
        : `Browsers recognize none of the policies in ${quoted([...headerValues(page, 'referrer-policy'), ...ofMarkup].join(', '))}.`,
    );
  } else if (policy === 'unsafe-url' || policy === 'no-referrer-when-downgrade') {
    const seen = `The policy is ${policy}, which sends full URLs to other sites.`;
    found.observe(checks.referrerPolicy, origin, seen);
  } else if (policy === 'origin' || policy === 'origin-when-cross-origin') {
    const seen = `The policy is ${policy}, which sends the site’s origin also over plain HTTP.`;
    found.observe(checks.referrerPolicy, origin, seen, 'info');
  }
}

const referrerPolicies = new Set([
  ...['no-referrer', 'no-referrer-when-downgrade', 'same-origin', 'origin', 'strict-origin'],
  ...['origin-when-cross-origin', 'strict-origin-when-cross-origin', 'unsafe-url'],
]);

/** Names in meta elements that browsers still know (HTML, 4.2.5.1). */
const olderNames = new Map([
  ['never', 'no-referrer'],
  ['default', 'strict-origin-when-cross-origin'],
  ['always', 'unsafe-url'],
  ['origin-when-crossorigin', 'origin-when-cross-origin'],
]);

function detectContent(found: DetectionBuilder, origin: string, page: HttpResponse) {
  if (listed(page, 'x-content-type-options')[0] !== 'nosniff') {
    found.observe(checks.nosniff, origin, 'The response has no X-Content-Type-Options: nosniff.');
  }
  const type = headerValue(page, 'content-type');
  if (type === undefined)
    return found.observe(checks.contentType, origin, 'The response has no Content-Type.');
  const isHtml = mediaType(page) === 'text/html';
  const startsWithMark = page.body.charCodeAt(0) === 0xfeff;
  if (isHtml && !/charset=/i.test(type) && !startsWithMark && !readMarkup(page).declaresCharset) {
    found.observe(checks.contentType, origin, `The page declares no character encoding: ${quoted(type)}.`);
  }
}

function detectCaching(found: DetectionBuilder, origin: string, page: HttpResponse, now: string): void {
  if (setsTooManyCookies(page)) {
    found.cannotAssess([checks.cacheableSession], 'The response sets more cookies than the scan reads.');
  }
  if (!cookiesSet(page, now).some(isSessionCookie)) return;
  const directives = headerValues(page, 'cache-control').join(',');
  if (/no-store|private|no-cache/i.test(directives)) return;
  found.observe(
    checks.cacheableSession,
    origin,
    directives === ''
      ? 'The response sets a session cookie and has no Cache-Control.'
      : `The response sets a session cookie and has Cache-Control: ${quoted(directives)}.`,
  );
}
