import type { OriginKind } from '../../../captures/origin-kinds.ts';
import { pageTraits } from '../../../captures/own-answer.ts';
import { inFullScan, permissionOf, permissionOfOrigin } from '../../../captures/places.ts';
import type { CorsProbe, HttpResponse, WebsiteCapture } from '../../../captures/website.ts';
import type { Severity } from '../../../contract/severity.ts';
import type { DetectionBuilder } from '../../detection.ts';
import { errorPageReason, headerValue, isErrorPage, mediaType, originOf, withoutQuery } from '../response.ts';
import { cookiesSet, isSessionCookie, setsTooManyCookies } from '../session-cookie.ts';
import { standInReason } from '../stand-in.ts';
import { headersChecks as checks } from './checks.ts';

interface Allowed {
  /** After "allows". */
  readonly what: string;
  /** Lower where an attacker needs more than a website. */
  readonly severity?: Severity;
}

const allowed: Record<OriginKind, Allowed> = {
  foreign: { what: 'an arbitrary foreign origin' },
  similar: { what: 'a foreign origin that starts with the site’s name and ends with its domain' },
  lookalike: { what: 'a foreign origin that only starts with the site’s name' },
  suffix: { what: 'a foreign origin that only ends with the site’s domain' },
  dot: { what: 'a foreign origin that has another character instead of a dot in the site’s name' },
  subdomain: {
    what: 'every subdomain, so that one that is taken over or has a vulnerability can read this one',
    severity: 'low',
  },
  plain_http: {
    what: 'its own name without TLS, which anyone on the network can impersonate',
    severity: 'medium',
  },
  localhost: {
    what: 'http://localhost, which any program on the visitor’s machine can serve',
    severity: 'low',
  },
  null: { what: 'the origin "null", which any sandboxed frame can have' },
};

/** The kinds that include this one. A list may contain `null` although it refuses foreign origins. */
const impliedBy: Record<OriginKind, readonly OriginKind[]> = {
  foreign: [],
  null: [],
  similar: ['foreign', 'lookalike', 'suffix'],
  lookalike: ['foreign'],
  suffix: ['foreign'],
  dot: ['foreign', 'suffix'],
  subdomain: ['foreign', 'suffix'],
  plain_http: ['foreign', 'suffix'],
  localhost: ['foreign'],
};

/**
 * The site's responses to requests with another site's origin. Without credentials, an allowed origin can
 * only read public content, unless the response belongs to a session.
 */
export function detectCors(found: DetectionBuilder, capture: WebsiteCapture) {
  const both = [checks.reflectsOrigin, checks.wildcardCredentialed];
  if (!capture.cors.assessed) return found.cannotAssess(both, capture.cors.reason);
  const open: Open = new Map();
  const reflecting = new Map<string, boolean>();
  const wildcard = new Map<string, boolean>();
  for (const probe of capture.cors.value) {
    if (!probe.response.assessed) {
      found.cannotAssess(both, probe.response.reason);
      continue;
    }
    const answer = probe.response.value;
    const reason = undecidedAnswer(capture, probe.target, answer);
    if (reason !== null) found.cannotAssess(both, reason);
    detectPermission(found, capture, probe, answer, open);
    // An origin that is not allowed shows the same of all kinds that include it.
    const including = permits(answer, probe) ? [] : impliedBy[probe.origin_kind];
    const kinds = [
      ...[probe.origin_kind, ...including].map(kind => [reflecting, kind] as const),
      [wildcard, '*'] as const,
    ];
    for (const [places, kind] of kinds) {
      const place = placeOf(probe, answer, kind);
      places.set(place, (places.get(place) ?? true) && reason === null);
    }
  }
  // Other endpoints and origins may still have the permission.
  found.assessesOnly(checks.reflectsOrigin, decided(reflecting));
  found.assessesOnly(checks.wildcardCredentialed, decided(wildcard));
}

/** The only value of the second header with an effect is `true`, in this spelling. */
const permits = (answer: HttpResponse, { origin }: CorsProbe) =>
  headerValue(answer, 'access-control-allow-origin')?.trim() === origin &&
  headerValue(answer, 'access-control-allow-credentials')?.trim() === 'true';

const decided = (places: ReadonlyMap<string, boolean>) =>
  [...places].flatMap(([place, isDecided]) => (isDecided ? [place] : []));

type Kind = OriginKind | '*';

function placeOf({ target }: CorsProbe, { url }: HttpResponse, kind: Kind): string {
  if (target === 'page') return permissionOfOrigin(originOf(url), kind);
  const place = permissionOf({ url: withoutQuery(url), kind });
  // Browsers send a preflight by OPTIONS, and safe scans do not.
  return target === 'preflight' ? inFullScan(place) : place;
}

/** The kinds that were already observed, by the origin or the endpoint. */
type Open = Map<string, Set<Kind>>;

/**
 * Whether a permission is one that was already reported: servers often have one for all endpoints, which is one finding. An open
 * finding of an endpoint remains.
 */
function isKnown(
  open: Open,
  { is_open }: CorsProbe,
  { url }: HttpResponse,
  kind: Kind,
  included: readonly Kind[],
): boolean {
  const [ofOrigin, ofEndpoint] = [originOf(url), withoutQuery(url)].map(
    key => open.get(key) ?? new Set<Kind>(),
  );
  const known = is_open ? ofEndpoint! : ofOrigin!;
  const isReported = [kind, ...included].some(one => known.has(one));
  open.set(originOf(url), ofOrigin!.add(kind));
  open.set(withoutQuery(url), ofEndpoint!.add(kind));
  return isReported;
}

function undecidedAnswer(
  { page }: WebsiteCapture,
  target: CorsProbe['target'],
  answer: HttpResponse,
): string | null {
  if (setsTooManyCookies(answer)) return 'The response sets more cookies than the scan reads.';
  if (target !== 'page') {
    // An endpoint may require a session, and still answer with its permission.
    const isOther = answer.status === 403 || answer.status === 429 || answer.status >= 500;
    return isOther ? `An endpoint that the page calls returns status ${answer.status}.` : null;
  }
  return (
    (page.assessed && isErrorPage(page.value) ? errorPageReason(page.value) : null) ??
    standInReason(answer) ??
    (page.assessed && !decides(page.value, answer)
      ? `A request with an Origin header gets a different response than the page (status ${answer.status}).`
      : null)
  );
}

function detectPermission(
  found: DetectionBuilder,
  capture: WebsiteCapture,
  probe: CorsProbe,
  answer: HttpResponse,
  open: Open,
): void {
  const { target, origin_kind } = probe;
  const permitted = headerValue(answer, 'access-control-allow-origin')?.trim();
  const withCredentials = headerValue(answer, 'access-control-allow-credentials')?.trim() === 'true';
  const which = target === 'page' ? 'The response' : `The response of ${withoutQuery(answer.url)}`;
  if (permits(answer, probe)) {
    // A site that allows one kind of origin allows what it includes too: one finding, not two.
    if (isKnown(open, probe, answer, origin_kind, impliedBy[origin_kind])) return;
    const { what, severity } = allowed[origin_kind];
    const sentence = `${which} allows ${what}, with credentials.`;
    found.observe(checks.reflectsOrigin, placeOf(probe, answer, origin_kind), sentence, severity);
    return;
  }
  if (permitted !== '*') return;
  const setsSession = cookiesSet(answer, capture.collected_at).some(isSessionCookie);
  const isSignedIn = capture.credential === 'sent' && target === 'page';
  if (!withCredentials && !setsSession && !isSignedIn) return;
  const because = setsSession
    ? 'sets a session cookie'
    : withCredentials
      ? 'allows credentials, a combination that browsers reject'
      : 'answers a signed-in request';
  // The contradiction has no effect until someone fixes it the wrong way.
  const severity = setsSession || isSignedIn ? undefined : 'low';
  if (isKnown(open, probe, answer, '*', [])) return;
  const place = placeOf(probe, answer, '*');
  found.observe(checks.wildcardCredentialed, place, `${which} allows every origin and ${because}.`, severity);
}

/** Only the page itself, or a refusal of the origin, decides: a redirect, an empty response, an error or another page does not. */
function decides(page: HttpResponse, answer: HttpResponse): boolean {
  if (answer.status >= 400) return refusals.has(answer.status);
  const isSameKind = answer.status === page.status && mediaType(answer) === mediaType(page);
  return isSameKind && titleOf(answer) === titleOf(page);
}

/** Statuses with which servers refuse an origin. Others concern the request, or come from a service in front. */
const refusals: ReadonlySet<number> = new Set([400, 401, 403]);

/** Only letters: numbers change from one answer to the next, and other characters depend on the encoding. */
const titleOf = ({ status, body }: HttpResponse) =>
  pageTraits(status, body.slice(0, titleWithin), []).title.replace(/[^A-Za-z]+/g, '');
const titleWithin = 8_192;
