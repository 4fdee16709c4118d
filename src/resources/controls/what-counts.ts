import { outdatedAfterDays } from '../../contract/dashboard/outdated.ts';

/** Whether a row `s` of sources is in scope: drafts are not used yet, and disconnected sources no longer. */
export const sourceCounts = `s.status not in ('draft', 'disconnected')`;

/** Sources out of scope. There are few, whose rows are subtracted from the counts of all. */
export const outOfScope = `(select s.id from sources s where not (${sourceCounts}))`;

/** The first day (UTC) on which results count. Whole days can be counted in advance. */
const firstDay = `((now() at time zone 'UTC')::date - ${outdatedAfterDays})`;
export const isFreshDay = `day >= ${firstDay}`;
// A subselect is calculated once for each statement, not for each row.
const since = `(select ${firstDay}::timestamp at time zone 'UTC')`;

/** Whether a row `a` of check_assessments is recent enough to count. */
export const isFresh = `a.looked_at >= ${since}`;
/** Whether a row `n` of source_assessments is. */
export const isSeenSource = `n.seen_at >= ${since}`;

/** Whether a row `a` of check_assessments passed or found something, and is recent enough to count. */
export const isSeen = `(a.outcome in ('passed', 'observed') and ${isFresh})`;
