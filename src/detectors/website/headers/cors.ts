import type { CorsProbe, WebsiteEvidence } from '../../../evidence/website.ts';
import type { DetectionBuilder } from '../../detection.ts';
import { errorPageReason, headerValue, isChallenge, isErrorPage, originOf } from '../response.ts';
import { cookiesSet, isSessionCookie, setsTooManyCookies } from '../session-cookie.ts';
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
export function detectCors(found: DetectionBuilder, evidence: WebsiteEvidence): void {
  const both = [checks.reflectsOrigin, checks.wildcardCredentialed];
  if (!evidence.cors.assessed) {
    found.cannotAssess(both, evidence.cors.reason);
    return;
  }
  const { page } = evidence;
  if (page.assessed && isErrorPage(page.value)) found.cannotAssess(both, errorPageReason(page.value));
  let reflectsAny = false;
  for (const { origin: asked, origin_kind, response } of evidence.cors.value) {
    if (!response.assessed) {
      found.cannotAssess(both, response.reason);
      continue;
    }
    const answer = response.value;
    // A server may refuse foreign origins with a status of its own; one that fails has not decided.
    if (answer.status >= 500 || answer.status === 429 || isChallenge(answer))
      found.cannotAssess(both, errorPageReason(answer));
    const place = originOf(answer.url);
    const allowed = headerValue(answer, 'access-control-allow-origin')?.trim();
    // The only value with an effect is `true`, in this spelling.
    const withCredentials = headerValue(answer, 'access-control-allow-credentials')?.trim() === 'true';
    if (setsTooManyCookies(answer))
      found.cannotAssess(both, 'The answer sets more cookies than the scan reads.');
    const setsSession = cookiesSet(answer, evidence.collected_at).some(({ name }) => isSessionCookie(name));
    if (allowed === asked && withCredentials) {
      // Whoever takes any origin also takes the lookalike: that is one flaw, not two.
      if (origin_kind === 'lookalike' && reflectsAny) continue;
      reflectsAny ||= origin_kind === 'foreign';
      found.observe(checks.reflectsOrigin, `${place} ${origin_kind}`, sentences[origin_kind]);
    } else if (allowed === '*' && (withCredentials || setsSession || evidence.credential === 'sent')) {
      const because = setsSession
        ? 'sets a session cookie'
        : withCredentials
          ? 'permits credentials, which browsers refuse together'
          : 'was given to a logged-in request';
      const isOpen = setsSession || evidence.credential === 'sent';
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
