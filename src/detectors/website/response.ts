import { mediaTypeOf } from '../../captures/media-type.ts';
import { parseUrl } from '../../captures/page-addresses.ts';
import type { HttpResponse, WebsiteSite } from '../../captures/website.ts';
import type { DetectionBuilder } from '../detection.ts';
import type { Check } from '../detector.ts';
import { beginningOf } from '../mask-secrets.ts';
import { isMarkup } from './shown-as-html.ts';
import { standInReason, unbuiltReason } from './stand-in.ts';

/**
 * All values of a header field, in order. Characters that only JavaScript treats as spaces are replaced,
 * because browsers do not.
 *
 * @param name in lowercase
 */
export function headerValues(response: HttpResponse, name: string): string[] {
  return response.headers
    .filter(([field]) => field === name)
    .map(([, value]) => value.replace(/[^\S\t\n\f\r ]/g, '\ufffd'));
}

/** The first value of a header field. @param name in lowercase */
export function headerValue(response: HttpResponse, name: string): string | undefined {
  return headerValues(response, name)[0];
}

/** The media type without parameters, in lowercase; empty if there is none. */
export function mediaType(response: HttpResponse): string {
  return mediaTypeOf(response.headers);
}

/** Whether the response is an HTML document of the site, not a redirect or an error. */
export function isDocument(response: HttpResponse): boolean {
  return response.status < 300 && isMarkup(response) && standInReason(response) === null;
}

/**
 * Error pages, bot protection pages and stubs that only redirect say nothing about the site's documents: neither that they lack a
 * header nor that they have it.
 */
export function isErrorPage(response: HttpResponse): boolean {
  return (
    response.status >= 400 ||
    response.status === 202 ||
    (standInReason(response) ?? unbuiltReason(response)) !== null ||
    isBlank(response)
  );
}

/** HTML without content, which servers return before or instead of a page. */
export function isBlank({ body }: HttpResponse): boolean {
  return body.length < 500 && body.trim() !== '' && blank.test(body);
}

const blank =
  /^(?:<!doctype html>|<!--(?:[^-]|-[^-])*-->|<\/?(?:html|head|body|p|div|br)(?: [\w-]{1,20}="[\w-]{0,20}")?>|<title><\/title>|<meta charset="?[\w-]{1,20}"?>|\s)+$/i;

/** The response of nginx to clients without a certificate. */
const certificateMark = 'No required SSL certificate was sent';

export function errorPageReason(response: HttpResponse): string {
  if (response.status === 400 && response.body.includes(certificateMark))
    return 'The server requires a client certificate.';
  const reason = standInReason(response) ?? unbuiltReason(response);
  if (reason !== null) return reason;
  return isBlank(response) ? 'The page is empty.' : `The page returns status ${response.status}.`;
}

/** Statuses that are temporary by definition (RFC 9110, 15.5.9; RFC 8470, 5.2; RFC 6585, 4). */
export const temporary: ReadonlySet<number> = new Set([408, 425, 429]);

/** Why a page, script or file that was not read completely is undecided. */
export const unreadReason = (what: 'page' | 'script' | 'file') =>
  `A ${what} is too long for the scan to read, or its response ends early.`;

export const leftOutReason =
  'The page contains more URLs than the scan requests, or could not be read completely.';

/**
 * Whether the page is a document. If not, marks the checks that read documents as not assessed, with the reason: an error page says
 * nothing about the site's documents, and other media types have no scripts, forms or links.
 */
export function requireDocument(found: DetectionBuilder, checks: readonly Check[], page: HttpResponse) {
  if (isErrorPage(page)) found.cannotAssess(checks, errorPageReason(page));
  else if (!isMarkup(page)) found.doesNotApply(checks, 'The page is not an HTML document.');
  return isDocument(page);
}

/** Scheme, host and port: where findings about a whole site are located. */
export function originOf(url: string): string {
  return new URL(url).origin;
}

/** Scheme, host, port and path. Queries and path parameters may be volatile or secret. */
export function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return beginningOf(`${origin}${pathname.split(';', 1)[0]}`, 300);
}

/** The origin of the site's HTTPS service. */
export function httpsOrigin(site: WebsiteSite): string {
  return siteOrigin('https', site.hostname, site.https_port ?? 443);
}

/** The origin of the site's plain HTTP service. */
export function httpOrigin(site: WebsiteSite): string {
  return siteOrigin('http', site.hostname, site.http_port ?? 80);
}

function siteOrigin(scheme: string, hostname: string, port: number): string {
  return new URL(`${scheme}://${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`).origin;
}

/** The target of a redirect; null if the response is not one. */
export function redirectTarget(response: HttpResponse): string | null {
  const location = headerValue(response, 'location');
  const isRedirect = [301, 302, 303, 307, 308].includes(response.status);
  return !isRedirect || location === undefined ? null : (parseUrl(location, response.url)?.href ?? null);
}
