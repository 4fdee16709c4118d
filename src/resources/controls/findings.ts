import type { ControlFinding } from '../../contract/dashboard/controls.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import { sourceCounts } from './what-counts.ts';

/**
 * Open and accepted findings above info of these checks, on sources in scope, most severe first. At most `limit`. An
 * expired acceptance counts as open before the worker updates its status.
 */
export async function findingsOfChecks(session: TenantSession, checks: readonly string[], limit: number) {
  return session.query<ControlFinding>({
    text: `select f.id, f.severity, f.category, f.title, f.seen, f.source_id, s.name as source_name, f.created_at,
        case when f.status = 'accepted' and f.accepted_until > now() then 'accepted' else 'open' end as status,
        f.accepted_until
      from findings f join sources s on s.id = f.source_id
      where f.category = any($1) and f.status in ('open', 'accepted') and f.severity <> 'info'
        and ${sourceCounts}
      order by f.status = 'accepted' and f.accepted_until > now(), f.severity_rank desc, f.created_at desc, f.id
      limit $2`,
    values: [checks, limit],
  });
}
