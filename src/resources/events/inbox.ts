import type { ProbeEvent } from '../../contract/probe-events.ts';
import type { ShieldEvent } from '../../contract/shield-events.ts';
import type { TenantStore, TenantTransaction } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';

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
export const inboxLock = 1346524232;

/** Waiting events that are compared to find superseded heartbeats. */
const atOnce = 500;

/** The event of an entry `i`: by index. PostgreSQL would expect a plan that reads all events of the organization to be cheaper. */
const eventOf = `lateral (select kind, received_at, occurred_at, payload from events
  where retention_days = i.retention_days and received_at = i.received_at
    and system_id = i.system_id and channel = i.channel and id = i.event_id offset 0) as e`;

/** A place in the inbox of an organization, which is sorted by key. */
export interface InboxPlace {
  readonly keyId: string;
  /** Of the key's events, the first ones, or none. */
  readonly from: 'first' | 'next_key';
}

export const inboxStart: InboxPlace = { keyId: '00000000-0000-0000-0000-000000000000', from: 'first' };

/**
 * The first waiting event at a place or behind it, except of some keys; behind the last one, that at the start. It occurred before it was
 * received, whatever its sender's clock was: later reports are not older. Entries of events that retention has removed are
 * left out, and removed.
 */
export async function firstWaiting(
  store: TenantStore,
  place = inboxStart,
  exceptKeys: readonly string[] = [],
): Promise<WaitingEvent | undefined> {
  const [first] = await store.queryOnce<Omit<WaitingEvent, 'event'> & { payload: string }>({
    name: 'first-waiting-event',
    text: `select i.sequence, i.system_id as "systemId", i.key_id as "keyId", e.received_at as "receivedAt",
        e.payload::text as payload
      from event_inbox i cross join ${eventOf} where (i.key_id, i.sequence) > ($1, $2) and i.key_id <> all($3)
        order by i.key_id, i.sequence limit 1`,
    values: [place.keyId, place.from === 'first' ? 0 : maxSequence, exceptKeys],
  });
  if (!first && place !== inboxStart) return firstWaiting(store, inboxStart, exceptKeys);
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

/** Events of a key that wait at most. A probe that was without its service for long sends fewer: see `dropSuperseded`. */
const mostOfKey = 20_000;

/** Events that are left out at once: the others follow in the next turns, and no statement takes long. */
const mostAtOnce = 10_000;

/**
 * Leaves out events that a key has sent beyond what may wait, and those of keys that were revoked: what a stolen key sent
 * ends with it. They are noted on the agents that sent them.
 */
export async function leaveOutExcess(transaction: TenantTransaction): Promise<void> {
  await transaction.query({
    name: 'leave-out-excess-events',
    text: `with recursive sender (key_id) as (
        (select key_id from event_inbox order by key_id limit 1)
        union all
        select (select key_id from event_inbox where key_id > s.key_id order by key_id limit 1)
        from sender s where s.key_id is not null),
      bound as materialized (
        select k.id as key_id, k.revoked_at is not null as revoked, case when k.revoked_at is not null then 0 else (
          select sequence from event_inbox where key_id = k.id order by sequence offset $1 limit 1) end as sequence
        from sender s join api_keys k on k.id = s.key_id),
      surplus as (
        select i.sequence, b.revoked from bound b cross join lateral (
          select sequence from event_inbox where key_id = b.key_id and sequence >= b.sequence order by sequence limit $2) as i
        limit $2),
      gone as (
        delete from event_inbox i using surplus s where i.sequence = s.sequence
        returning i.retention_days, i.received_at, i.system_id, i.channel, i.event_id, s.revoked),
      excess as (
        select i.system_id, i.channel, e.payload->case i.channel when 'shield' then 'forwarder' else 'probe' end->>'name' as sender,
          count(*) as count, case when bool_or(i.revoked) then 'key_revoked' else 'too_many_events' end as reason
        from gone i cross join ${eventOf} group by 1, 2, 3),
      noted as (
        update probes p set ignored = p.ignored + e.count, ignored_at = now(), ignored_reason = e.reason
        from excess e where e.channel = 'events' and p.system_id = e.system_id and p.name = e.sender)
      update shield_forwarders f set ignored = f.ignored + e.count, ignored_at = now(), ignored_reason = e.reason
      from excess e where e.channel = 'shield' and f.system_id = e.system_id and f.name = e.sender`,
    values: [mostOfKey, mostAtOnce],
  });
}

/** Removes heartbeats that newer ones of the same probe follow: only the newest counts, if its key is not revoked. */
export async function dropSuperseded(transaction: TenantTransaction): Promise<void> {
  await transaction.query({
    name: 'drop-superseded-heartbeats',
    text: `with waiting as (
        select i.sequence, i.system_id, e.payload->'probe'->>'name' as probe,
          least(e.occurred_at, e.received_at) as occurred_at
        from (select * from event_inbox order by sequence limit ${atOnce}) as i
          join api_keys k on k.id = i.key_id and k.revoked_at is null cross join ${eventOf}
        where e.kind = 'probe.heartbeat'),
      ranked as (
        select sequence, row_number() over (partition by system_id, probe order by occurred_at desc, sequence desc) as rank
        from waiting)
      delete from event_inbox i using ranked r where i.sequence = r.sequence and r.rank > 1`,
  });
}

/** Attempts to process an event, after which it is left out. What others cause passes in minutes. */
const mostAttempts = { byItself: 3, byOthers: 500 };

/**
 * PostgreSQL: failed serializations, deadlocks, locks that were not available, statements that took too long, and a lack
 * of memory, disk space or other resources.
 */
const ofOthers = /^(?:40001|40P01|55P03|57014|53...|58...)$/;

/** Whether others may have caused it: also requests of its organization that use all its connections. */
function isCausedByOthers(error: unknown): boolean {
  return error instanceof Refusal || ofOthers.test(String((error as { code?: unknown }).code));
}

/**
 * Counts a failed attempt: `left_out` if the event has failed too often, which is noted on its sender; `later` if others may
 * have caused it.
 */
export async function countAttempt(
  transaction: TenantTransaction,
  { sequence, systemId, event }: WaitingEvent,
  error: unknown,
): Promise<'left_out' | 'again' | 'later'> {
  const { byItself, byOthers } = mostAttempts;
  const isOfOthers = isCausedByOthers(error);
  const rows = await transaction.query<{ attempts: number }>({
    text: 'update event_inbox set attempts = attempts + 1 where sequence = $1 returning attempts',
    values: [sequence],
  });
  if ((rows[0]?.attempts ?? 0) < (isOfOthers ? byOthers : byItself)) return isOfOthers ? 'later' : 'again';
  await transaction.query({ text: 'delete from event_inbox where sequence = $1', values: [sequence] });
  const noted = "set ignored = ignored + 1, ignored_at = now(), ignored_reason = 'processing_failed'";
  await transaction.query(
    'probe' in event
      ? {
          text: `update probes ${noted} where system_id = $1 and name = $2`,
          values: [systemId, event.probe.name],
        }
      : {
          text: `update shield_forwarders ${noted} where system_id = $1 and name = $2`,
          values: [systemId, event.forwarder.name],
        },
  );
  return 'left_out';
}
