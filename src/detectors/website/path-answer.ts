import type { Assessment } from '../../evidence/assessment.ts';
import type { HttpResponse, OriginExposure } from '../../evidence/website.ts';
import { challengeReason, isChallenge, redirectTarget } from './response.ts';

/** What a request for a path showed: nothing that everyone can read, content with the control of the origin that sent it, or neither. */
export type PathAnswer =
  | { readonly kind: 'absent' }
  | { readonly kind: 'content'; readonly response: HttpResponse; readonly control: Assessment<HttpResponse> }
  | { readonly kind: 'unknown'; readonly reason: string };

/** An answer, and what its origin answers for a path that does not exist. */
interface Answered {
  readonly response: Assessment<HttpResponse>;
  readonly control: Assessment<HttpResponse>;
}

/** Answers by the URLs that were requested. */
export type Asked = ReadonlyMap<string, Answered>;

export function askedOf(origins: readonly OriginExposure[]): Asked {
  return new Map(
    origins.flatMap(({ origin, control, probes }) =>
      probes.map(({ path, response }) => [origin + path, { response, control }] as const),
    ),
  );
}

const absent: PathAnswer = { kind: 'absent' };
const unknown = (reason: string): PathAnswer => ({ kind: 'unknown', reason });

/** Temporary by their meaning (RFC 9110, 15.5.9; RFC 8470, 5.2; RFC 6585, 4). */
const temporary = new Set([408, 425, 429]);

/**
 * Interprets the answer for one path. Only an answer that tells this path from the control, a path that does not exist, says that the
 * path is not readable: a firewall that refuses everything has shown nothing.
 *
 * @param asked a redirect to a path that was requested too has that path's answer
 */
export function answerOf(
  response: Assessment<HttpResponse>,
  { control }: Pick<OriginExposure, 'control'>,
  asked: Asked,
): PathAnswer {
  if (!response.assessed) return unknown(response.reason);
  const { value } = response;
  const { status } = value;
  if (isChallenge(value)) return unknown(challengeReason);
  if (status === 404 || status === 410 || status === 204 || status === 205) return absent;
  if (status < 300) return { kind: 'content', response: value, control };
  if (status >= 500 || temporary.has(status)) return unknown(`A path answers with status ${status}.`);
  if (status < 400) return redirected(value, control, asked);
  if (!control.assessed) return unknown(control.reason);
  return isRefusal(control.value)
    ? unknown(`Paths that do not exist answer with status ${control.value.status} too.`)
    : absent;
}

function isRefusal({ status }: HttpResponse): boolean {
  return status >= 400 && status !== 404 && status !== 410;
}

function redirected(response: HttpResponse, control: Assessment<HttpResponse>, asked: Asked): PathAnswer {
  const target = redirectTarget(response);
  if (target === null) return unknown(`A path answers with status ${response.status}.`);
  // What does not depend on the path is no answer about it: every path leads to a log-in or a start page.
  const ofControl = control.assessed ? redirectTarget(control.value) : null;
  if (ofControl !== null && placeOf(target) === placeOf(ofControl)) return absent;
  const there = asked.get(target);
  if (there?.response.assessed && redirectTarget(there.response.value) === null)
    return answerOf(there.response, there, new Map());
  return unknown('A path is redirected to an address that was not requested.');
}

function placeOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
