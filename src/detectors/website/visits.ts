import type { Assessment } from '../../captures/assessment.ts';
import { isGone } from '../../captures/statuses.ts';
import type { Navigation, WebsiteCapture } from '../../captures/website.ts';
import type { DetectionBuilder } from '../detection.ts';
import type { Check } from '../detector.ts';
import { errorPageReason, isErrorPage, redirectTarget } from './response.ts';
import { standInReason } from './stand-in.ts';

/** Where a visit ends: the last redirect's target if it was not followed, else the last address. */
export function leadsTo(navigation: Navigation): string | null {
  const last = navigation.responses.at(-1);
  return last === undefined ? null : (redirectTarget(last) ?? last.url);
}

/**
 * Why a visit shows nothing about what the site serves there, in a sentence: nobody answered, or a firewall, a failing server or a
 * challenge may have answered in place of the site. Null where it decides.
 *
 * "Not found" decides: it is an answer about this very address, and what a server for plain HTTP without pages usually says. A port
 * that refuses connections serves nothing.
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
  if (status >= 300) return `The page answers with status ${status}.`;
  if (body_unread !== null) return body_unread;
  return body.trim() === '' ? 'The page is empty.' : null;
}

/** The same for plain HTTP, which a redirect to HTTPS decides, however HTTPS answers. */
export function undecidedOverHttp({ http }: Pick<WebsiteCapture, 'http'>): string | null {
  return http.assessed && leadsTo(http.value)?.startsWith('https:') ? null : undecided(http);
}

/** Leaves out checks that read nothing but plain HTTP where the visit does not decide them. */
export function requireHttpVisit(
  found: DetectionBuilder,
  checks: readonly Check[],
  capture: Pick<WebsiteCapture, 'http'>,
): void {
  const { http } = capture;
  if (http.assessed && http.value.stopped === 'closed') {
    found.doesNotApply(checks, 'The port speaks TLS and closes connections of plain HTTP.');
    return;
  }
  const reason = undecidedOverHttp(capture);
  if (reason !== null) found.cannotAssess(checks, reason);
}
