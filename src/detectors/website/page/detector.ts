import type { Assessment } from '../../../captures/assessment.ts';
import { parseUrl } from '../../../captures/page-addresses.ts';
import { readTags } from '../../../captures/read-tags.ts';
import type { HttpResponse, WebsiteCapture } from '../../../captures/website.ts';
import { DetectionBuilder, quoted } from '../../detection.ts';
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
import { standInReason } from '../stand-in.ts';
import { isUsualPage } from '../usual-page.ts';
import { pageChecks as checks } from './checks.ts';
import { listingServer } from './directory-listings.ts';
import { errorPageOf } from './error-pages.ts';
import { privateAddresses } from './private-addresses.ts';
import { hostsWithoutIntegrity, isChanging, siteOf, takenOverName } from './third-party.ts';

const { noIntegrity, takenOverHost, opener, privateAddress } = checks;
const ofDocument = [noIntegrity, takenOverHost, opener, privateAddress];

/** What the page's content says: where its scripts come from, and what it tells that it should not. */
export const pageDetector: Detector<WebsiteCapture> = {
  name: 'website.page',
  surface: 'website',
  reads: ['exposure'],
  checks: Object.values(checks),
  looksAtOne: pageSubject([...ofDocument, checks.errorDetails]),
  detect(capture) {
    const found = new DetectionBuilder();
    detectContent(found, capture.page);
    detectErrorDetails(found, capture);
    detectListings(found, capture);
    return found.result();
  },
};

function detectContent(found: DetectionBuilder, page: Assessment<HttpResponse>): void {
  if (!page.assessed) {
    found.cannotAssess(ofDocument, page.reason);
    return;
  }
  const origin = originOf(page.value.url);
  for (const { place, address } of privateAddresses(page.value)) {
    found.observe(checks.privateAddress, `${origin} ${place}`, `${saidIn(place)} says ${quoted(address)}.`);
  }
  if (!requireDocument(found, ofDocument, page.value)) return;
  const { gap } = readMarkup(page.value);
  if (gap !== null) found.cannotAssess(ofDocument, gap);
  detectThirdParties(found, origin, page.value);
}

function saidIn(place: string): string {
  if (place.startsWith('header ')) return `The ${place}`;
  if (place === 'comment') return 'A comment in the page';
  return place === 'script' ? 'A script' : `An element <${place}>`;
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
        'the vendor changes it at will, so that no hash would hold: only the choice of pages helps';
      found.observe(checks.noIntegrity, place, `${sentence}; ${because}.`, 'low');
    } else {
      // A style sheet can hide and show, and tell what is in some attributes; a script can do anything.
      const severity = element === 'link' ? (['low'] as const) : [];
      found.observe(checks.noIntegrity, place, `${sentence}.`, ...severity);
    }
  }
  const own = siteOf(new URL(page.url).hostname);
  for (const { url } of markup.links.filter(({ givesOpener }) => givesOpener)) {
    const { hostname } = new URL(url);
    if (!/^https?:/.test(url) || siteOf(hostname) === own) continue;
    const sentence = `A link with target=_blank and rel=opener leads to ${quoted(hostname)}.`;
    found.observe(checks.opener, `${origin} ${hostname}`, sentence);
  }
}

/** The page, what was seen on the way to it, and the answer for a path that does not exist. */
function detectErrorDetails(found: DetectionBuilder, { https, http, page, exposure }: WebsiteCapture): void {
  const control: Assessment<HttpResponse> = exposure.assessed ? exposure.value.control : exposure;
  if (!control.assessed) found.cannotAssess([checks.errorDetails], control.reason);
  else if (isOfProxy(control.value))
    found.cannotAssess([checks.errorDetails], errorPageReason(control.value));
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
        ? 'The answer for a path that does not exist is'
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

/** An error page of a firewall or proxy in front of the site shows nothing about the site's own. */
function isOfProxy(response: HttpResponse): boolean {
  return standInReason(response) !== null || [403, 429, 502, 503, 504].includes(response.status);
}

/**
 * Why content that is no listing does not mean either that there is none. Null where it does: an empty page in a directory keeps
 * servers from listing it, unless every path is empty.
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
    return isUsual ? 'Every path has an empty answer.' : null;
  }
  if (leadsMostlyInto(content)) {
    return 'A directory answers with links to what is in it, perhaps a listing of a form that the scan does not know.';
  }
  return isUsualPage(content, control, page)
    ? null
    : 'A directory answers with neither a page of the site nor a listing of a form that the scan knows.';
}

/** Whether most links of a page in a directory lead to what is right below it, and hardly one to anywhere else. */
function leadsMostlyInto({ url, body }: HttpResponse): boolean {
  const directory = url.slice(0, url.lastIndexOf('/') + 1);
  let [below, elsewhere] = [0, 0];
  readTags(body, {
    onOpen(name, { href }) {
      const address = name === 'a' && href !== undefined ? parseUrl(href, url) : null;
      if (address === null) return;
      const { origin, pathname } = address;
      const place = origin + pathname;
      // Its own order, and the folders above it, are in every listing.
      if (directory.startsWith(place) || place === url) return;
      if (/^[^/]+\/?$/.test(place.startsWith(directory) ? place.slice(directory.length) : '')) below += 1;
      else elsewhere += 1;
    },
  });
  return below > 0 && elsewhere < 2;
}

const isEmpty = (response: HttpResponse) => response.body.trim() === '' || isBlank(response);

/** The page itself, and directories from which it loads something. */
function detectListings(found: DetectionBuilder, capture: WebsiteCapture): void {
  const { page, exposure } = capture;
  const check = checks.directoryListing;
  const origins = exposure.assessed ? [exposure.value, ...exposure.value.elsewhere] : [];
  const asked = askedOf(capture, origins);
  const control = exposure.assessed ? exposure.value.control : exposure;
  // "Not found" is no listing.
  if (page.assessed && page.value.status < 300 && isErrorPage(page.value))
    found.cannotAssess([check], errorPageReason(page.value));
  if (!exposure.assessed) found.cannotAssess([check], exposure.reason);
  else if (exposure.value.left_out.includes('directory')) found.cannotAssess([check], leftOutReason);
  const ofPage = page.assessed ? withoutQuery(page.value.url) : null;
  const answers = [
    // It was answered before any of the paths, of which the second control is the last.
    { place: ofPage, answer: answerOf(page, { control, control_after: control }, asked), isPage: true },
    ...origins.flatMap(at =>
      at.probes
        .filter(({ kind }) => kind === 'directory')
        .map(({ path, response }) => ({
          place: at.origin + path,
          answer: answerOf(response, at, asked),
          isPage: false,
        })),
    ),
  ];
  const looked: string[] = [];
  for (const { place, answer, isPage } of answers) {
    const server = answer.kind === 'content' ? listingServer(answer.response.body) : null;
    const change =
      answer.kind === 'content' && !isPage && server === null
        ? undecidedDirectory(answer.response, answer.controls, page)
        : null;
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
      found.observe(check, place, `${quoted(pathname)} is a listing of files, as ${server} writes it.`);
    }
  }
  found.looksOnlyAt(check, looked);
}
