import { randomUUID } from 'node:crypto';
import type { EventChannel } from '../../src/contract/events.ts';
import type { ConnectionSettings } from '../../src/database/connection.ts';
import type { EventRow, EventStore } from '../../src/resources/events/event-store.ts';
import { asOwner } from './postgres.ts';

interface Stream {
  readonly organizationId: string;
  readonly systemId: string;
  readonly channel?: EventChannel;
  readonly keyId?: string;
}

export function eventRow(fields: Partial<EventRow> = {}): EventRow {
  const { id = randomUUID(), kind = 'a.kind', occurredAt = new Date().toISOString() } = fields;
  const payload = JSON.stringify({ id, kind, occurred_at: occurredAt });
  return { id, kind, occurredAt, payload, isPosture: false, ...fields };
}

/** Stores events as a request of a key does. */
export function storeEvents(
  store: EventStore,
  { organizationId, systemId, channel = 'events', keyId = randomUUID() }: Stream,
  events: readonly EventRow[],
): Promise<number | undefined> {
  return store.store({ organizationId, systemId, channel, keyId, events });
}

/** Makes all stored events of the organization older, as if they had been received this many days earlier. */
export function receivedEarlier(
  connection: ConnectionSettings,
  organizationId: string,
  days: number,
): Promise<void> {
  return asOwner(connection, async client => {
    await client.query(
      `select create_event_partitions(retention_days, day - make_interval(days => $2::int), 0)
        from (select distinct retention_days, date_trunc('day', received_at, 'UTC') as day from events
          where organization_id = $1) as received`,
      [organizationId, days],
    );
    for (const [table, column] of [
      ['events', 'received_at'],
      ['event_inbox', 'received_at'],
      ['event_counts', 'received_day'],
      ['event_count_deltas', 'received_day'],
    ]) {
      await client.query(
        `update ${table} set ${column} = ${column} - make_interval(days => $2::int) where organization_id = $1`,
        [organizationId, days],
      );
    }
  });
}
