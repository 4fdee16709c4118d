import { outdatedAfterDays } from '../../contract/dashboard/outdated.ts';

/** Whether a row `s` of sources is in scope: drafts are not used yet, and disconnected sources no longer. */
export const sourceCounts = `s.status not in ('draft', 'disconnected')`;

/** Whether a row `a` of check_assessments is recent enough to count. */
export const isFresh = `a.looked_at > now() - interval '${outdatedAfterDays} days'`;

/** Whether a row `a` of check_assessments passed or found something, and is recent enough to count. */
export const isSeen = `(a.outcome in ('passed', 'observed') and ${isFresh})`;
