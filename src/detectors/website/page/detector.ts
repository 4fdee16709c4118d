import type { Assessment } from '../../../captures/assessment.ts';
import { parseUrl } from '../../../captures/page-addresses.ts';
import { readTags } from '../../../captures/read-tags.ts';
import type { HttpResponse, WebsiteCapture } from '../../../captures/website.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { readMarkup } from '../markup.ts';
import { pageSubject } from '../page-subject.ts';
import { answerOf, askedOf, type Controls, changeOf } from '../path-answer.ts';
import {
  errorPageReason,
  isBlank,
  isErrorPage,
  leftOutReason,
  originOf,
  requireDocument,
  unreadReason,
  withoutQuery,
} from '../response.ts';
import { isMarkup } from '../shown-as-html.ts';
import { standInReason } from '../stand-in.ts';
import { isUsualPage } from '../usual-page.ts';
import { pageChecks as checks } from './checks.ts';
import { type Entries, isListing, listingServer } from './directory-listings.ts';
import { errorPageOf } from './error-pages.ts';
import { privateAddresses } from './private-addresses.ts';
import { hostsWithoutIntegrity, isChanging, siteOf, takenOverName } from './third-party.ts';

const { noIntegrity, takenOverHost, opener, privateAddress } = checks;
const ofDocument = [noIntegrity, takenOverHost, opener, privateAddress];

/** Third-party content, and information that the page reveals. */
export const pageDetector: Detector<WebsiteCapture> = {
  name: 'website.page',
  surface: 'website',
  reads: ['exposure'],
  checks: Object.values(checks),
  perSubject: pageSubject([...ofDocument, checks.errorDetails]),
  detect: detecting((found, capture) => {
    detectContent(found, capture.page);
    detectErrorDetails(found, capture);
    detectListings(found, capture);
  }),
};

function detectContent(found: DetectionBuilder, page: Assessment<HttpResponse>) {
  if (!page.assessed) return found.cannotAssess(ofDocument, page.reason);
  const origin = originOf(page.value.url);
  for (const { place, address } of privateAddresses(page.value)) {
    found.observe(
      checks.privateAddress,
      `${origin} ${place}`,
      `${subjectOf(place)} contains ${quoted(address)}.`,
    );
  }
  if (!requireDocument(found, ofDocument, page.value)) return;
  const { gap } = readMarkup(page.value);
  if (gap !== null) found.cannotAssess(ofDocument, gap);
  detectThirdParties(found, origin, page.value);
}

function subjectOf(place: string): string {
  if (place.startsWith('header ')) return `The ${place}`;
  if (place === 'comment') return 'A comment in the page';
  return place === 'script' ? 'A script' : `A <${place}> element`;
}

function detectThirdParties(found: DetectionBuilder, origin: string, page: HttpResponse): void {
  const markup = readMarkup(page);
  for (const { url, active, loads } of markup.resources) {
    const name = active && loads ? takenOverName(new URL(url).hostname) : null;
    if (name !== null) {
      found.observe(checks.takenOverHost, `${origin} ${name}`, `The page loads content from ${name}.`);
    }
  }
  for (const { element, hostname } of hostsWithoutIntegrity(page.url, markup)) {
    const what = element === 'script' ? 'a script' : 'a style sheet';
    const place = `${origin} ${element} ${hostname}`;
    const sentence = `The page loads ${what} from ${quoted(hostname)} without an integrity hash`;
    if (isChanging(hostname)) {
      const because =
        'The vendor changes the file at any time, so no hash would work: limit it to the pages that need it';
      found.observe(checks.noIntegrity, place, `${sentence}. ${because}.`, 'low');
    } else {
      // A style sheet can only hide content and read some attributes; a script can do anything.
      const severity = element === 'link' ? (['low'] as const) : [];
      found.observe(checks.noIntegrity, place, `${sentence}.`, ...severity);
    }
  }
  const own = siteOf(new URL(page.url).hostname);
  for (const { url } of markup.links.filter(({ givesOpener }) => givesOpener)) {
    const { hostname } = new URL(url);
    if (!/^https?:/.test(url) || siteOf(hostname) === own) continue;
    const sentence = `A link with target=_blank and rel=opener goes to ${quoted(hostname)}.`;
    found.observe(checks.opener, `${origin} ${hostname}`, sentence);
  }
}

/** Checks the page, the redirects before it, and the response for a path that does not exist. */
function detectErrorDetails(found: DetectionBuilder, { https, http, page, exposure }: WebsiteCapture): void {
  const control: Assessment<HttpResponse> = exposure.assessed ? exposure.value.control : exposure;
  if (!control.assessed) found.cannotAssess([checks.errorDetails], control.reason);
  else if (isOfProxy(control.value)) {
    const reason =
      standInReason(control.value) ?? `A path that does not exist returns status ${control.value.status}.`;
    found.cannotAssess([checks.errorDetails], reason);
  }
  if (!page.assessed) found.cannotAssess([checks.errorDetails], page.reason);
  else if (isErrorPage(page.value)) found.cannotAssess([checks.errorDetails], errorPageReason(page.value));
  const responses = [
    ...(page.assessed ? [page.value] : []),
    ...(https.assessed ? https.value.responses : []),
    ...(http.assessed ? http.value.responses : []),
    ...(control.assessed ? [control.value] : []),
  ];
  for (const response of responses) {
    const error = errorPageOf(response);
    if (error === null) continue;
    const which =
      control.assessed && response === control.value
        ? 'The response for a path that does not exist is'
        : `The page, with status ${response.status}, is or contains`;
    const severity = error.severity === undefined ? [] : ([error.severity] as const);
    found.observe(
      checks.errorDetails,
      `${originOf(response.url)} ${error.key}`,
      `${which} ${error.what}.`,
      ...severity,
    );
  }
}

/** Error pages of a firewall or proxy say nothing about the site's own. */
function isOfProxy(response: HttpResponse): boolean {
  return standInReason(response) !== null || [403, 429, 502, 503, 504].includes(response.status);
}

/**
 * Why content that is not a listing does not rule one out. Null where it does: an empty page in a directory prevents a listing,
 * unless every path is empty.
 */
function undecidedDirectory(
  content: HttpResponse,
  { control, control_after }: Controls,
  page: Assessment<HttpResponse>,
): string | null {
  const change = changeOf({ control, control_after });
  if (change !== null) return change;
  if (isEmpty(content)) {
    const isUsual = control.assessed && control.value.status < 300 && isEmpty(control.value);
    return isUsual ? 'A path that does not exist has an empty response too.' : null;
  }
  if (leadsMostlyInto(content)) {
    return 'A directory’s response links to its contents, but is not a listing that the scan recognizes.';
  }
  return isUsualPage(content, control, page)
    ? null
    : 'A directory’s response is neither a page of the site nor a listing that the scan recognizes.';
}

/** Whether most links of a page in a directory go to its direct contents, and at most one elsewhere. */
function leadsMostlyInto(response: HttpResponse): boolean {
  const { below, elsewhere } = entriesOf(response);
  return below > 0 && elsewhere < 2;
}

/** Listings in an unknown format that are longer are not recognized. */
const longestListing = 512 * 1024;

/** The server that generated a listing, or that it is one in an unknown format; null if it is none. */
function listedBy(response: HttpResponse): string | null {
  const server = listingServer(response.body);
  if (server !== null) return `a directory listing in the format of ${server}`;
  if (response.body.length > longestListing || !isMarkup(response)) return null;
  const isOne = isListing(response.body, new URL(response.url).pathname, entriesOf(response));
  return isOne ? 'a list of the directory’s contents' : null;
}

function entriesOf({ url, body }: HttpResponse): Entries {
  const directory = url.slice(0, url.lastIndexOf('/') + 1);
  const counts = { below: 0, elsewhere: 0 };
  let hasParent = false;
  const titles = new Map<string, string>();
  let within: string | null = null;
  readTags(body, {
    onOpen(name, { href }) {
      if ((name === 'title' || name === 'h1') && !titles.has(name)) within = name;
      const address = name === 'a' && href !== undefined ? parseUrl(href, url) : null;
      if (address === null) return;
      const { origin, pathname } = address;
      const place = origin + pathname;
      // Every listing links to its sort orders and parent folders.
      if (directory.startsWith(place) || place === url) hasParent ||= place !== directory;
      else if (/^[^/]+\/?$/.test(place.startsWith(directory) ? place.slice(directory.length) : ''))
        counts.below += 1;
      else counts.elsewhere += 1;
    },
    onText(text) {
      if (within !== null) titles.set(within, ((titles.get(within) ?? '') + text).slice(0, 300));
    },
    onClose(name) {
      if (name === within) within = null;
    },
  });
  return { ...counts, hasParent, titles: [...titles.values()] };
}

const isEmpty = (response: HttpResponse) => response.body.trim() === '' || isBlank(response);

/** The page itself, and directories from which it loads something. */
function detectListings(found: DetectionBuilder, capture: WebsiteCapture): void {
  const { page, exposure } = capture;
  const check = checks.directoryListing;
  const origins = exposure.assessed ? [exposure.value, ...exposure.value.elsewhere] : [];
  const asked = askedOf(capture, origins);
  const control = exposure.assessed ? exposure.value.control : exposure;
  // A "not found" page is not a listing.
  if (page.assessed && page.value.status < 300 && isErrorPage(page.value))
    found.cannotAssess([check], errorPageReason(page.value));
  if (!exposure.assessed) found.cannotAssess([check], exposure.reason);
  else if (exposure.value.left_out.includes('directory')) found.cannotAssess([check], leftOutReason);
  const ofPage = page.assessed ? withoutQuery(page.value.url) : null;
  const answers = [
    // The page was requested before the paths, so the second control does not apply.
    {
      place: ofPage,
      answer: answerOf(page, { control, control_after: control }, asked),
      isPage: true,
      isNamed: false,
    },
    ...origins.flatMap(at =>
      at.probes
        .filter(({ kind, path }) => kind === 'directory' || (kind === 'named' && path.endsWith('/')))
        .map(({ path, kind, response }) => ({
          place: at.origin + path,
          answer: answerOf(response, at, asked),
          isPage: false,
          isNamed: kind === 'named',
        })),
    ),
  ];
  const looked: string[] = [];
  for (const { place, answer, isPage, isNamed } of answers) {
    const server = answer.kind === 'content' ? listedBy(answer.response) : null;
    const change =
      answer.kind === 'content' && !isPage && server === null
        ? undecidedDirectory(answer.response, answer.controls, page)
        : null;
    // What robots.txt names may be anything.
    if (isNamed && server === null && (answer.kind === 'unknown' || change !== null)) continue;
    if (answer.kind === 'unknown') {
      found.cannotAssess([check], answer.reason);
    } else if (change !== null) {
      found.cannotAssess([check], change);
    } else if (answer.kind === 'content' && server === null && answer.response.body_truncated) {
      found.cannotAssess([check], unreadReason('page'));
    } else if (place !== null) {
      looked.push(place);
      if (server === null) continue;
      const { pathname } = new URL(place);
      found.observe(check, place, `${quoted(pathname)} is ${server}.`);
    }
  }
  found.assessesOnly(check, looked);
}
