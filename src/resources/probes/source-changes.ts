import type { DriftEvent } from '../../contract/probe-events.ts';
import type { TenantTransaction } from '../../database/tenant-store.ts';

/** Changes of a source that are kept of each key: the newest. Those of a compromised key displace none of others. */
const mostOfKey = 5_000;

/** Records what changed in a source between two assessments. @param of the source, and the key that reported it */
export async function recordChanges(
  transaction: TenantTransaction,
  of: { readonly sourceId: string; readonly keyId: string },
  { id, occurred_at, changes }: DriftEvent,
): Promise<void> {
  await transaction.query({
    text: `insert into source_changes (source_id, key_id, event_id, place, occurred_at, area, name, change)
      select $1, $7, $2, c.place, $3, c.area, c.name, c.change
      from unnest($4::text[], $5::text[], $6::text[]) with ordinality as c (area, name, change, place)
      on conflict do nothing`,
    values: [
      of.sourceId,
      id,
      occurred_at,
      changes.map(({ area }) => area),
      changes.map(({ name }) => name),
      changes.map(({ change }) => change),
      of.keyId,
    ],
  });
  await transaction.query({
    text: `delete from source_changes where source_id = $1 and key_id = $2 and (occurred_at, event_id, place) <= (
      select occurred_at, event_id, place from source_changes where source_id = $1 and key_id = $2
      order by occurred_at desc, event_id desc, place desc offset ${mostOfKey} limit 1)`,
    values: [of.sourceId, of.keyId],
  });
}
