import type { Assessment } from '../../captures/assessment.ts';
import { isGone, isRefusal } from '../../captures/statuses.ts';
import type { HttpResponse, OriginExposure, WebsiteCapture } from '../../captures/website.ts';
import { readMarkup } from './markup.ts';
import { headerValue, isErrorPage, mediaType, redirectTarget, temporary } from './response.ts';
import { isMarkup } from './shown-as-html.ts';
import { standInReason } from './stand-in.ts';

/** An origin's responses for paths that do not exist, before and after the others. */
export type Controls = Pick<OriginExposure, 'control' | 'control_after'>;

/** The result of a request for a path: nothing public, content with the controls of its origin, or undecided. */
export type PathAnswer =
  | { readonly kind: 'absent' }
  | { readonly kind: 'content'; readonly response: HttpResponse; readonly controls: Controls }
  | { readonly kind: 'unknown'; readonly reason: string };

interface Answered extends Controls {
  readonly response: Assessment<HttpResponse>;
}

/** Further context of a scan. */
export interface Asked {
  /** Responses by requested URL. */
  readonly answers: ReadonlyMap<string, Answered>;
  /** Where the front page itself redirects to, without queries: existing paths may redirect there too. */
  readonly walls: ReadonlySet<string>;
  /** Hosts on the redirects to the page. */
  readonly hosts: ReadonlySet<string>;
}

export function askedOf(
  { https, http }: Pick<WebsiteCapture, 'https' | 'http'>,
  origins: readonly OriginExposure[],
): Asked {
  const answers = origins.flatMap(({ origin, control, control_after, probes }) =>
    probes.map(({ path, response }) => [origin + path, { response, control, control_after }] as const),
  );
  const visits = [https, http].flatMap(visit => (visit.assessed ? visit.value.responses : []));
  const places = [...visits.map(({ url }) => url), ...origins.map(({ origin }) => origin)];
  return {
    answers: new Map(answers),
    walls: new Set([...wallsOf(https), ...wallsOf(http)]),
    hosts: new Set(places.flatMap(place => (URL.canParse(place) ? [new URL(place).hostname] : []))),
  };
}

/** Redirects that say nothing about a path. A login protects every path, and sites redirect unknown paths to their root page. */
function wallsOf(visit: WebsiteCapture['https']): string[] {
  const responses = visit.assessed ? visit.value.responses : [];
  const last = responses.at(-1);
  if (last === undefined || isLogin(last)) return [];
  const targets = responses.map(redirectTarget).filter(target => target !== null);
  const isRoot = (target: string) =>
    target === last.url && !isErrorPage(last) && new URL(target).pathname === '/';
  return targets.filter(target => !isRoot(target)).map(placeOf);
}

function isLogin(response: HttpResponse): boolean {
  const challenges = response.status === 401 && headerValue(response, 'www-authenticate') !== undefined;
  return challenges || (isMarkup(response) && readMarkup(response).hasPasswordField);
}

const absent: PathAnswer = { kind: 'absent' };
const unknown = (reason: string): PathAnswer => ({ kind: 'unknown', reason });

/**
 * Interprets the response for one path. A path is absent only if its response differs from the controls, paths that do not exist: a
 * firewall that refuses everything decides nothing.
 *
 * @param asked a redirect to another requested path has that path's response
 */
export function answerOf(response: Assessment<HttpResponse>, controls: Controls, asked: Asked): PathAnswer {
  if (!response.assessed) return unknown(response.reason);
  const { value } = response;
  const { status } = value;
  const standIn = standInReason(value);
  if (standIn !== null) return unknown(standIn);
  if (isGone(status)) return absent;
  if ([200, 203, 206].includes(status)) return { kind: 'content', response: value, controls };
  if (status >= 300 && status < 400) return redirected(value, controls, asked);
  // Other statuses concern the request, or come from a service in front of the site.
  if (!isRefusal(status)) return unknown(`A path returns status ${status}.`);
  const change = changeOf(controls);
  if (change !== null) return unknown(change);
  const { control } = controls;
  return control.assessed && kindOf(control.value) !== 'not found' && control.value.status >= 400
    ? unknown(`Paths that do not exist also return status ${control.value.status}.`)
    : absent;
}

function redirected(response: HttpResponse, controls: Controls, asked: Asked): PathAnswer {
  const target = redirectTarget(response);
  if (target === null) return unknown(`A path returns status ${response.status}.`);
  // A redirect that all paths have, such as to a login or start page, says nothing about this one.
  const ofControl = controls.control.assessed ? redirectTarget(controls.control.value) : null;
  if (ofControl !== null && placeOf(target) === placeOf(ofControl)) {
    const reason = changeOf(controls) ?? wallReason(placeOf(target), asked);
    return reason === null ? absent : unknown(reason);
  }
  const there = asked.answers.get(target);
  if (there?.response.assessed && redirectTarget(there.response.value) === null)
    return answerOf(there.response, there, { ...asked, answers: new Map() });
  return unknown('A path redirects to a URL that the scan did not request.');
}

/** Words in URLs to which sites redirect missing paths: an error page, a start page, a login. */
const usualName =
  /^\/$|(?:^|[/_.-])(?:40[34]|not[-_]?found|nicht[-_]?gefunden|errors?|index|home|start|default|welcome|log-?in|log-?on|sign-?in|auth|oauth2?|sso|saml2?|cas|account|session|users?|anmelden|connexion|entrar)(?:[/_.-]|$)|^\/[a-z]{2}(?:[-_][a-z]{2})?\/?$/i;

/** Why a redirect that all paths have does not decide a path. Null where it means that the path does not exist. */
function wallReason(place: string, { walls, hosts }: Asked): string | null {
  if (walls.has(place)) return 'The front page and all paths redirect to the same URL.';
  const { hostname, pathname } = new URL(place);
  return usualName.test(pathname) && (pathname !== '/' || hosts.has(hostname))
    ? null
    : 'All paths redirect to the same URL, whose content is unknown.';
}

function placeOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/**
 * Why only explicit responses between the two controls ("not found", or the file's content) count: the site may have started to block
 * the scan. Null where both controls have the same kind of response.
 */
export function changeOf({ control, control_after }: Controls): string | null {
  if (!control.assessed) return control.reason;
  if (!control_after.assessed)
    return `The scan could not compare responses at its end. ${control_after.reason}`;
  const [before, after] = [control.value, control_after.value];
  const isSame = kindOf(before) === kindOf(after) && areAlike(before, after);
  return isSame ? null : 'The site’s responses changed during the scan, perhaps to block it.';
}

function kindOf(response: HttpResponse): string {
  const { status, url } = response;
  const standIn = standInReason(response);
  if (standIn !== null) return standIn;
  if (isGone(status)) return 'not found';
  if (status >= 500 || temporary.has(status)) return 'failed';
  if (status >= 400) return 'refused';
  if (status < 300) return `content ${mediaType(response)}`;
  const target = redirectTarget(response);
  return `redirect ${target === null ? '' : placeOf(target).replace(new URL(url).pathname, '/')}`;
}

/** Error pages vary a little. A block page instead of an application has a different length. */
function areAlike(a: HttpResponse, b: HttpResponse): boolean {
  if (a.status >= 300) return true;
  return Math.max(a.body.length, b.body.length) <= 2 * Math.min(a.body.length, b.body.length);
}
