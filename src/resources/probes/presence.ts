import type { Heartbeat } from '../../contract/probe-events.ts';
import type { TenantSession, TenantTransaction } from '../../database/tenant-store.ts';
import { isSilent } from '../silence.ts';
import type { Probe } from './probes.ts';

/** Sources whose presence a heartbeat changed, in the order in which they are locked. */
export interface ChangedPresence {
  /** Their probe was silent; this one reports now. */
  readonly returned: readonly string[];
  /** The probe has not named them for three intervals, and no other has. */
  readonly missing: readonly { readonly id: string; readonly silentSeconds: number }[];
}

/** Records a heartbeat, unless a newer one was recorded. */
export async function recordHeartbeat(
  transaction: TenantTransaction,
  probe: Probe,
  event: Heartbeat,
): Promise<ChangedPresence> {
  if (!probe.isNewest) return { returned: [], missing: [] };
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
  const wasSilent = probe.silentSince !== null;
  const named = targets.map(({ source_id }) => source_id.toLowerCase());
  // Only sources of the probe's own system that a person has set up for a probe; and those on which it reported before.
  const concerned = await transaction.query<{ id: string; was_silent: boolean }>({
    text: `select s.id, exists (select from probe_targets t join probes p on p.id = t.probe_id
          where t.source_id = s.id and (t.silent or p.silent_since is not null or p.id = $3 and $4)) as was_silent
      from sources s where s.system_id = $1 and s.connection_mode = 'probe' and s.status not in ('draft', 'disconnected')
        and (s.id = any($2) or s.id in (select source_id from probe_targets where probe_id = $3))
      order by s.id for no key update`,
    values: [probe.systemId, named, probe.id, wasSilent],
  });
  const ids = concerned.flatMap(({ id }) => (named.includes(id) ? [id] : []));
  const recorded = await recordTargets(transaction, probe, event, ids);
  await recordDropped(transaction, probe, ids, wasSilent);
  await transaction.query({
    text: `update sources s set status = case t.state when 'ok' then 'connected' else 'failing' end
      from probe_targets t where t.source_id = s.id and t.probe_id = $1 and t.dropped_at is null and t.state in ('ok', 'failing')
        and s.status <> case t.state when 'ok' then 'connected' else 'failing' end`,
    values: [probe.id],
  });
  const missing = await findMissing(transaction, probe, event.interval_seconds);
  return {
    returned: concerned.flatMap(({ id, was_silent }) => (was_silent && recorded.has(id) ? [id] : [])),
    missing: concerned.flatMap(({ id }) => missing.filter(one => one.id === id)),
  };
}

/** The sources whose newest report it is. */
async function recordTargets(
  transaction: TenantTransaction,
  probe: Probe,
  { occurred_at, targets }: Heartbeat,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const known = targets.filter(({ source_id }) => ids.includes(source_id.toLowerCase()));
  const recorded = await transaction.query<{ source_id: string }>({
    text: `insert into probe_targets (source_id, probe_id, name, state, error_code, checked_at, latency_ms, every_seconds,
        reported_at)
      select distinct on (source_id) source_id, $1, name, state, error_code, checked_at, latency_ms, every_seconds, $2
      from unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::int[], $9::int[])
        as t (source_id, name, state, error_code, checked_at, latency_ms, every_seconds)
      on conflict (organization_id, source_id) do update set probe_id = excluded.probe_id, name = excluded.name,
        state = excluded.state, error_code = excluded.error_code, checked_at = excluded.checked_at,
        latency_ms = excluded.latency_ms, every_seconds = excluded.every_seconds, reported_at = excluded.reported_at,
        dropped_at = null, silent = false
      where probe_targets.reported_at <= excluded.reported_at returning source_id`,
    values: [
      probe.id,
      occurred_at,
      known.map(target => target.source_id),
      known.map(target => target.name),
      known.map(target => target.state),
      known.map(target => target.error_code ?? null),
      known.map(target => target.checked_at),
      known.map(target => target.latency_ms),
      known.map(target => target.every_seconds),
    ],
  });
  return new Set(recorded.map(({ source_id }) => source_id));
}

/** Nothing reports on a source that the probe no longer names. @param named those that it names */
export async function recordDropped(
  transaction: TenantTransaction,
  probe: Pick<Probe, 'id'>,
  named: readonly string[],
  wasSilent: boolean,
): Promise<void> {
  await transaction.query({
    text: `with dropped as (
        update probe_targets set dropped_at = now(), silent = $3
        where probe_id = $1 and not source_id = any($2) and dropped_at is null returning source_id)
      update sources set status = 'pending' where id in (select source_id from dropped) and status in ('connected', 'failing')`,
    values: [probe.id, named, wasSilent],
  });
}

/** Like a probe, a source is silent after three intervals, and not more often than every five minutes. */
function findMissing(
  transaction: TenantTransaction,
  probe: Probe,
  intervalSeconds: number,
): Promise<ChangedPresence['missing'][number][]> {
  return transaction.query({
    text: `update probe_targets set silent = true
      where probe_id = $1 and not silent and dropped_at < now() - greatest(make_interval(secs => 3 * $2), interval '5 minutes')
      returning source_id as id, extract(epoch from now() - dropped_at)::int as "silentSeconds"`,
    values: [probe.id, intervalSeconds],
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

/** SQL: whether it has missed three reports, or cannot report: its key is revoked. */
export const hasEnded = `(${isSilent('probes')} or exists (select from api_keys k where k.id = probes.key_id and k.revoked_at < now() - interval '5 minutes'))`;

/** Marks the probe as silent, unless it has reported within three intervals, may have, or is already marked. */
export async function markSilent(
  transaction: TenantTransaction,
  id: string,
): Promise<ProbeState | undefined> {
  const [silent] = await transaction.query<ProbeState>({
    text: `update probes set silent_since = now() where id = $1 and silent_since is null and ${hasEnded} and ${hasStayed}
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
