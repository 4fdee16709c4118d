import type { DriftEvent } from '../../contract/probe-events.ts';
import type { TenantTransaction } from '../../database/tenant-store.ts';

/** Changes that are kept of a source: the newest. */
const mostPerSource = 5_000;

/** Records what changed in a source between two assessments. */
export async function recordChanges(
  transaction: TenantTransaction,
  sourceId: string,
  { id, occurred_at, changes }: DriftEvent,
): Promise<void> {
  await transaction.query({
    text: `insert into source_changes (source_id, event_id, place, occurred_at, area, name, change)
      select $1, $2, c.place, $3, c.area, c.name, c.change
      from unnest($4::text[], $5::text[], $6::text[]) with ordinality as c (area, name, change, place)
      on conflict do nothing`,
    values: [
      sourceId,
      id,
      occurred_at,
      changes.map(({ area }) => area),
      changes.map(({ name }) => name),
      changes.map(({ change }) => change),
    ],
  });
  await transaction.query({
    text: `delete from source_changes where source_id = $1 and (occurred_at, event_id, place) <= (
      select occurred_at, event_id, place from source_changes where source_id = $1
      order by occurred_at desc, event_id desc, place desc offset ${mostPerSource} limit 1)`,
    values: [sourceId],
  });
}
