import type { WebsiteEvidence } from '../../../evidence/website.ts';
import type { DetectionBuilder } from '../../detection.ts';
import { headerValue, originOf } from '../response.ts';
import { cookiesSet, isSessionCookie } from '../session-cookie.ts';
import { headersChecks as checks } from './checks.ts';

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
  for (const { origin: asked, origin_kind, response } of evidence.cors.value) {
    if (!response.assessed) {
      found.cannotAssess(both, response.reason);
      continue;
    }
    const answer = response.value;
    const place = originOf(answer.url);
    const allowed = headerValue(answer, 'access-control-allow-origin')?.trim();
    // The only value with an effect is `true`, in this spelling.
    const withCredentials = headerValue(answer, 'access-control-allow-credentials')?.trim() === 'true';
    const setsSession = cookiesSet(answer, evidence.collected_at).some(({ name }) => isSessionCookie(name));
    if (allowed === asked && withCredentials) {
      found.observe(
        checks.reflectsOrigin,
        `${place} ${origin_kind}`,
        origin_kind === 'null'
          ? 'The answer permits the origin "null" with credentials, which any sandboxed frame can have.'
          : 'The answer permits a made-up foreign origin, with credentials.',
      );
    } else if (allowed === '*' && (withCredentials || setsSession || evidence.credential === 'sent')) {
      const because = setsSession
        ? 'sets a session cookie'
        : withCredentials
          ? 'permits credentials, which browsers refuse together'
          : 'was given to a logged-in request';
      found.observe(checks.wildcardCredentialed, place, `The answer permits every origin and ${because}.`);
    }
  }
}
