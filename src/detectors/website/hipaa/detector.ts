import type { HttpResponse, WebsiteCapture } from '../../../captures/website.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { readMarkup } from '../markup.ts';
import { pageSubject } from '../page-subject.ts';
import {
  errorPageReason,
  headerValues,
  httpOrigin,
  httpsOrigin,
  isDocument,
  isErrorPage,
  originOf,
  requireDocument,
  withoutQuery,
} from '../response.ts';
import { scriptPlace } from '../script-place.ts';
import { undecidedOverHttp } from '../visits.ts';
import { hipaaChecks as checks } from './checks.ts';
import {
  collectsIdentity,
  collectsPersonalData,
  sensitiveName,
  sensitiveParameters,
} from './identity-names.ts';
import { linksPrivacyNotice } from './privacy-notice.ts';
import { trackersOf, trackersOfScript } from './trackers.ts';

/**
 * Trackers, health data in URLs, insecure forms, caching and the privacy notice, which the HIPAA rules
 * address.
 */
export const hipaaDetector: Detector<WebsiteCapture> = {
  name: 'website.hipaa',
  surface: 'website',
  reads: ['scripts'],
  checks: Object.values(checks),
  perSubject: pageSubject(Object.values(checks)),
  detect: detecting((found, capture) => {
    const { authenticatedPageCacheable, identityFormInsecure, ...ofDocument } = checks;
    detectForms(found, capture);
    detectCaching(found, capture);
    if (!capture.page.assessed) return found.cannotAssess(Object.values(ofDocument), capture.page.reason);
    const page = capture.page.value;
    if (!requireDocument(found, Object.values(ofDocument), page)) return;
    const { gap } = readMarkup(page);
    if (gap !== null) found.cannotAssess(Object.values(ofDocument), gap);
    detectTrackers(found, page, capture);
    detectAddresses(found, page);
    detectNotice(found, page);
  }),
};

const ways = {
  loaded: (name: string, host: string) => `The page loads ${name} from ${host}.`,
  inline: (name: string) => `An inline script starts ${name}.`,
  waiting: (name: string, host: string) =>
    `The page loads ${name}${host && ` from ${host}`} for visitors who consent. Consent of this kind is not an authorization.`,
};

function detectTrackers(found: DetectionBuilder, page: HttpResponse, { scripts }: WebsiteCapture) {
  const origin = originOf(page.url);
  const { trackers, gap } = trackersOf(page);
  if (gap !== null) found.cannotAssess([checks.tracker, checks.sessionReplay], gap);
  for (const { vendor, how, host } of trackers) {
    const check = vendor.kind === 'replay' ? checks.sessionReplay : checks.tracker;
    const severity = how === 'waiting' ? (['medium'] as const) : [];
    found.observe(check, `${origin} ${vendor.key}`, ways[how](vendor.name, host), ...severity);
  }
  if (!scripts.assessed) return found.cannotAssess([checks.trackerInScript], scripts.reason);
  const onPage = new Set(trackers.map(({ vendor }) => vendor));
  for (const script of scripts.value) {
    const { vendors, gap } = trackersOfScript(script);
    if (gap !== null) found.cannotAssess([checks.trackerInScript], gap);
    for (const vendor of vendors) {
      if (onPage.has(vendor)) continue;
      found.observe(
        checks.trackerInScript,
        `${origin} ${vendor.key}`,
        `The script ${quoted(withoutQuery(script.url))} contains the ${vendor.name} snippet.`,
      );
    }
  }
}

function detectAddresses(found: DetectionBuilder, page: HttpResponse): void {
  const origin = originOf(page.url);
  const { links, resources, forms } = readMarkup(page);
  const addresses = [
    { what: 'The URL of the page', urls: [page.url] },
    { what: 'A link on the page', urls: links.map(({ url }) => url) },
    { what: 'A resource that the page loads', urls: resources.map(({ url }) => url) },
    { what: 'The target of a form', urls: forms.map(({ action }) => action) },
  ];
  for (const { what, urls } of addresses) {
    for (const name of urls.flatMap(sensitiveParameters)) {
      found.observe(checks.healthTermsInUrl, `${origin} ${name}`, `${what} has the parameter ${name}.`);
    }
  }
  for (const { fields } of forms.filter(({ method }) => method === 'get')) {
    for (const name of fields.map(field => sensitiveName(field.name))) {
      if (name === null) continue;
      found.observe(
        checks.healthTermsInUrl,
        `${origin} ${name}`,
        `A form on the page sends its field ${name} in the URL (GET).`,
      );
    }
  }
}

/** A page with fewer links has no navigation: it is built by scripts, a bare login or a placeholder. */
const fewLinks = 3;

function detectNotice(found: DetectionBuilder, page: HttpResponse) {
  const markup = readMarkup(page);
  // A part that was cut off, usually the footer, may contain it.
  if (markup.gap !== null || linksPrivacyNotice(markup)) return;
  if (markup.links.length >= fewLinks) {
    const collects = markup.forms.some(collectsPersonalData) || trackersOf(page).trackers.length > 0;
    const seen = 'No link on the page has text or a URL that names a privacy notice.';
    const place = originOf(page.url);
    if (collects) found.observe(checks.noPrivacyNotice, place, seen);
    else found.observe(checks.noPrivacyNotice, place, `${seen} The page collects no personal data.`, 'info');
    return;
  }
  const runsScripts =
    markup.inlineScripts.length > 0 || markup.resources.some(({ element }) => element === 'script');
  if (runsScripts) {
    const count = [null, '1 link', '2 links'][markup.links.length];
    const reason =
      count == null
        ? 'The markup of the page has no links, and its scripts may add some.'
        : `The markup of the page has only ${count}, and its scripts may add more.`;
    found.cannotAssess([checks.noPrivacyNotice], reason);
  }
}

function detectForms(found: DetectionBuilder, { http, page }: WebsiteCapture): void {
  const check = checks.identityFormInsecure;
  if (!page.assessed) found.cannotAssess([check], page.reason);
  else requireDocument(found, [check], page.value);
  const reason = undecidedOverHttp({ http });
  if (reason !== null) found.cannotAssess([check], reason);
  const visited = [...(page.assessed ? [page.value] : []), ...(http.assessed ? http.value.responses : [])];
  for (const { status, body_unread } of visited) {
    if (status < 300 && body_unread !== null) found.cannotAssess([check], body_unread);
  }
  for (const document of visited.filter(isDocument)) {
    const { gap } = readMarkup(document);
    if (gap !== null) found.cannotAssess([check], gap);
    for (const form of readMarkup(document).forms.filter(collectsIdentity)) {
      if (form.action.startsWith('mailto:')) continue;
      const action = /^https?:/.test(form.action) ? form.action : document.url;
      const target = withoutQuery(action);
      const isPlainPage = document.url.startsWith('http:');
      if (!isPlainPage && !form.action.startsWith('http:')) continue;
      found.observe(
        check,
        `${originOf(document.url)} form ${scriptPlace(action)}`,
        isPlainPage
          ? `A page over plain HTTP has a form that collects identity data and submits to ${quoted(target)}.`
          : `A form collects identity data and submits to ${quoted(target)}.`,
      );
    }
  }
}

/** Pages that start a session without the source's credential are `headers.cacheable_session`. */
function detectCaching(found: DetectionBuilder, capture: WebsiteCapture) {
  const check = checks.authenticatedPageCacheable;
  const page = pageBehindLogin(capture);
  if (typeof page === 'string') return found.cannotAssess([check], page);
  const values = headerValues(page, 'cache-control');
  const directives = values.flatMap(value => value.toLowerCase().split(','));
  if (directives.some(directive => /^\s{0,9}(?:no-store|private)\b/.test(directive))) return;
  found.observe(
    check,
    withoutQuery(page.url),
    values.length === 0
      ? 'The page, requested with the source’s credential, has no Cache-Control.'
      : `The page, requested with the source’s credential, has Cache-Control: ${quoted(values.join(', '))}.`,
  );
}

/** The page requested with the source's credential, or the reason why there is none. */
function pageBehindLogin({ page, credential, site }: WebsiteCapture): HttpResponse | string {
  if (!page.assessed) return page.reason;
  if (isErrorPage(page.value)) return errorPageReason(page.value);
  const origin = originOf(page.value.url);
  if (credential === 'none') return 'The source has no credential, so no page behind a login was requested.';
  if (credential === 'withheld')
    return 'The source’s credential was not sent, because the connection was not secure.';
  return origin === httpsOrigin(site) || origin === httpOrigin(site)
    ? page.value
    : 'The page is of another origin, to which the source’s credential is not sent.';
}
