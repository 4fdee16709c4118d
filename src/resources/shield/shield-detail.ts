import type {
  CrowdsecCounts,
  ShieldDetail,
  ShieldFirewall,
  ShieldPeriod,
  ShieldTop,
} from '../../contract/dashboard/shield.ts';
import type { TenantSession, TenantStore } from '../../database/tenant-store.ts';
import { firewallsOfSources } from './firewalls-of-sources.ts';
import { sourceOfHost, sourcesByHost } from './hosts.ts';
import { firewallColumns, shieldStates } from './shield-list.ts';

/** Rows of each table, besides the sum of all others. */
const mostRows = 10;
const mostAlerts = 50;

/** What the firewalls of a source reported in the last days, the current one included. Undefined without such a source. */
export function findShieldDetail(
  store: TenantStore,
  sourceId: string,
  days: ShieldPeriod,
): Promise<ShieldDetail | undefined> {
  return store.read(async session => {
    const [source] = await session.query<{ system_id: string; host: string; recorded: boolean }>({
      text: `select system_id, host, exists (select from shield_hours where source_id = sources.id) as recorded
        from sources where id = $1`,
      values: [sourceId],
    });
    if (!source) return undefined;
    const [shield] = await session.query<Pick<ShieldDetail, 'state' | 'silent_since' | 'turned_on_at'>>({
      text: `select state, silent_since, turned_on_at from (${shieldStates}) as t where source_id = $1`,
      values: [sourceId],
    });
    const bucket = days === 1 ? 'hour' : 'day';
    const timeline = await readTimeline(session, sourceId, days, bucket);
    const since = timeline[0]!.at;
    const sum = (of: 'blocked' | 'detected') => timeline.reduce((total, counts) => total + counts[of], 0);
    const tops = (kind: 'rule' | 'path' | 'network') => readTops(session, sourceId, kind, since);
    return {
      ...(shield ?? { state: 'off', silent_since: null, turned_on_at: null }),
      recorded: source.recorded,
      counted_for: shield ? await otherSource(session, sourceId, source) : null,
      bucket,
      total: { blocked: sum('blocked'), detected: sum('detected') },
      timeline,
      attacks: await readAttacks(session, sourceId, since),
      rules: await tops('rule'),
      paths: await tops('path'),
      networks: await tops('network'),
      firewalls: await readFirewalls(session, sourceId),
      crowdsec: await readCrowdsec(session, sourceId, since),
      alerts: await readAlerts(session, sourceId),
      decisions: await readDecisions(session, sourceId),
    };
  });
}

/** The source with the same host for which requests are counted instead. */
async function otherSource(
  session: TenantSession,
  sourceId: string,
  { system_id, host }: { readonly system_id: string; readonly host: string },
): Promise<ShieldDetail['counted_for']> {
  const counted = sourceOfHost(await sourcesByHost(session, system_id), host);
  return counted === undefined || counted.id === sourceId ? null : { id: counted.id, name: counted.name };
}

/** Every hour or day (UTC) of the period, including those without requests. */
function readTimeline(
  session: TenantSession,
  sourceId: string,
  days: ShieldPeriod,
  bucket: 'hour' | 'day',
): Promise<ShieldDetail['timeline']> {
  const [buckets, interval] = bucket === 'hour' ? [24, '1 hour'] : [days, '1 day'];
  return session.query<ShieldDetail['timeline'][number]>({
    text: `select t.at::timestamptz(3) as at, coalesce(sum(h.blocked), 0)::bigint as blocked,
        coalesce(sum(h.detected), 0)::bigint as detected
      from generate_series(date_trunc($2, now(), 'UTC') - ($3::int - 1) * $4::text::interval, date_trunc($2, now(), 'UTC'),
          $4::text::interval) as t (at)
        left join shield_hours h on h.source_id = $1 and h.hour >= t.at and h.hour < t.at + $4::text::interval
      group by t.at order by t.at`,
    values: [sourceId, bucket, buckets, interval],
  });
}

function readAttacks(
  session: TenantSession,
  sourceId: string,
  since: string,
): Promise<ShieldDetail['attacks']> {
  return session.query<ShieldDetail['attacks'][number]>({
    text: `select attack, sum(blocked)::bigint as blocked, sum(detected)::bigint as detected from shield_hours
      where source_id = $1 and hour >= $2 group by attack order by sum(blocked + detected) desc, attack`,
    values: [sourceId, since],
  });
}

/** The most frequent values since the day of a time, and the sum of all others. */
function readTops(
  session: TenantSession,
  sourceId: string,
  kind: 'rule' | 'path' | 'network',
  since: string,
): Promise<ShieldTop[]> {
  return session.query<ShieldTop>({
    text: `with summed as (
        select value, max(label) as label, sum(blocked)::bigint as blocked, sum(detected)::bigint as detected
        from shield_tops where source_id = $1 and kind = $2 and day >= ($3::timestamptz at time zone 'UTC')::date
        group by value),
      ranked as (
        select *, value <> '' and row_number() over (order by value = '', blocked + detected desc, value) <= $4 as is_shown
        from summed),
      shown as (
        select case when is_shown then value else '' end as value, case when is_shown then label end as label, blocked,
          detected
        from ranked)
      select value, max(label) as label, sum(blocked)::bigint as blocked, sum(detected)::bigint as detected
      from shown group by value order by value = '', sum(blocked + detected) desc, value`,
    values: [sourceId, kind, since, mostRows],
  });
}

/** SQL: whether a firewall of the forwarder `f` reports on the source. @param engine SQL of the firewall's engine */
const reportsOnSource = (engine: string) =>
  `exists (select from (${firewallsOfSources}) s where s.source_id = $1 and s.forwarder_id = f.id and s.engine = ${engine})`;
const withCrowdsec = reportsOnSource(`'crowdsec'`);

function readFirewalls(session: TenantSession, sourceId: string): Promise<ShieldDetail['firewalls']> {
  return session.query<ShieldFirewall & { forwarder: string }>({
    text: `select f.name as forwarder, ${firewallColumns}
      from shield_firewalls w join shield_forwarders f on f.id = w.forwarder_id
      where ${reportsOnSource('w.engine')} order by f.name, w.engine`,
    values: [sourceId],
  });
}

/** Null if no CrowdSec reports on the source's system. */
async function readCrowdsec(
  session: TenantSession,
  sourceId: string,
  since: string,
): Promise<ShieldDetail['crowdsec']> {
  const rows = await session.query<CrowdsecCounts>({
    text: `select f.active_decisions,
        (select count(*) from shield_alerts a where a.forwarder_id = f.id and a.created_at >= $2) as alerts
      from shield_forwarders f where ${withCrowdsec}`,
    values: [sourceId, since],
  });
  if (rows.length === 0) return null;
  const stated = rows.flatMap(({ active_decisions }) => active_decisions ?? []);
  const sum = (origin: keyof (typeof stated)[number]) =>
    stated.reduce((total, counts) => total + counts[origin], 0);
  return {
    alerts: rows.reduce((total, { alerts }) => total + alerts, 0),
    active_decisions:
      stated.length === 0
        ? null
        : {
            crowdsec: sum('crowdsec'),
            cscli: sum('cscli'),
            capi: sum('capi'),
            lists: sum('lists'),
            other: sum('other'),
          },
  };
}

function readAlerts(session: TenantSession, sourceId: string): Promise<ShieldDetail['alerts']> {
  return session.query<ShieldDetail['alerts'][number]>({
    text: `select f.name as forwarder, a.alert, a.scenario, a.scope, a.network, a.events, a.created_at, a.simulated
      from shield_alerts a join shield_forwarders f on f.id = a.forwarder_id
      where ${withCrowdsec} order by a.created_at desc, a.alert desc limit $2`,
    values: [sourceId, mostAlerts],
  });
}

function readDecisions(session: TenantSession, sourceId: string): Promise<ShieldDetail['decisions']> {
  return session.query<ShieldDetail['decisions'][number]>({
    text: `select f.name as forwarder, d.decision, d.type, d.scope, d.network, d.ends_at, d.origin, d.scenario
      from shield_decisions d join shield_forwarders f on f.id = d.forwarder_id
      where ${withCrowdsec} and d.ends_at > now() order by d.decided_at desc, d.decision desc limit $2`,
    values: [sourceId, mostAlerts],
  });
}
