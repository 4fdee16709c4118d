import type { EventChannel } from '../../contract/events.ts';
import type { TenantStore } from '../../database/tenant-store.ts';

export interface EventRow {
  readonly id: string;
  readonly kind: string;
  /** ISO 8601, UTC. */
  readonly occurredAt: string;
  /** The event as sent, as JSON. */
  readonly payload: string;
  /** It changes posture, so a worker processes it. */
  readonly isPosture: boolean;
}

interface EventOrigin {
  readonly channel: EventChannel;
  readonly systemId: string;
  readonly keyId: string;
}

/**
 * Stores the new events in one statement, which is committed when it returns. Returns their number: the others are
 * duplicates by id. Undefined if the organization has no such system.
 */
export async function storeEvents(store: TenantStore, origin: EventOrigin, events: readonly EventRow[]) {
  const rows = await store.queryOnce<{ known: boolean; stored: number }>({
    name: 'store-events',
    text: `
      with target as (select id from systems where id = $2), stored as (
        insert into events (id, channel, system_id, key_id, kind, occurred_at, payload)
        select e.id, $1, target.id, $3, e.kind, e.occurred_at, e.payload
        from target, unnest($4::uuid[], $5::text[], $6::timestamptz[], $7::jsonb[]) as e (id, kind, occurred_at, payload)
        -- In one order, so that two batches with the same events wait for each other and do not deadlock.
        order by e.id
        on conflict (organization_id, system_id, channel, id) do nothing returning id),
      queued as (
        insert into event_inbox (channel, system_id, event_id) select $1, $2, e.id
        from unnest($4::uuid[], $8::boolean[]) with ordinality as e (id, is_posture, place) join stored using (id)
        where e.is_posture order by e.place)
      select exists (select from target) as known, (select count(*)::int from stored) as stored`,
    values: [
      origin.channel,
      origin.systemId,
      origin.keyId,
      events.map(event => event.id),
      events.map(event => event.kind),
      events.map(event => event.occurredAt),
      events.map(event => event.payload),
      events.map(event => event.isPosture),
    ],
  });
  const { known, stored } = rows[0]!;
  return known ? stored : undefined;
}
