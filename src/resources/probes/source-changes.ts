import type { DriftEvent } from '../../contract/probe-events.ts';
import type { TenantTransaction } from '../../database/tenant-store.ts';

/**
 * Changes of a source that are kept of each valid key, and of all other keys together: the newest. Those of a compromised
 * key displace none of a valid one.
 */
const mostOfKey = 5_000;

/** SQL: whether the change `c` is of the source $1, and reported by a key that is not valid. */
const isOfEnded = `c.source_id = $1 and not exists (select from api_keys k
  where k.id = c.key_id and k.revoked_at is null and (k.expires_at is null or k.expires_at > now()))`;

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
  await transaction.query({
    text: `delete from source_changes c where ${isOfEnded} and (occurred_at, event_id, place) <= (
      select occurred_at, event_id, place from source_changes c where ${isOfEnded}
      order by occurred_at desc, event_id desc, place desc offset ${mostOfKey} limit 1)`,
    values: [of.sourceId],
  });
}
