import type { Assessment } from '../../captures/assessment.ts';
import { isGone, isRefusal } from '../../captures/statuses.ts';
import type { HttpResponse, OriginExposure, WebsiteCapture } from '../../captures/website.ts';
import { readMarkup } from './markup.ts';
import { headerValue, isErrorPage, mediaType, redirectTarget, temporary } from './response.ts';
import { isMarkup } from './shown-as-html.ts';
import { standInReason } from './stand-in.ts';

/** What an origin answers for paths that do not exist, before and after the others. */
export type Controls = Pick<OriginExposure, 'control' | 'control_after'>;

/** What a request for a path showed: nothing that everyone can read, content with the controls of the origin that sent it, or neither. */
export type PathAnswer =
  | { readonly kind: 'absent' }
  | { readonly kind: 'content'; readonly response: HttpResponse; readonly controls: Controls }
  | { readonly kind: 'unknown'; readonly reason: string };

interface Answered extends Controls {
  readonly response: Assessment<HttpResponse>;
}

/** What a scan knows besides an answer and the controls. */
export interface Asked {
  /** Answers by the URLs that were requested. */
  readonly answers: ReadonlyMap<string, Answered>;
  /** To where the front page itself is redirected, without queries: every path may lead there, also those that exist. */
  readonly walls: ReadonlySet<string>;
  /** Names of the hosts that the way to the page leads over. */
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

/** A log-in lets nobody through to any path, and the root of the site, where it has a page, is where unknown paths are sent. */
function wallsOf(visit: WebsiteCapture['https']): string[] {
  const responses = visit.assessed ? visit.value.responses : [];
  const last = responses.at(-1);
  if (last === undefined || isLogIn(last)) return [];
  const targets = responses.map(redirectTarget).filter(target => target !== null);
  const isRoot = (target: string) =>
    target === last.url && !isErrorPage(last) && new URL(target).pathname === '/';
  return targets.filter(target => !isRoot(target)).map(placeOf);
}

function isLogIn(response: HttpResponse): boolean {
  const asks = response.status === 401 && headerValue(response, 'www-authenticate') !== undefined;
  return asks || (isMarkup(response) && readMarkup(response).hasPasswordField);
}

const absent: PathAnswer = { kind: 'absent' };
const unknown = (reason: string): PathAnswer => ({ kind: 'unknown', reason });

/**
 * Interprets the answer for one path. Only an answer that tells this path from the controls, paths that do not exist, says that the
 * path is not readable: a firewall that refuses everything has shown nothing.
 *
 * @param asked a redirect to a path that was requested too has that path's answer
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
  // Other statuses are about the request, or of a service in front of the site: they say nothing about the path.
  if (!isRefusal(status)) return unknown(`A path answers with status ${status}.`);
  const change = changeOf(controls);
  if (change !== null) return unknown(change);
  const { control } = controls;
  return control.assessed && kindOf(control.value) !== 'not found' && control.value.status >= 400
    ? unknown(`Paths that do not exist answer with status ${control.value.status} too.`)
    : absent;
}

function redirected(response: HttpResponse, controls: Controls, asked: Asked): PathAnswer {
  const target = redirectTarget(response);
  if (target === null) return unknown(`A path answers with status ${response.status}.`);
  // What does not depend on the path is no answer about it: every path leads to a log-in or a start page.
  const ofControl = controls.control.assessed ? redirectTarget(controls.control.value) : null;
  if (ofControl !== null && placeOf(target) === placeOf(ofControl)) {
    const reason = changeOf(controls) ?? wallReason(placeOf(target), asked);
    return reason === null ? absent : unknown(reason);
  }
  const there = asked.answers.get(target);
  if (there?.response.assessed && redirectTarget(there.response.value) === null)
    return answerOf(there.response, there, { ...asked, answers: new Map() });
  return unknown('A path is redirected to an address that was not requested.');
}

/** Words in addresses to which sites send who asks for what is not there: a page that says so, a start page, a log-in. */
const usualName =
  /^\/$|(?:^|[/_.-])(?:40[34]|not[-_]?found|nicht[-_]?gefunden|errors?|index|home|start|default|welcome|log-?in|log-?on|sign-?in|auth|oauth2?|sso|saml2?|cas|account|session|users?|anmelden|connexion|entrar)(?:[/_.-]|$)|^\/[a-z]{2}(?:[-_][a-z]{2})?\/?$/i;

/** Why a redirect to this place, which all paths have, tells nothing about a path. Null where it tells that the path is not there. */
function wallReason(place: string, { walls, hosts }: Asked): string | null {
  if (walls.has(place)) return 'The front page and all paths are redirected to the same address.';
  const { hostname, pathname } = new URL(place);
  return usualName.test(pathname) && (pathname !== '/' || hosts.has(hostname))
    ? null
    : 'All paths are redirected to the same address, whose content the scan does not know.';
}

function placeOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/**
 * Why the answers between the two controls decide nothing unless they say it themselves ("not found", or the content of the file): the
 * site may have begun to block the scan. Null where both controls have the same kind of answer.
 */
export function changeOf({ control, control_after }: Controls): string | null {
  if (!control.assessed) return control.reason;
  if (!control_after.assessed)
    return `The scan could not compare answers at its end. ${control_after.reason}`;
  const [before, after] = [control.value, control_after.value];
  const isSame = kindOf(before) === kindOf(after) && areAlike(before, after);
  return isSame ? null : 'The site began to answer differently during the scan, perhaps to block it.';
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

/** Pages for what does not exist vary a little. A block page in place of an application is of another length. */
function areAlike(a: HttpResponse, b: HttpResponse): boolean {
  if (a.status >= 300) return true;
  return Math.max(a.body.length, b.body.length) <= 2 * Math.min(a.body.length, b.body.length);
}
