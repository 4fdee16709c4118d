import type { ControlFinding } from '../../contract/dashboard/controls.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import { checkCounts, ofFindings } from '../findings/check-counts.ts';
import { outOfScope, sourceCounts } from './what-counts.ts';

const isAccepted = `(f.status = 'accepted' and f.accepted_until > now())`;
const mostSevere = 'f.severity_rank desc, f.created_at desc, f.id desc';

/**
 * Open and accepted findings above info of these checks, on sources in scope, most severe first. At most `limit`. An
 * expired acceptance counts as open before the worker updates its status. Merged from the first findings of each check, which an index has
 * in order, except of severities that come after a whole page.
 */
export async function findingsOfChecks(session: TenantSession, checks: readonly string[], limit: number) {
  return session.query<ControlFinding>({
    text: `with kept as (
        select check_id, state, severity_rank, sum(count) as count from ${checkCounts(ofFindings)} as counted
        where check_id = any($1) and state in ('open', 'accepted') and severity_rank > 0
        group by 1, 2, 3 having sum(count) > 0),
      ordered as (select *, coalesce(sum(count) over (order by state = 'accepted', severity_rank desc
        groups between unbounded preceding and 1 preceding), 0) as before from kept),
      parts as materialized (select * from ordered where before < $2::int + (
        select count(*) from ${outOfScope} as s join findings f on f.source_id = s.id and f.category = any($1)))
      select f.id, f.severity, f.category, f.title, f.seen, f.source_id, s.name as source_name, f.created_at,
        case when ${isAccepted} then 'accepted' else 'open' end as status, f.accepted_until
      from (
        select f.id from parts cross join lateral (
          select id from findings f
          where f.category = check_id and f.status = state and f.severity_rank = parts.severity_rank
            and (state = 'open' or f.accepted_until > now())
            and exists (select from sources s where s.id = f.source_id and ${sourceCounts} offset 0)
          order by ${mostSevere} limit $2) as f
        union all
        select f.id from findings f join sources s on s.id = f.source_id
          where f.triage = 'accepted' and f.status = 'accepted' and f.accepted_until <= now() and f.category = any($1)
            and f.severity_rank > 0 and ${sourceCounts}) as found
        join findings f on f.id = found.id join sources s on s.id = f.source_id
      order by ${isAccepted}, ${mostSevere} limit $2`,
    values: [checks, limit],
  });
}
