import type {
  CrowdsecCounts,
  ShieldFirewall,
  ShieldForwarder,
  ShieldOverview,
  ShieldSource,
} from '../../contract/dashboard/shield.ts';
import { idsOf } from '../../database/page.ts';
import type { TenantSession, TenantStore } from '../../database/tenant-store.ts';
import { isSilent } from '../silence.ts';
import { firewallsOfSources } from './firewalls-of-sources.ts';

/** Rows that are listed; more sources or forwarders than these are rare. */
const mostRows = 500;

/** The first of seven days (UTC), the current one included, as on the page of a source. */
const firstDay = `((now() at time zone 'UTC')::date - 6)`;

/** Columns of a firewall `w`. */
export const firewallColumns = `w.engine, w.version, w.mode, w.rule_set, w.rule_set_version, w.interval_seconds, w.last_seen_at,
  ${isSilent('w')} as silent,
  w.problem, w.lag_bytes, w.records, w.malformed, w.too_long, w.last_record_at`;

/**
 * SQL of the state of Shield for sources: `source_id`, `state` and `silent_since`, of a source that has it on. CrowdSec decides only
 * without firewalls that report requests. A firewall is blind if its forwarder reports, and can read or understand nothing.
 */
export const shieldStates = `select h.source_id, h.turned_on_at,
    case when count(w.engine) = 0 then 'waiting'
      when bool_and(w.silent) then 'silent'
      when bool_and(w.silent or w.blind) then case when bool_and(w.engine = 'crowdsec') then 'crowdsec_unreadable' else 'log_unreadable' end
      when bool_and(w.engine = 'crowdsec') then 'crowdsec'
      else 'on' end as state,
    case when bool_and(w.silent) then max(w.last_seen_at) end as silent_since
  from shields h left join (
      select s.source_id, w.engine, w.last_seen_at, ${isSilent('w')} as silent,
        w.problem is not null as blind,
        rank() over (partition by s.source_id order by w.engine = 'crowdsec') as rank
      from (${firewallsOfSources}) s join shield_firewalls w on w.forwarder_id = s.forwarder_id and w.engine = s.engine) w
    on w.source_id = h.source_id and w.rank = 1
  group by h.source_id, h.turned_on_at`;

/** The sources with Shield on, most requests first, and all forwarders. */
export function listShields(store: TenantStore): Promise<ShieldOverview> {
  return store.read(async session => {
    const [sources, forwarders] = await Promise.all([listSources(session), listForwarders(session)]);
    return { sources, forwarders };
  });
}

function listSources(session: TenantSession): Promise<ShieldSource[]> {
  return session.query<ShieldSource>({
    text: `select s.id, s.name, s.host, json_build_object('id', y.id, 'name', y.name) as system, t.state, t.silent_since,
        coalesce(c.blocked, 0) as blocked, coalesce(c.detected, 0) as detected
      from (${shieldStates}) as t join sources s on s.id = t.source_id join systems y on y.id = s.system_id
        left join (select source_id, sum(blocked)::bigint as blocked, sum(detected)::bigint as detected from shield_days
          where day >= ${firstDay} group by source_id) as c on c.source_id = s.id
      order by blocked + detected desc, s.name, s.id limit $1`,
    values: [mostRows],
  });
}

type ForwarderRow = Omit<ShieldForwarder, 'firewalls' | 'crowdsec'> & CrowdsecCounts;

async function listForwarders(session: TenantSession): Promise<ShieldForwarder[]> {
  const forwarders = await session.query<ForwarderRow>({
    text: `select f.id, f.name, f.version, json_build_object('id', y.id, 'name', y.name) as system, f.last_seen_at, f.dropped,
        f.ignored, f.ignored_reason, f.active_decisions,
        exists (select from shields h join sources s on s.id = h.source_id where s.system_id = f.system_id) as used,
        (select count(*) from shield_alerts a
          where a.forwarder_id = f.id and a.created_at >= ${firstDay}::timestamp at time zone 'UTC') as alerts
      from shield_forwarders f join systems y on y.id = f.system_id order by y.name, f.name, f.id limit $1`,
    values: [mostRows],
  });
  const firewalls = await session.query<ShieldFirewall & { forwarder_id: string }>({
    text: `select w.forwarder_id, ${firewallColumns} from shield_firewalls w where w.forwarder_id = any($1)
      order by w.engine`,
    values: [idsOf(forwarders)],
  });
  const byForwarder = new Map<string, ShieldFirewall[]>(forwarders.map(({ id }) => [id, []]));
  for (const { forwarder_id, ...firewall } of firewalls) byForwarder.get(forwarder_id)!.push(firewall);
  return forwarders.map(({ alerts, active_decisions, ...forwarder }) => {
    const own = byForwarder.get(forwarder.id)!;
    const hasCrowdsec = own.some(({ engine }) => engine === 'crowdsec');
    return { ...forwarder, firewalls: own, crowdsec: hasCrowdsec ? { alerts, active_decisions } : null };
  });
}
