import type { ShieldIgnored as AnyIgnored } from '../../contract/dashboard/shield.ts';
import type { FirewallEngine, ShieldEvent, ShieldHeartbeat } from '../../contract/shield-events.ts';
import type { TenantTransaction } from '../../database/tenant-store.ts';
import type { WaitingEvent } from '../events/inbox.ts';
import { type JudgedLog, judgeLog } from './judge-log.ts';

/** Forwarders of a system: each name that a key uses is one. Those of revoked keys, and those silent for 30 days, do not count. */
const mostPerSystem = 50;

/** A forwarder that has sent an event. */
export interface Forwarder {
  readonly id: string;
  readonly systemId: string;
}

/**
 * The forwarder of an event, locked, and marked as seen. One that was not known is added. Undefined if its system has too
 * many.
 */
export async function forwarderOf(
  transaction: TenantTransaction,
  { systemId, keyId, receivedAt, event }: WaitingEvent<ShieldEvent>,
): Promise<Forwarder | undefined> {
  const { forwarder, occurred_at } = event;
  const [seen] = await transaction.query<Forwarder>({
    text: `insert into shield_forwarders as f (system_id, name, version, instance, key_id, last_seen_at, reported_at)
      select $1::uuid, $2, $3, $4::uuid, $5::uuid, $6::timestamptz, $7::timestamptz
      where (select count(*) from shield_forwarders o join api_keys k on k.id = o.key_id
          where o.system_id = $1 and k.revoked_at is null and o.last_seen_at > now() - interval '30 days') < $8
        or exists (select from shield_forwarders where system_id = $1 and name = $2)
      on conflict (organization_id, system_id, name) do update
        set last_seen_at = greatest(f.last_seen_at, excluded.last_seen_at),
          reported_at = greatest(f.reported_at, excluded.reported_at),
          version = case when excluded.reported_at >= f.reported_at then excluded.version else f.version end,
          instance = case when excluded.reported_at >= f.reported_at then excluded.instance else f.instance end,
          key_id = case when excluded.reported_at >= f.reported_at then excluded.key_id else f.key_id end
      returning id, system_id as "systemId"`,
    values: [
      systemId,
      forwarder.name,
      forwarder.version,
      forwarder.instance,
      keyId,
      receivedAt,
      occurred_at,
      mostPerSystem,
    ],
  });
  return seen;
}

/**
 * Records a heartbeat about a firewall, unless a newer one was recorded, and on which sources it reports.
 *
 * @param named the sources whose hosts it names, with the time of the last request. Those with Shield off are left out
 */
export async function recordHeartbeat(
  transaction: TenantTransaction,
  forwarder: Forwarder,
  { event, receivedAt }: WaitingEvent<ShieldHeartbeat>,
  named: ReadonlyMap<string, string>,
): Promise<void> {
  const { firewall, log } = event;
  const on = await lockShields(transaction, [...named.keys()]);
  const sources = new Map([...named].filter(([id]) => on.has(id)));
  await forgetOthers(transaction, forwarder, event);
  const judged = judgeLog(log, await readJudged(transaction, forwarder, firewall.engine));
  await transaction.query({
    text: `insert into shield_firewalls as f (forwarder_id, engine, version, mode, rule_set, rule_set_version, interval_seconds,
        started_at, last_seen_at, reported_at, problem, lag_bytes, records, malformed, too_long, last_record_at,
        judged_records, judged_malformed)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
      on conflict (organization_id, forwarder_id, engine) do update
        set version = coalesce(excluded.version, f.version),
          mode = case excluded.mode when 'unknown' then f.mode else excluded.mode end,
          rule_set = coalesce(excluded.rule_set, f.rule_set),
          rule_set_version = case when excluded.rule_set is null then f.rule_set_version else excluded.rule_set_version end,
          interval_seconds = excluded.interval_seconds, started_at = excluded.started_at,
          last_seen_at = greatest(f.last_seen_at, excluded.last_seen_at), reported_at = excluded.reported_at,
          problem = excluded.problem, lag_bytes = excluded.lag_bytes, records = excluded.records,
          malformed = excluded.malformed, too_long = excluded.too_long,
          last_record_at = greatest(f.last_record_at, excluded.last_record_at),
          judged_records = excluded.judged_records, judged_malformed = excluded.judged_malformed
        where f.reported_at <= excluded.reported_at`,
    values: [
      forwarder.id,
      firewall.engine,
      firewall.version,
      firewall.mode,
      firewall.rule_set?.name ?? null,
      firewall.rule_set?.version ?? null,
      event.interval_seconds,
      event.started_at,
      receivedAt,
      event.occurred_at,
      event.problem ?? (judged.understood ? null : 'log_not_understood'),
      log?.lag_bytes ?? null,
      log?.records ?? null,
      log?.malformed ?? null,
      log?.too_long ?? null,
      log?.last_record_at ?? null,
      judged.records,
      judged.malformed,
    ],
  });
  await transaction.query({
    text: `insert into shield_source_firewalls as s (source_id, forwarder_id, engine, last_request_at)
      select source_id, $1, $2, last_request_at from unnest($3::uuid[], $4::timestamptz[]) as t (source_id, last_request_at)
      on conflict (organization_id, source_id, forwarder_id, engine) do update
        set last_request_at = greatest(s.last_request_at, excluded.last_request_at)`,
    values: [forwarder.id, firewall.engine, [...sources.keys()], [...sources.values()]],
  });
}

/** What was last judged of the firewall's log. */
async function readJudged(
  transaction: TenantTransaction,
  forwarder: Forwarder,
  engine: FirewallEngine,
): Promise<JudgedLog | undefined> {
  const [judged] = await transaction.query<JudgedLog>({
    text: `select judged_records as records, judged_malformed as malformed,
        problem is distinct from 'log_not_understood' as understood
      from shield_firewalls where forwarder_id = $1 and engine = $2`,
    values: [forwarder.id, engine],
  });
  return judged;
}

/**
 * The sources with Shield on, which stays on until the transaction ends. Locked before their firewalls, as in
 * `turnShieldOff`.
 */
async function lockShields(
  transaction: TenantTransaction,
  sourceIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const shields = await transaction.query<{ source_id: string }>({
    text: 'select source_id from shields where source_id = any($1) order by source_id for key share',
    values: [sourceIds],
  });
  return new Set(shields.map(({ source_id }) => source_id));
}

/** Forgets other firewalls of the forwarder that it has not reported since it was started: its configuration lacks them. */
async function forgetOthers(
  transaction: TenantTransaction,
  forwarder: Forwarder,
  { firewall, started_at, occurred_at }: ShieldHeartbeat,
): Promise<void> {
  await transaction.query({
    text: `with gone as (
        select forwarder_id, engine from shield_firewalls where forwarder_id = $1 and engine <> $2 and reported_at < $3
          and $4::timestamptz - $3::timestamptz > greatest(make_interval(secs => 3 * interval_seconds), interval '5 minutes')),
      of_sources as (
        delete from shield_source_firewalls s using gone g where s.forwarder_id = g.forwarder_id and s.engine = g.engine)
      delete from shield_firewalls w using gone g where w.forwarder_id = g.forwarder_id and w.engine = g.engine`,
    values: [forwarder.id, firewall.engine, started_at, occurred_at],
  });
}

/** Counts events that the forwarder dropped. */
export async function countDropped(
  transaction: TenantTransaction,
  forwarder: Forwarder,
  count: number,
): Promise<void> {
  await transaction.query({
    text: 'update shield_forwarders set dropped = least(dropped + $2, 9007199254740991) where id = $1',
    values: [forwarder.id, count],
  });
}

/** Why requests, alerts or decisions changed nothing. The inbox notes the other reasons. */
export type ShieldIgnored = Exclude<AnyIgnored, 'too_many_events' | 'processing_failed' | 'key_revoked'>;

/** Notes on the forwarder how many requests, alerts or decisions changed nothing, with the reason. */
export async function recordIgnored(
  transaction: TenantTransaction,
  forwarder: Forwarder,
  count: number,
  reason: ShieldIgnored,
): Promise<void> {
  if (count === 0) return;
  await transaction.query({
    text: `update shield_forwarders set ignored = least(ignored + $2, 9007199254740991), ignored_at = now(),
        ignored_reason = $3 where id = $1`,
    values: [forwarder.id, count, reason],
  });
}
