import type { TestError } from '../../contract/causes.ts';
import type { ProbeEvent } from '../../contract/probe-events.ts';
import type { ConnectionTest } from '../../contract/sources.ts';
import type { TenantSession, TenantTransaction } from '../../database/tenant-store.ts';
import { timestampOf } from '../../domain/timestamp.ts';
import type { WaitingEvent } from '../events/inbox.ts';

/** Probes of a system: each name that a key uses is one. Those of revoked keys do not count. */
const mostPerSystem = 50;

/** A probe that has sent an event. */
export interface Probe {
  readonly id: string;
  readonly systemId: string;
  /** Of the event. */
  readonly keyId: string;
  /** The event is the newest of the probe, by the time that its events state. */
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
      where (select count(*) from probes o join api_keys k on k.id = o.key_id where o.system_id = $1 and k.revoked_at is null
          and o.removed_at is null) < $9
        or exists (select from probes where system_id = $1 and name = $2 and removed_at is null)
      on conflict (organization_id, system_id, name) do update
        set last_seen_at = greatest(p.last_seen_at, excluded.last_seen_at),
          reported_at = greatest(p.reported_at, excluded.reported_at), removed_at = null,
          version = case when excluded.reported_at >= p.reported_at then excluded.version else p.version end,
          instance = case when excluded.reported_at >= p.reported_at then excluded.instance else p.instance end,
          key_id = case when excluded.reported_at >= p.reported_at then excluded.key_id else p.key_id end
      returning id, system_id as "systemId", $5::uuid as "keyId", reported_at = $7::timestamptz(3) as "isNewest"
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
  | 'assessment_of_other'
  | 'too_many_assessments'
  | 'too_many_events'
  | 'processing_failed'
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
      from probe_targets where source_id = $1 and dropped_at is null`,
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
