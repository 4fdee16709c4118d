import type { HttpResponse, WebsiteCapture } from '../../../captures/website.ts';
import { DetectionBuilder, quoted } from '../../detection.ts';
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
import { collectsIdentity, tellingName, tellingParameters } from './identity-names.ts';
import { linksPrivacyNotice } from './privacy-notice.ts';
import { trackersOf, trackersOfScript } from './trackers.ts';

/** What the privacy rule is about: who else learns of a visit, and what addresses, forms and caches give away. */
export const hipaaDetector: Detector<WebsiteCapture> = {
  name: 'website.hipaa',
  surface: 'website',
  reads: ['scripts'],
  checks: Object.values(checks),
  looksAtOne: pageSubject(Object.values(checks)),
  detect(capture) {
    const found = new DetectionBuilder();
    const { authenticatedPageCacheable, identityFormInsecure, ...ofDocument } = checks;
    detectForms(found, capture);
    detectCaching(found, capture);
    if (!capture.page.assessed) {
      found.cannotAssess(Object.values(ofDocument), capture.page.reason);
      return found.result();
    }
    const page = capture.page.value;
    if (!requireDocument(found, Object.values(ofDocument), page)) return found.result();
    const { gap } = readMarkup(page);
    if (gap !== null) found.cannotAssess(Object.values(ofDocument), gap);
    detectTrackers(found, page, capture);
    detectAddresses(found, page);
    detectNotice(found, page);
    return found.result();
  },
};

const ways = {
  loaded: (name: string, host: string) => `The page loads ${name} from ${host}.`,
  inline: (name: string) => `A script within the page starts ${name}.`,
  waiting: (name: string, host: string) =>
    `The page has ${name}${host && ` from ${host}`} ready for visitors who agree; consent of this kind is no authorization.`,
};

function detectTrackers(found: DetectionBuilder, page: HttpResponse, { scripts }: WebsiteCapture): void {
  const origin = originOf(page.url);
  const { trackers, gap } = trackersOf(page);
  if (gap !== null) found.cannotAssess([checks.tracker, checks.sessionReplay], gap);
  for (const { vendor, how, host } of trackers) {
    const check = vendor.kind === 'replay' ? checks.sessionReplay : checks.tracker;
    const severity = how === 'waiting' ? (['medium'] as const) : [];
    found.observe(check, `${origin} ${vendor.key}`, ways[how](vendor.name, host), ...severity);
  }
  if (!scripts.assessed) {
    found.cannotAssess([checks.trackerInScript], scripts.reason);
    return;
  }
  const onPage = new Set(trackers.map(({ vendor }) => vendor));
  for (const script of scripts.value) {
    const { vendors, gap } = trackersOfScript(script);
    if (gap !== null) found.cannotAssess([checks.trackerInScript], gap);
    for (const vendor of vendors) {
      if (onPage.has(vendor)) continue;
      found.observe(
        checks.trackerInScript,
        `${origin} ${vendor.key}`,
        `The script ${quoted(withoutQuery(script.url))} has the snippet of ${vendor.name}.`,
      );
    }
  }
}

function detectAddresses(found: DetectionBuilder, page: HttpResponse): void {
  const origin = originOf(page.url);
  const { links, resources, forms } = readMarkup(page);
  const addresses = [
    { what: 'The address of the page', urls: [page.url] },
    { what: 'A link of the page', urls: links.map(({ url }) => url) },
    { what: 'Something that the page loads', urls: resources.map(({ url }) => url) },
    { what: 'The target of a form', urls: forms.map(({ action }) => action) },
  ];
  for (const { what, urls } of addresses) {
    for (const name of urls.flatMap(tellingParameters)) {
      found.observe(checks.healthTermsInUrl, `${origin} ${name}`, `${what} has the parameter ${name}.`);
    }
  }
  for (const { fields } of forms.filter(({ method }) => method === 'get')) {
    for (const name of fields.map(field => tellingName(field.name))) {
      if (name === null) continue;
      found.observe(
        checks.healthTermsInUrl,
        `${origin} ${name}`,
        `A form of the page sends its field ${name} in the address (GET).`,
      );
    }
  }
}

/** Fewer links are no navigation: a page of scripts before they run, a bare log-in or a placeholder. */
const fewLinks = 3;

function detectNotice(found: DetectionBuilder, page: HttpResponse): void {
  const markup = readMarkup(page);
  // What was cut off, usually the footer, may have it.
  if (markup.gap !== null || linksPrivacyNotice(markup)) return;
  if (markup.links.length >= fewLinks) {
    found.observe(
      checks.noPrivacyNotice,
      originOf(page.url),
      'No link of the page says in its text or address that it leads to a privacy notice.',
    );
    return;
  }
  const runsScripts =
    markup.inlineScripts.length > 0 || markup.resources.some(({ element }) => element === 'script');
  if (runsScripts) {
    found.cannotAssess([checks.noPrivacyNotice], 'Scripts build the page: its links are not in the markup.');
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
          ? `A page over plain HTTP has a form that asks who somebody is and sends to ${quoted(target)}.`
          : `A form asks who somebody is and sends to ${quoted(target)}.`,
      );
    }
  }
}

/** Pages that begin a session without a credential of the source are `headers.cacheable_session`. */
function detectCaching(found: DetectionBuilder, capture: WebsiteCapture): void {
  const check = checks.authenticatedPageCacheable;
  const page = pageBehindLogIn(capture);
  if (typeof page === 'string') {
    found.cannotAssess([check], page);
    return;
  }
  const values = headerValues(page, 'cache-control');
  const directives = values.flatMap(value => value.toLowerCase().split(','));
  if (directives.some(directive => /^\s{0,9}(?:no-store|private)\b/.test(directive))) return;
  found.observe(
    check,
    withoutQuery(page.url),
    values.length === 0
      ? 'The page was asked for with the source’s credential and has no Cache-Control.'
      : `The page was asked for with the source’s credential and has Cache-Control: ${quoted(values.join(', '))}.`,
  );
}

/** The page that was seen with the source's credential, or the reason why there is none. */
function pageBehindLogIn({ page, credential, site }: WebsiteCapture): HttpResponse | string {
  if (!page.assessed) return page.reason;
  if (isErrorPage(page.value)) return errorPageReason(page.value);
  const origin = originOf(page.value.url);
  return credential === 'sent' && (origin === httpsOrigin(site) || origin === httpOrigin(site))
    ? page.value
    : 'The scan had no credential for the page, so it saw none behind a log-in.';
}
