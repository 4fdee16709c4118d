import { getDomain } from 'tldts';
import { type Assessment, notAssessed } from '../../captures/assessment.ts';
import { isTooLong, parseUrl } from '../../captures/page-addresses.ts';
import type { HttpResponse, Navigation } from '../../captures/website.ts';
import { TargetRefused } from '../connection/target-guard.ts';
import { BudgetSpent } from './budget.ts';
import { codeOf, errorCodeOf, isRefused, LimitReached, reasonFor, SiteDeclines } from './failure.ts';
import { type HttpClient, hostnameOf, isRedirect } from './http-client.ts';

const maxRedirects = 5;

/** Bytes of a document that are received and kept. */
const documentBytes = 2 * 1024 * 1024;

/** Header fields that are sent to one origin only. */
export interface OriginHeaders {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Visit {
  readonly navigation: Assessment<Navigation>;
  /** Why not even the first request was answered; null if it was. */
  readonly error: unknown;
}

/**
 * Requests a URL and follows redirects within the same site. Every host on the way must pass the target guard. A
 * credential is sent to its own origin only.
 */
export async function navigate(
  client: HttpClient,
  start: URL,
  credential: OriginHeaders | null,
): Promise<Visit> {
  const responses: HttpResponse[] = [];
  let url = start;
  try {
    while (true) {
      const response = await client.request(url, {
        depth: 'safe',
        ...requestFor(url, credential),
        readLimit: documentBytes,
        keepLimit: documentBytes,
        encoding: 'utf8',
      });
      responses.push(response);
      const next = redirectTarget(response);
      if (next === null) return done(responses, redirectsTooFar(response) ? 'address_too_long' : null);
      if (!isSameSite(hostnameOf(start), hostnameOf(next))) return done(responses, 'other_site');
      if (responses.length > maxRedirects) return done(responses, 'too_many_redirects');
      url = next;
    }
  } catch (error) {
    if (responses.length > 0) {
      return done(responses, error instanceof TargetRefused ? 'refused' : 'unreachable');
    }
    const navigation: Assessment<Navigation> = isNotServed(error)
      ? { assessed: true, value: { served: false, responses: [], stopped: null } }
      : notAssessed(reasonFor(error));
    return { navigation, error };
  }
}

/** The credential's header, with the required trusted certificate. */
export function requestFor(url: URL, credential: OriginHeaders | null) {
  return credential !== null && credential.origin === url.origin
    ? { headers: credential.headers, requireTrusted: url.protocol === 'https:' }
    : { headers: {}, requireTrusted: false };
}

function done(responses: HttpResponse[], stopped: Navigation['stopped']): Visit {
  return { navigation: { assessed: true, value: { served: true, responses, stopped } }, error: null };
}

/**
 * No connection, or a TLS server that answers plain HTTP with an alert; not a server that is slow or closes the
 * connection. Other invalid HTTP may be shown by browsers, although the scan cannot read it.
 */
function isNotServed(error: unknown): boolean {
  const isOurs = [BudgetSpent, TargetRefused, SiteDeclines, LimitReached].some(kind => error instanceof kind);
  if (isOurs) return false;
  // Firewalls drop packets to closed ports; the same host answered on another port.
  if (codeOf(error) === 'CONNECT_TIMEOUT') return true;
  const code = errorCodeOf(error);
  return isRefused(error) || code === 'tls_failed' || (code === 'http_invalid' && isTlsAlert(error));
}

/** Whether the answer was a TLS alert record (RFC 8446, 5.1). */
function isTlsAlert(error: unknown): boolean {
  return String((error as { data?: unknown }).data ?? '').startsWith('\x15\x03');
}

/** Where a response redirects to, or null if it does not redirect to http(s). */
export function redirectTarget(response: HttpResponse): URL | null {
  if (!isRedirect(response.status)) return null;
  const location = locationOf(response);
  const url = location === undefined ? null : parseUrl(location, response.url);
  if (url === null) return null;
  url.hash = '';
  url.username = '';
  url.password = '';
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : null;
}

const locationOf = ({ headers }: HttpResponse) => headers.find(([name]) => name === 'location')?.[1];

/** Whether a response redirects to a URL that is longer than the limit. */
function redirectsTooFar(response: HttpResponse): boolean {
  const location = locationOf(response);
  return isRedirect(response.status) && location !== undefined && isTooLong(location, response.url);
}

/** Whether two hosts belong to the same registrable domain; IP addresses and names without one must be equal. */
export function isSameSite(a: string, b: string): boolean {
  if (a === b) return true;
  const domain = getDomain(a, { allowPrivateDomains: true });
  return domain !== null && domain === getDomain(b, { allowPrivateDomains: true });
}
