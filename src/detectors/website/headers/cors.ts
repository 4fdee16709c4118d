import { pageTraits } from '../../../captures/own-answer.ts';
import type { CorsProbe, HttpResponse, WebsiteCapture } from '../../../captures/website.ts';
import type { DetectionBuilder } from '../../detection.ts';
import { errorPageReason, headerValue, isErrorPage, mediaType, originOf } from '../response.ts';
import { cookiesSet, isSessionCookie, setsTooManyCookies } from '../session-cookie.ts';
import { standInReason } from '../stand-in.ts';
import { headersChecks as checks } from './checks.ts';

const sentences: Record<CorsProbe['origin_kind'], string> = {
  foreign: 'The response allows an arbitrary foreign origin, with credentials.',
  lookalike: 'The response allows a foreign origin that only starts with the site’s name, with credentials.',
  null: 'The response allows the origin "null", which any sandboxed frame can have, with credentials.',
};

/**
 * The site's responses to requests with another site's origin. Without credentials, an allowed origin can
 * only read public content, unless the response belongs to a session.
 */
export function detectCors(found: DetectionBuilder, capture: WebsiteCapture) {
  const both = [checks.reflectsOrigin, checks.wildcardCredentialed];
  if (!capture.cors.assessed) return found.cannotAssess(both, capture.cors.reason);
  const { page } = capture;
  if (page.assessed && isErrorPage(page.value)) found.cannotAssess(both, errorPageReason(page.value));
  let reflectsAny = false;
  for (const { origin: sent, origin_kind, response } of capture.cors.value) {
    if (!response.assessed) {
      found.cannotAssess(both, response.reason);
      continue;
    }
    const answer = response.value;
    const standIn = standInReason(answer);
    if (standIn !== null) found.cannotAssess(both, standIn);
    else if (page.assessed && !decides(page.value, answer)) {
      const reason = `A request with an Origin header gets a different response than the page (status ${answer.status}).`;
      found.cannotAssess(both, reason);
    }
    const place = originOf(answer.url);
    const allowed = headerValue(answer, 'access-control-allow-origin')?.trim();
    // The only value with an effect is `true`, in this spelling.
    const withCredentials = headerValue(answer, 'access-control-allow-credentials')?.trim() === 'true';
    if (setsTooManyCookies(answer))
      found.cannotAssess(both, 'The response sets more cookies than the scan reads.');
    const setsSession = cookiesSet(answer, capture.collected_at).some(({ name }) => isSessionCookie(name));
    if (allowed === sent && withCredentials) {
      // A server that allows any origin also allows the lookalike: one finding, not two.
      if (origin_kind === 'lookalike' && reflectsAny) continue;
      reflectsAny ||= origin_kind === 'foreign';
      found.observe(checks.reflectsOrigin, `${place} ${origin_kind}`, sentences[origin_kind]);
    } else if (allowed === '*' && (withCredentials || setsSession || capture.credential === 'sent')) {
      const because = setsSession
        ? 'sets a session cookie'
        : withCredentials
          ? 'allows credentials, a combination that browsers reject'
          : 'answers a signed-in request';
      const isOpen = setsSession || capture.credential === 'sent';
      found.observe(
        checks.wildcardCredentialed,
        place,
        `The response allows every origin and ${because}.`,
        // The contradiction has no effect until someone fixes it the wrong way.
        ...(isOpen ? [] : (['low'] as const)),
      );
    }
  }
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
