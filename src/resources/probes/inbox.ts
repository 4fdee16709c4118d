import type { ProbeEvent } from '../../contract/probe-events.ts';
import type { ShieldEvent } from '../../contract/shield-events.ts';
import type { TenantStore, TenantTransaction } from '../../database/tenant-store.ts';

/** An event of a probe, or of a forwarder of Shield, that waits to be processed. */
export interface WaitingEvent<Event = ProbeEvent | ShieldEvent> {
  /** Its place in the inbox of the organization. */
  readonly sequence: number;
  readonly systemId: string;
  readonly keyId: string;
  readonly receivedAt: string;
  readonly event: Event;
}

const maxSequence = '9223372036854775807';

/** Advisory lock of an organization's inbox: its events are processed one after another. */
const inboxLock = 1346524232;

/** Waiting events that are compared to find superseded heartbeats. */
const atOnce = 500;

/** The event of an entry `i`: by index, since PostgreSQL would expect a plan that reads all events of the organization to be cheaper. */
const eventOf = `lateral (select kind, key_id, received_at, occurred_at, payload from events
  where retention_days = i.retention_days and received_at = i.received_at
    and system_id = i.system_id and channel = i.channel and id = i.event_id offset 0) as e`;

/** A place in the inbox of an organization, which is sorted by system. */
export interface InboxPlace {
  readonly systemId: string;
  /** Of the system's events, the first ones, or none. */
  readonly from: 'first' | 'next_system';
}

export const inboxStart: InboxPlace = { systemId: '00000000-0000-0000-0000-000000000000', from: 'first' };

/**
 * The first waiting event at a place or behind it; behind the last one, that at the start. It occurred before it was
 * received, whatever its sender's clock was: later reports are not older. Entries of events that retention has removed are
 * left out, and removed.
 */
export async function firstWaiting(
  store: TenantStore,
  place = inboxStart,
): Promise<WaitingEvent | undefined> {
  const [first] = await store.queryOnce<Omit<WaitingEvent, 'event'> & { payload: string }>({
    name: 'first-waiting-event',
    text: `select i.sequence, i.system_id as "systemId", e.key_id as "keyId", e.received_at as "receivedAt",
        e.payload::text as payload
      from event_inbox i cross join ${eventOf} where (i.system_id, i.sequence) > ($1, $2)
        order by i.system_id, i.sequence limit 1`,
    values: [place.systemId, place.from === 'first' ? 0 : maxSequence],
  });
  if (!first && place !== inboxStart) return firstWaiting(store);
  if (!first) {
    await store.queryOnce({
      name: 'forget-removed-events',
      text: `delete from event_inbox i where not exists (select from ${eventOf})`,
    });
    return undefined;
  }
  const { payload, ...waiting } = first;
  // The service has validated it before it was stored.
  const event: WaitingEvent['event'] = JSON.parse(payload);
  const isAhead = Date.parse(event.occurred_at) > Date.parse(waiting.receivedAt);
  return { ...waiting, event: isAhead ? { ...event, occurred_at: waiting.receivedAt } : event };
}

/**
 * Removes the event from the inbox. False if another worker is processing events of the organization, or has processed
 * this one.
 */
export async function takeWaiting(
  transaction: TenantTransaction,
  organizationId: string,
  { sequence }: WaitingEvent,
): Promise<boolean> {
  const [claim] = await transaction.query<{ mine: boolean }>({
    text: 'select pg_try_advisory_xact_lock($1, hashtext($2)) as mine',
    values: [inboxLock, organizationId],
  });
  if (!claim!.mine) return false;
  const taken = await transaction.query({
    text: 'delete from event_inbox where sequence = $1 returning sequence',
    values: [sequence],
  });
  return taken.length > 0;
}

/** Removes heartbeats that newer ones of the same probe follow: only the newest counts. */
export async function dropSuperseded(store: TenantStore): Promise<void> {
  await store.queryOnce({
    name: 'drop-superseded-heartbeats',
    text: `with waiting as (
        select i.sequence, i.system_id, e.payload->'probe'->>'name' as probe,
          least(e.occurred_at, e.received_at) as occurred_at
        from (select * from event_inbox order by sequence limit ${atOnce}) as i cross join ${eventOf}
        where e.kind = 'probe.heartbeat'),
      ranked as (
        select sequence, row_number() over (partition by system_id, probe order by occurred_at desc, sequence desc) as rank
        from waiting)
      delete from event_inbox i using ranked r where i.sequence = r.sequence and r.rank > 1`,
  });
}

/** Attempts to process an event, after which it is left out. What others cause passes in minutes. */
const mostAttempts = { byItself: 3, byOthers: 500 };

/** Failed serializations, deadlocks, locks that were not available, and statements that took too long. */
const ofOthers = new Set(['40001', '40P01', '55P03', '57014']);

/**
 * Counts a failed attempt: `left_out` if the event has failed too often, `later` if others may have caused it.
 */
export async function countAttempt(
  transaction: TenantTransaction,
  sequence: number,
  error: unknown,
): Promise<'left_out' | 'again' | 'later'> {
  const { byItself, byOthers } = mostAttempts;
  const isOfOthers = ofOthers.has(String((error as { code?: unknown }).code));
  const rows = await transaction.query<{ attempts: number }>({
    text: 'update event_inbox set attempts = attempts + 1 where sequence = $1 returning attempts',
    values: [sequence],
  });
  if ((rows[0]?.attempts ?? 0) < (isOfOthers ? byOthers : byItself)) return isOfOthers ? 'later' : 'again';
  await transaction.query({ text: 'delete from event_inbox where sequence = $1', values: [sequence] });
  return 'left_out';
}
