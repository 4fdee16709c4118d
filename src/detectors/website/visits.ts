import type { Assessment } from '../../captures/assessment.ts';
import { isGone } from '../../captures/statuses.ts';
import type { Navigation, WebsiteCapture } from '../../captures/website.ts';
import type { DetectionBuilder } from '../detection.ts';
import type { Check } from '../detector.ts';
import { errorPageReason, isErrorPage, redirectTarget } from './response.ts';
import { standInReason } from './stand-in.ts';

/** Where a visit ends: the target of the last redirect if it was not followed, otherwise the last URL. */
export function leadsTo(navigation: Navigation): string | null {
  const last = navigation.responses.at(-1);
  return last === undefined ? null : (redirectTarget(last) ?? last.url);
}

/**
 * Why a visit does not decide what the site serves, as a sentence: no response, or one of a firewall, a
 * failing server or a challenge instead of the site. Null if it decides.
 *
 * "Not found" decides: it concerns exactly this URL, and servers without pages over plain HTTP usually return
 * it. A port that refuses connections serves nothing.
 */
export function undecided(visit: Assessment<Navigation>): string | null {
  if (!visit.assessed) return visit.reason;
  const { responses, stopped } = visit.value;
  const last = responses.at(-1);
  if (last === undefined || stopped === 'other_site') return null;
  if (stopped !== null) return 'A redirect of the site could not be followed.';
  const { status, body, body_unread } = last;
  if (isGone(status)) return standInReason(last);
  if (isErrorPage(last)) return errorPageReason(last);
  if (status >= 300) return `The page returns status ${status}.`;
  if (body_unread !== null) return body_unread;
  return body.trim() === '' ? 'The page is empty.' : null;
}

/** The same for plain HTTP, which a redirect to HTTPS decides, whatever HTTPS returns. */
export function undecidedOverHttp({ http }: Pick<WebsiteCapture, 'http'>): string | null {
  return http.assessed && leadsTo(http.value)?.startsWith('https:') ? null : undecided(http);
}

/** Marks checks of plain HTTP as not assessed where the visit does not decide them. */
export function requireHttpVisit(
  found: DetectionBuilder,
  checks: readonly Check[],
  capture: Pick<WebsiteCapture, 'http'>,
) {
  const { http } = capture;
  if (http.assessed && http.value.stopped === 'closed')
    return found.doesNotApply(checks, 'The port supports only TLS and closes plain HTTP connections.');
  const reason = undecidedOverHttp(capture);
  if (reason !== null) found.cannotAssess(checks, reason);
}
