import type {
  AttackClass,
  FirewallEngine,
  FirewallMode,
  FirewallProblem,
} from '../../contract/shield-events.ts';
import type { TenantSession, TenantTransaction } from '../../database/tenant-store.ts';
import type { ScanSource } from '../scans/scans.ts';
import { isSilent } from '../silence.ts';
import { firewallsOfSources } from './firewalls-of-sources.ts';

/** What is known of the firewalls of a source: the capture of its detectors. */
interface KnownShield {
  readonly collected_at: string;
  readonly on_seconds: number;
  readonly firewalls: KnownFirewall[];
  readonly hours: AttackHours[];
  readonly blocks: { readonly without_detail: number; readonly requests: BlockedRequests[] };
}

interface KnownFirewall {
  readonly forwarder: string;
  readonly engine: FirewallEngine;
  readonly interval_seconds: number;
  readonly silent_seconds: number | null;
  readonly problem: FirewallProblem | null;
  readonly mode: FirewallMode;
  readonly rule_set: { readonly name: string; readonly version: string | null } | null;
}

interface AttackHours {
  readonly attack: AttackClass;
  readonly blocked: number[];
  readonly detected: number[];
}

interface BlockedRequests {
  readonly rule: string;
  readonly path: string;
  readonly network: string;
  readonly blocked: number;
  readonly authenticated: number;
}

/** Minutes between assessments of a source. */
const assessEveryMinutes = 3;

/** Combinations of rule, path and network that are read: those of two days. */
const mostBlocks = 5_000;

/** The source, locked, if Shield is on for it and an assessment is due: the next one is due minutes later. */
export async function takeDueShield(
  transaction: TenantTransaction,
  sourceId: string,
): Promise<ScanSource | undefined> {
  const [source] = await transaction.query<ScanSource>({
    text: `select id, system_id, kind, host, connection_mode from sources where id = $1 for no key update`,
    values: [sourceId],
  });
  // After the source is locked: it may have been turned off meanwhile.
  const due = await transaction.query({
    text: `update shields set assess_at = now() + make_interval(mins => $2)
      where source_id = $1 and assess_at <= now() returning source_id`,
    values: [sourceId, assessEveryMinutes],
  });
  return due.length > 0 ? source : undefined;
}

/** Stores the outcome of an assessment. False if it is the same as before. */
export async function recordOutcome(
  transaction: TenantTransaction,
  sourceId: string,
  outcome: string,
): Promise<boolean> {
  const changed = await transaction.query({
    text: `update shields set outcome = $2 where source_id = $1 and outcome is distinct from $2 returning source_id`,
    values: [sourceId, outcome],
  });
  return changed.length > 0;
}

/** What is known of the firewalls of a source with Shield on. */
export async function readShield(session: TenantSession, sourceId: string): Promise<KnownShield> {
  const [shield] = await session.query<Pick<KnownShield, 'collected_at' | 'on_seconds'>>({
    text: `select now()::timestamptz(3) as collected_at, extract(epoch from now() - turned_on_at)::int as on_seconds
      from shields where source_id = $1`,
    values: [sourceId],
  });
  return {
    ...shield!,
    firewalls: await readFirewalls(session, sourceId),
    hours: await readHours(session, sourceId),
    blocks: await readBlocks(session, sourceId),
  };
}

/** Those that reported requests for the source, and CrowdSec. */
async function readFirewalls(session: TenantSession, sourceId: string): Promise<KnownFirewall[]> {
  const rows = await session.query<
    Omit<KnownFirewall, 'rule_set'> & { rule_set: string | null; rule_set_version: string | null }
  >({
    text: `select f.name as forwarder, w.engine, w.interval_seconds,
        case when ${isSilent('w')}
          then extract(epoch from now() - w.last_seen_at)::int end as silent_seconds,
        w.problem, w.mode, w.rule_set, w.rule_set_version
      from shield_firewalls w join shield_forwarders f on f.id = w.forwarder_id
        join (${firewallsOfSources}) s on s.forwarder_id = w.forwarder_id and s.engine = w.engine
      where s.source_id = $1 order by f.name, w.engine`,
    values: [sourceId],
  });
  return rows.map(({ rule_set, rule_set_version, ...row }) => ({
    ...row,
    rule_set: rule_set === null ? null : { name: rule_set, version: rule_set_version },
  }));
}

async function readHours(session: TenantSession, sourceId: string): Promise<AttackHours[]> {
  const rows = await session.query<{
    attack: AttackClass;
    ago: number;
    blocked: number;
    detected: number;
  }>({
    text: `select attack, (extract(epoch from date_trunc('hour', now(), 'UTC') - hour) / 3600)::int as ago, blocked, detected
      from shield_hours where source_id = $1 and hour >= date_trunc('hour', now(), 'UTC') - interval '3 hours'
        and hour < date_trunc('hour', now(), 'UTC') order by attack`,
    values: [sourceId],
  });
  return [...new Set(rows.map(({ attack }) => attack))].map(attack => {
    const hours = [3, 2, 1].map(ago => rows.find(row => row.attack === attack && row.ago === ago));
    return {
      attack,
      blocked: hours.map(hour => hour?.blocked ?? 0),
      detected: hours.map(hour => hour?.detected ?? 0),
    };
  });
}

async function readBlocks(session: TenantSession, sourceId: string): Promise<KnownShield['blocks']> {
  const rows = await session.query<BlockedRequests>({
    text: `select rule, path, network, sum(blocked)::bigint as blocked, sum(authenticated)::bigint as authenticated
      from shield_blocks where source_id = $1 and day >= (now() at time zone 'UTC')::date - 1
      group by rule, path, network order by rule, path, network limit $2`,
    values: [sourceId, mostBlocks],
  });
  return {
    without_detail: rows.find(({ rule }) => rule === '')?.blocked ?? 0,
    requests: rows.filter(({ rule }) => rule !== ''),
  };
}
