import type { TenantStore } from '../../database/tenant-store.ts';

/**
 * Records a visit of the person, and returns when the previous one ended; null on the first. Visits are an hour or more
 * apart. Writes at most once a minute.
 */
export async function recordVisit(store: TenantStore, personId: string): Promise<string | null> {
  const rows = await store.noteOnce<{ previous_visit_at: string | null }>({
    name: 'record-visit',
    text: `with visited as (
        update memberships set visited_at = now(), previous_visit_at =
          case when visited_at < now() - interval '1 hour' then visited_at else previous_visit_at end
        where person_id = $1 and (visited_at is null or visited_at < now() - interval '1 minute')
        returning previous_visit_at)
      select previous_visit_at from visited
      union all
      select previous_visit_at from memberships where person_id = $1 and not exists (select from visited)`,
    values: [personId],
  });
  return rows[0]?.previous_visit_at ?? null;
}
