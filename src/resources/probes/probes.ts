import type { TestError } from '../../contract/causes.ts';
import type { Heartbeat, ProbeEvent } from '../../contract/probe-events.ts';
import type { ConnectionTest } from '../../contract/sources.ts';
import type { TenantSession, TenantTransaction } from '../../database/tenant-store.ts';
import { timestampOf } from '../../domain/timestamp.ts';
import { isSilent } from '../silence.ts';
import type { WaitingEvent } from './inbox.ts';

/** Probes of a system: each name that a key uses is one. Those of revoked keys do not count. */
const mostPerSystem = 50;

/** A probe that has sent an event. */
export interface Probe {
  readonly id: string;
  readonly systemId: string;
  /** When it was found silent; null while it reports. */
  readonly silentSince: string | null;
  /** The event is the newest of the probe, by the probe's own clock. */
  readonly isNewest: boolean;
}

/**
 * The probe of an event, locked, and marked as seen. A probe that was not known is added. Undefined if its system has
 * too many.
 */
export async function probeOf(
  transaction: TenantTransaction,
  { systemId, keyId, receivedAt, event }: WaitingEvent<ProbeEvent>,
): Promise<Probe | undefined> {
  const { probe, occurred_at } = event;
  const interval = event.kind === 'probe.heartbeat' ? event.interval_seconds : 0;
  const [seen] = await transaction.query<Probe>({
    text: `with seen as (insert into probes as p (system_id, name, version, instance, key_id, interval_seconds, started_at, last_seen_at,
        reported_at, spool_events, spool_bytes, set_aside)
      select $1::uuid, $2, $3, $4::uuid, $5::uuid, $6::int, $7::timestamptz, $8::timestamptz, $7, 0, 0, 0
      where (select count(*) from probes o join api_keys k on k.id = o.key_id where o.system_id = $1 and k.revoked_at is null) < $9
        or exists (select from probes where system_id = $1 and name = $2)
      on conflict (organization_id, system_id, name) do update
        set last_seen_at = greatest(p.last_seen_at, excluded.last_seen_at),
          reported_at = greatest(p.reported_at, excluded.reported_at),
          version = case when excluded.reported_at >= p.reported_at then excluded.version else p.version end,
          instance = case when excluded.reported_at >= p.reported_at then excluded.instance else p.instance end,
          key_id = case when excluded.reported_at >= p.reported_at then excluded.key_id else p.key_id end
      returning id, system_id as "systemId", silent_since as "silentSince", reported_at = $7::timestamptz(3) as "isNewest"
      ), noted as (
        insert into probe_keys (probe_id, key_id) select id, $5::uuid from seen on conflict do nothing
      ) select * from seen`,
    values: [
      systemId,
      probe.name,
      probe.version,
      probe.instance,
      keyId,
      interval,
      occurred_at,
      receivedAt,
      mostPerSystem,
    ],
  });
  return seen;
}

/**
 * Records a heartbeat, unless a newer one was recorded. Returns the sources whose silent probe reports again, or is
 * replaced by this one.
 */
export async function recordHeartbeat(
  transaction: TenantTransaction,
  probe: Probe,
  event: Heartbeat,
): Promise<string[]> {
  if (!probe.isNewest) return [];
  const { spool, targets } = event;
  await transaction.query({
    text: `update probes set interval_seconds = $2, started_at = $3, spool_events = $4, spool_bytes = $5,
        spool_oldest_at = $6, set_aside = $7, silent_since = null,
        returned_at = case when silent_since is null then returned_at else now() end where id = $1`,
    values: [
      probe.id,
      event.interval_seconds,
      event.started_at,
      spool.events,
      spool.bytes,
      spool.oldest_at,
      spool.set_aside,
    ],
  });
  const named = targets.map(({ source_id }) => source_id.toLowerCase());
  // Only sources of the probe's own system that a person has set up for a probe; and those on which it reported before.
  const concerned = await transaction.query<{ id: string; was_silent: boolean }>({
    text: `select s.id, exists (select from probe_targets t join probes p on p.id = t.probe_id
          where t.source_id = s.id and (p.silent_since is not null or p.id = $3 and $4)) as was_silent
      from sources s where s.system_id = $1 and s.connection_mode = 'probe' and s.status not in ('draft', 'disconnected')
        and (s.id = any($2) or s.id in (select source_id from probe_targets where probe_id = $3))
      order by s.id for no key update`,
    values: [probe.systemId, named, probe.id, probe.silentSince !== null],
  });
  const ids = concerned.flatMap(({ id }) => (named.includes(id) ? [id] : []));
  const known = targets.filter(({ source_id }) => ids.includes(source_id.toLowerCase()));
  await transaction.query({
    text: `insert into probe_targets (source_id, probe_id, name, state, error_code, checked_at, latency_ms, every_seconds,
        reported_at)
      select distinct on (source_id) source_id, $1, name, state, error_code, checked_at, latency_ms, every_seconds, $2
      from unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::int[], $9::int[])
        as t (source_id, name, state, error_code, checked_at, latency_ms, every_seconds)
      on conflict (organization_id, source_id) do update set probe_id = excluded.probe_id, name = excluded.name,
        state = excluded.state, error_code = excluded.error_code, checked_at = excluded.checked_at,
        latency_ms = excluded.latency_ms, every_seconds = excluded.every_seconds, reported_at = excluded.reported_at
      where probe_targets.reported_at <= excluded.reported_at`,
    values: [
      probe.id,
      event.occurred_at,
      known.map(target => target.source_id),
      known.map(target => target.name),
      known.map(target => target.state),
      known.map(target => target.error_code ?? null),
      known.map(target => target.checked_at),
      known.map(target => target.latency_ms),
      known.map(target => target.every_seconds),
    ],
  });
  // Nothing reports on a source that the probe no longer names.
  await transaction.query({
    text: `with gone as (
        delete from probe_targets where probe_id = $1 and not source_id = any($2) returning source_id)
      update sources set status = 'pending' where id in (select source_id from gone) and status in ('connected', 'failing')`,
    values: [probe.id, ids],
  });
  await transaction.query({
    text: `update sources s set status = case t.state when 'ok' then 'connected' else 'failing' end
      from probe_targets t where t.source_id = s.id and t.probe_id = $1 and t.state in ('ok', 'failing')
        and s.status <> case t.state when 'ok' then 'connected' else 'failing' end`,
    values: [probe.id],
  });
  return concerned.flatMap(({ id, was_silent }) => (was_silent ? [id] : []));
}

/** Counts events that the probe dropped. */
export async function countDropped(
  transaction: TenantTransaction,
  probe: Probe,
  count: number,
): Promise<void> {
  await transaction.query({
    text: 'update probes set dropped = least(dropped + $2, 9007199254740991) where id = $1',
    values: [probe.id, count],
  });
}

/** Why an event changed nothing. */
export type Ignored =
  | 'source_unknown'
  | 'source_not_probe_mode'
  | 'source_not_authorized'
  | 'detectors_unknown'
  | 'result_invalid'
  | 'too_many_assessments'
  | 'too_many_events'
  | 'key_revoked';

/** Notes on the probe that an event changed nothing, with the reason. */
export async function recordIgnored(
  transaction: TenantTransaction,
  probe: Probe,
  reason: Ignored,
): Promise<void> {
  await transaction.query({
    text: 'update probes set ignored = ignored + 1, ignored_at = now(), ignored_reason = $2 where id = $1',
    values: [probe.id, reason],
  });
}

/** How a probe reports. */
export interface ProbeState {
  readonly name: string;
  readonly intervalSeconds: number;
  /** Seconds since its last report; null if it is not silent. */
  readonly silentSeconds: number | null;
  /** The database's time. */
  readonly now: string;
}

/**
 * SQL: whether it was not silent for the last minutes. Each time that it comes or goes, its sources get a scan: those of
 * one that does so all the time are bounded.
 */
export const hasStayed = `(probes.returned_at is null or probes.returned_at < now() - interval '5 minutes')`;

/** Marks the probe as silent, unless it has reported within three intervals, may have, or is already marked. */
export async function markSilent(
  transaction: TenantTransaction,
  id: string,
): Promise<ProbeState | undefined> {
  const [silent] = await transaction.query<ProbeState>({
    text: `update probes set silent_since = now() where id = $1 and silent_since is null and ${isSilent('probes')} and ${hasStayed}
        and not exists (select from event_inbox i join probe_keys k on k.key_id = i.key_id where k.probe_id = probes.id)
      returning name, interval_seconds as "intervalSeconds",
        extract(epoch from now() - last_seen_at)::int as "silentSeconds", now()::timestamptz(3) as now`,
    values: [id],
  });
  return silent;
}

/** The state of a probe that has just reported. */
export async function presentState(transaction: TenantTransaction, id: string): Promise<ProbeState> {
  const [state] = await transaction.query<ProbeState>({
    text: `select name, interval_seconds as "intervalSeconds", null::int as "silentSeconds", now()::timestamptz(3) as now
      from probes where id = $1`,
    values: [id],
  });
  return state!;
}

/** The sources on which the probe reports, in the order in which they are locked. */
export async function sourcesOfProbe(session: TenantSession, id: string): Promise<string[]> {
  const targets = await session.query<{ source_id: string }>({
    text: 'select source_id from probe_targets where probe_id = $1 order by source_id',
    values: [id],
  });
  return targets.map(({ source_id }) => source_id);
}

/** The newest report of a probe on a source. */
interface ProbeReport {
  readonly state: string;
  readonly error_code: TestError | null;
  readonly checked_at: string | null;
  readonly latency_ms: number;
  readonly age_seconds: number;
}

/** The connection test of a source in probe mode: its probe's newest report, with its age. */
export async function reportedTest(session: TenantSession, sourceId: string): Promise<ConnectionTest> {
  const [report] = await session.query<ProbeReport>({
    text: `select state, error_code, checked_at, latency_ms,
        least(greatest(0, extract(epoch from now() - checked_at)), 2147483647)::int as age_seconds
      from probe_targets where source_id = $1`,
    values: [sourceId],
  });
  if (!report?.checked_at) {
    return { ok: false, checked_at: timestampOf(new Date()), latency_ms: 0, error_code: 'no_probe_report' };
  }
  const { checked_at, latency_ms, age_seconds } = report;
  const ok = report.state === 'ok';
  return {
    ok,
    checked_at,
    latency_ms,
    age_seconds,
    ...(ok ? {} : { error_code: report.error_code ?? 'connection_failed' }),
  };
}
