import type { Heartbeat } from '../../contract/probe-events.ts';
import type { TenantTransaction } from '../../database/tenant-store.ts';
import { recordNotice } from '../notifications/record-notice.ts';
import { isSilent } from '../silence.ts';
import type { Probe } from './probes.ts';

/** Records a heartbeat, unless a newer one was recorded. */
export async function recordHeartbeat(
  transaction: TenantTransaction,
  probe: Probe,
  event: Heartbeat,
): Promise<void> {
  if (!probe.isNewest) return;
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
  // Only sources of the probe's own system that a person has set up for a probe. Sources are locked before their targets, by id.
  const known = await transaction.query<{ id: string }>({
    text: `select id from sources where system_id = $1 and connection_mode = 'probe' and status not in ('draft', 'disconnected')
        and (id = any($2) or id in (select source_id from probe_targets where probe_id = $3))
      order by id for no key update`,
    values: [probe.systemId, named, probe.id],
  });
  const ids = known.flatMap(({ id }) => (named.includes(id) ? [id] : []));
  await recordTargets(transaction, probe, event, ids);
  await recordDropped(transaction, probe, ids);
  const changed = await transaction.query<{ id: string; failed: boolean }>({
    text: `with changed as (
        select s.id, s.status, t.state from sources s join probe_targets t on t.source_id = s.id
        where t.probe_id = $1 and t.dropped_at is null and t.state in ('ok', 'failing')
          and s.status <> case t.state when 'ok' then 'connected' else 'failing' end)
      update sources s set status = case c.state when 'ok' then 'connected' else 'failing' end
      from changed c where s.id = c.id returning s.id, c.status = 'connected' and c.state = 'failing' as failed`,
    values: [probe.id],
  });
  for (const { id, failed } of changed)
    if (failed) await recordNotice(transaction, { kind: 'source_failing', objectId: id });
}

/** Nothing reports on the sources of a probe that a person removes. */
export async function dropSources(transaction: TenantTransaction, probe: Pick<Probe, 'id'>): Promise<void> {
  await transaction.query({
    text: `select from sources where id in (select source_id from probe_targets where probe_id = $1)
      order by id for no key update`,
    values: [probe.id],
  });
  await recordDropped(transaction, probe, []);
}

/** Records what it says of sources, unless a newer report was recorded. */
async function recordTargets(
  transaction: TenantTransaction,
  probe: Probe,
  { occurred_at, targets }: Heartbeat,
  ids: readonly string[],
): Promise<void> {
  const known = targets.filter(({ source_id }) => ids.includes(source_id.toLowerCase()));
  await transaction.query({
    text: `insert into probe_targets (source_id, probe_id, name, state, error_code, checked_at, latency_ms, every_seconds,
        reported_at)
      select distinct on (source_id) source_id, $1, name, state, error_code, checked_at, latency_ms, every_seconds, $2
      from unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::int[], $9::int[])
        as t (source_id, name, state, error_code, checked_at, latency_ms, every_seconds)
      on conflict (organization_id, source_id) do update set probe_id = excluded.probe_id, name = excluded.name,
        state = excluded.state, error_code = excluded.error_code, checked_at = excluded.checked_at,
        latency_ms = excluded.latency_ms, every_seconds = excluded.every_seconds, reported_at = excluded.reported_at,
        dropped_at = null
      where probe_targets.reported_at <= excluded.reported_at`,
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
}

/** Nothing reports on a source that the probe no longer names. @param named those that it names */
async function recordDropped(
  transaction: TenantTransaction,
  probe: Pick<Probe, 'id'>,
  named: readonly string[],
): Promise<void> {
  await transaction.query({
    text: `with dropped as (
        update probe_targets set dropped_at = now()
        where probe_id = $1 and not source_id = any($2) and dropped_at is null returning source_id)
      update sources set status = 'pending' where id in (select source_id from dropped) and status in ('connected', 'failing')`,
    values: [probe.id, named],
  });
}

/**
 * SQL: whether it was not silent for the last minutes. Each time that it comes or goes, its sources get a scan: those of
 * one that does so all the time are bounded.
 */
export const hasStayed = `(probes.returned_at is null or probes.returned_at < now() - interval '5 minutes')`;

/** SQL: whether it has missed three reports, or cannot report: its keys are revoked. */
export const hasEnded = `(${isSilent('probes')} or not exists (select from probe_keys e join api_keys k on k.id = e.key_id
  where e.probe_id = probes.id and (k.revoked_at is null or k.revoked_at > now() - interval '5 minutes')))`;

/**
 * Marks the probe as silent, unless it has reported within three intervals, may have, or is already marked. Whether its
 * sources can be reached is no longer known.
 */
export async function markSilent(transaction: TenantTransaction, id: string): Promise<void> {
  const marked = await transaction.query({
    text: `update probes set silent_since = now() where id = $1 and silent_since is null and ${hasEnded} and ${hasStayed}
      and not exists (select from event_inbox i join probe_keys k on k.key_id = i.key_id where k.probe_id = probes.id)
      returning id`,
    values: [id],
  });
  if (marked.length === 0) return;
  await recordNotice(transaction, { kind: 'agent_silent', objectId: id });
  await transaction.query({
    text: `update sources set status = 'pending' where id in (
      select s.id from sources s join probe_targets t on t.source_id = s.id
      where t.probe_id = $1 and t.dropped_at is null and s.status in ('connected', 'failing') order by s.id for no key update of s)`,
    values: [id],
  });
}

/**
 * SQL: whether nothing reports on a source, or something does again, since what was last reported about its target `t` of a
 * probe `p`. Like a probe, a source is silent after three intervals, and not more often than every five minutes.
 */
export const hasChanged = `case when t.silent then p.silent_since is null and t.dropped_at is null
  else p.silent_since is not null
    or t.dropped_at < now() - greatest(make_interval(secs => 3 * p.interval_seconds), interval '5 minutes') end`;

/** How the probe of a source reports. */
export interface Presence {
  /** The probe's name. */
  readonly probe: string;
  readonly intervalSeconds: number;
  /** The probe reports, but no longer on this source. */
  readonly omitsSource: boolean;
  /** Seconds since the last report; null if it reports. */
  readonly silentSeconds: number | null;
  /** The database's time. */
  readonly now: string;
}

/** How the probe of a source reports, if that has changed. It is reported once. @param sourceId locked */
export async function takeChangedPresence(
  transaction: TenantTransaction,
  sourceId: string,
): Promise<Presence | undefined> {
  const [presence] = await transaction.query<Presence>({
    text: `update probe_targets t set silent = not t.silent from probes p
      where t.source_id = $1 and p.id = t.probe_id and ${hasChanged}
      returning p.name as probe, p.interval_seconds as "intervalSeconds", t.silent and p.silent_since is null as "omitsSource",
        case when t.silent then extract(epoch from now() - case when p.silent_since is null then t.dropped_at
          else p.last_seen_at end)::int end as "silentSeconds", now()::timestamptz(3) as now`,
    values: [sourceId],
  });
  return presence;
}
