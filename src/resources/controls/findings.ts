import type { ControlFinding } from '../../contract/dashboard/controls.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import { checkCounts, ofFindings } from '../findings/check-counts.ts';
import { sourceCounts } from './what-counts.ts';

const isAccepted = `(f.status = 'accepted' and f.accepted_until > now())`;
const mostSevere = 'f.severity_rank desc, f.created_at desc, f.id desc';

/**
 * Open and accepted findings above info of these checks, on sources in scope, most severe first. At most `limit`. An
 * expired acceptance counts as open before the worker updates its status. Merged from the first findings of each check, which an index has
 * in order.
 */
export async function findingsOfChecks(session: TenantSession, checks: readonly string[], limit: number) {
  return session.query<ControlFinding>({
    text: `with parts as materialized (
        select check_id, state, severity_rank from ${checkCounts(ofFindings)} as kept
        where check_id = any($1) and state in ('open', 'accepted') and severity_rank > 0
        group by 1, 2, 3 having sum(count) > 0)
      select f.id, f.severity, f.category, f.title, f.seen, f.source_id, s.name as source_name, f.created_at,
        case when ${isAccepted} then 'accepted' else 'open' end as status, f.accepted_until
      from parts join (values (false), (true)) as still (accepted) on state = 'accepted' or not still.accepted
        cross join lateral (
          select * from findings f
          where f.category = check_id and f.status = state and f.severity_rank = parts.severity_rank and ${isAccepted} = still.accepted
            and exists (select from sources s where s.id = f.source_id and ${sourceCounts} offset 0)
          order by ${mostSevere} limit $2) as f
        join sources s on s.id = f.source_id
      order by ${isAccepted}, ${mostSevere} limit $2`,
    values: [checks, limit],
  });
}
