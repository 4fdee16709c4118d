import { jobSchema } from '../../database/jobs/queues.ts';
import type { TenantSession } from '../../database/tenant-store.ts';

/** An organization as the operator sees it: none of its data. */
export interface OrganizationActivity {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  /** Since when it is being deleted. */
  readonly deletedAt: string | null;
  readonly people: number;
  readonly sources: number;
  /** Jobs that wait or run. */
  readonly jobs: number;
  /** The last entry of its audit log. */
  readonly lastActivity: string | null;
}

/** The organizations, those with the latest activity first. At most `limit`. */
export function organizationActivity(session: TenantSession, limit: number): Promise<OrganizationActivity[]> {
  return session.query({
    text: `select o.id, o.name, o.created_at as "createdAt", o.deleted_at as "deletedAt",
        (select count(*)::int from memberships m where m.organization_id = o.id and m.left_at is null) as people,
        (select count(*)::int from sources s where s.organization_id = o.id) as sources,
        (select count(*)::int from ${jobSchema}.job j where j.group_id = o.id::text and j.state <= 'active') as jobs,
        last.occurred_at as "lastActivity"
      from organizations o left join lateral (select e.occurred_at from audit_entries e where e.organization_id = o.id
        order by e.sequence desc limit 1) as last on true
      order by last.occurred_at desc nulls last, o.id limit $1`,
    values: [limit],
  });
}
