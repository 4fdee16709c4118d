import { pageTraits } from '../../../captures/own-answer.ts';
import type { CorsProbe, HttpResponse, WebsiteCapture } from '../../../captures/website.ts';
import type { DetectionBuilder } from '../../detection.ts';
import { errorPageReason, headerValue, isErrorPage, mediaType, originOf } from '../response.ts';
import { cookiesSet, isSessionCookie, setsTooManyCookies } from '../session-cookie.ts';
import { standInReason } from '../stand-in.ts';
import { headersChecks as checks } from './checks.ts';

const sentences: Record<CorsProbe['origin_kind'], string> = {
  foreign: 'The answer permits a made-up foreign origin, with credentials.',
  lookalike:
    'The answer permits a foreign origin that only begins with the name of the site, with credentials.',
  null: 'The answer permits the origin "null" with credentials, which any sandboxed frame can have.',
};

/**
 * What the site answered to requests that carried another site's origin. Permission without credentials opens
 * only what everyone can read anyway, unless the answer belongs to a session.
 */
export function detectCors(found: DetectionBuilder, capture: WebsiteCapture): void {
  const both = [checks.reflectsOrigin, checks.wildcardCredentialed];
  if (!capture.cors.assessed) {
    found.cannotAssess(both, capture.cors.reason);
    return;
  }
  const { page } = capture;
  if (page.assessed && isErrorPage(page.value)) found.cannotAssess(both, errorPageReason(page.value));
  let reflectsAny = false;
  for (const { origin: asked, origin_kind, response } of capture.cors.value) {
    if (!response.assessed) {
      found.cannotAssess(both, response.reason);
      continue;
    }
    const answer = response.value;
    const standIn = standInReason(answer);
    if (standIn !== null) found.cannotAssess(both, standIn);
    else if (page.assessed && !decides(page.value, answer)) {
      const reason = `A request with an Origin is answered with something else than the page (status ${answer.status}).`;
      found.cannotAssess(both, reason);
    }
    const place = originOf(answer.url);
    const allowed = headerValue(answer, 'access-control-allow-origin')?.trim();
    // The only value with an effect is `true`, in this spelling.
    const withCredentials = headerValue(answer, 'access-control-allow-credentials')?.trim() === 'true';
    if (setsTooManyCookies(answer))
      found.cannotAssess(both, 'The answer sets more cookies than the scan reads.');
    const setsSession = cookiesSet(answer, capture.collected_at).some(({ name }) => isSessionCookie(name));
    if (allowed === asked && withCredentials) {
      // Whoever takes any origin also takes the lookalike: that is one flaw, not two.
      if (origin_kind === 'lookalike' && reflectsAny) continue;
      reflectsAny ||= origin_kind === 'foreign';
      found.observe(checks.reflectsOrigin, `${place} ${origin_kind}`, sentences[origin_kind]);
    } else if (allowed === '*' && (withCredentials || setsSession || capture.credential === 'sent')) {
      const because = setsSession
        ? 'sets a session cookie'
        : withCredentials
          ? 'permits credentials, which browsers refuse together'
          : 'was given to a logged-in request';
      const isOpen = setsSession || capture.credential === 'sent';
      found.observe(
        checks.wildcardCredentialed,
        place,
        `The answer permits every origin and ${because}.`,
        // A contradiction that has no effect until somebody resolves it in the wrong way.
        ...(isOpen ? [] : (['low'] as const)),
      );
    }
  }
}

/** The page, or a refusal of the origin: a redirect, an empty answer, an error or another page says nothing about the page. */
function decides(page: HttpResponse, answer: HttpResponse): boolean {
  if (answer.status >= 400) return refusals.has(answer.status);
  const isSameKind = answer.status === page.status && mediaType(answer) === mediaType(page);
  return isSameKind && titleOf(answer) === titleOf(page);
}

/** What servers answer to an origin that they do not admit. Other statuses are about the request, or of a service in front. */
const refusals: ReadonlySet<number> = new Set([400, 401, 403]);

/** Only letters: numbers change from one answer to the next, and other characters depend on the encoding. */
const titleOf = ({ status, body }: HttpResponse) =>
  pageTraits(status, body.slice(0, titleWithin), []).title.replace(/[^A-Za-z]+/g, '');
const titleWithin = 8_192;
