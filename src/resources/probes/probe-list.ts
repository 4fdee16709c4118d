import type { TestError } from '../../contract/causes.ts';
import type {
  ListProbes,
  ProbeDetail,
  ProbePage,
  ProbeRow,
  SourceChangePage,
} from '../../contract/dashboard/probes.ts';
import type { SourceDetail } from '../../contract/dashboard/sources.ts';
import { when } from '../../database/expressions.ts';
import { jsonTimestamp } from '../../database/json-text.ts';
import { idsOf, pageOf, readPage } from '../../database/page.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantSession, TenantStore } from '../../database/tenant-store.ts';
import { describeCause } from '../../domain/scan-causes.ts';
import { openOf } from '../posture/posture.ts';
import { describeIgnored } from './describe-ignored.ts';

/** Older keys of a probe that are listed. */
const mostOlderKeys = 20;
/** Probes and changes per page. */
const pageLength = '50';
const order = { first_seen_at: 'timestamptz', id: 'uuid' } as const;
const orderOfChanges = { occurred_at: 'timestamptz', event_id: 'uuid', place: 'bigint' } as const;

/** Newest first. */
export async function listProbeRows(store: TenantStore, query: ListProbes): Promise<ProbePage> {
  const list = { organization: store.organizationId, name: 'probes', order };
  const matching = db
    .selectFrom('probes')
    .select(['first_seen_at', 'id'])
    .where(({ and, eb }) =>
      and([eb('removed_at', 'is', null), ...when(query.system_id, id => eb('system_id', '=', id))]),
    );
  return store.read(async session => {
    const { rows, next_cursor } = await readPage(list, { ...query, limit: pageLength }, page =>
      session.query(pageOf(matching, order, page)),
    );
    return { probes: await findProbeRows(session, idsOf(rows)), next_cursor };
  });
}

interface StoredProbe extends Omit<ProbeRow, 'spool' | 'ignored' | 'targets' | 'key'> {
  readonly heartbeat_at: string | null;
  readonly spool_events: number;
  readonly spool_bytes: number;
  readonly spool_oldest_at: string | null;
  readonly set_aside: number;
  readonly ignored: number;
  readonly ignored_at: string | null;
  readonly ignored_reason: string | null;
  readonly key_id: string;
  readonly key_name: string | null;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly ok: number;
  readonly failing: number;
  readonly waiting: number;
}

async function findProbeRows(session: TenantSession, ids: readonly string[]): Promise<ProbeRow[]> {
  const rows = await session.query<StoredProbe>({
    text: `select p.id, p.name, json_build_object('id', y.id, 'name', y.name) as system, p.version, p.first_seen_at,
        p.last_seen_at, p.silent_since, p.interval_seconds, p.started_at, p.spool_events, p.spool_bytes, p.spool_oldest_at,
        p.set_aside, p.dropped, p.ignored, p.ignored_at, p.ignored_reason, p.key_id, k.name as key_name, k.expires_at,
        k.revoked_at, t.heartbeat_at, t.ok, t.failing, t.waiting
      from probes p join systems y on y.id = p.system_id left join api_keys k on k.id = p.key_id
        cross join lateral (select (count(*) filter (where state = 'ok'))::int as ok,
          (count(*) filter (where state = 'failing'))::int as failing,
          (count(*) filter (where state = 'waiting'))::int as waiting, max(reported_at) as heartbeat_at
          from probe_targets where probe_id = p.id and dropped_at is null) as t
      where p.id = any($1) and p.removed_at is null order by p.first_seen_at desc, p.id desc`,
    values: [ids],
  });
  return rows.map(row => {
    const {
      spool_events: events,
      spool_bytes: bytes,
      spool_oldest_at: oldest_at,
      set_aside,
      heartbeat_at: as_of,
      ...afterSpool
    } = row;
    const {
      ignored: count,
      ignored_at: at,
      ignored_reason,
      ok,
      failing,
      waiting,
      ...afterCounts
    } = afterSpool;
    const { key_id: id, key_name: name, expires_at, revoked_at, ...probe } = afterCounts;
    return {
      ...probe,
      spool: { events, bytes, oldest_at, set_aside, as_of },
      ignored: { count, at, reason: ignored_reason && describeIgnored(ignored_reason) },
      targets: { ok, failing, waiting },
      key: { id, name, expires_at, revoked_at },
    };
  });
}

/**
 * SQL: when the target `t` was assessed last. Its newest assessment may be newer than the heartbeat, but the cause of a failure
 * is the one that the heartbeat named, at its time.
 */
const assessedAt = `case when t.state = 'failing' then t.checked_at else greatest(t.checked_at, (select c.started_at from scans c
    where c.source_id = t.source_id and not c.is_own order by c.created_at desc, c.id desc limit 1)) end`;

interface StoredReport extends Omit<ProbeDetail['reports'][number], 'error'> {
  readonly error_code: TestError | null;
}

/** Undefined if the organization has no such probe. */
export async function findProbeDetail(session: TenantSession, id: string): Promise<ProbeDetail | undefined> {
  const [probe] = await findProbeRows(session, [id]);
  if (!probe) return undefined;
  const reports = await session.query<StoredReport>({
    text: `select t.name, t.state, t.error_code, (${assessedAt})::timestamptz(3) as checked_at, t.reported_at, t.latency_ms, t.every_seconds,
        json_build_object('id', s.id, 'name', s.name, 'kind', s.kind, 'host', s.host) as source,
        case when o.source_id is not null then ${openOf('o')} end as open
      from probe_targets t join sources s on s.id = t.source_id left join source_postures o on o.source_id = s.id
      where t.probe_id = $1 and t.dropped_at is null order by t.state = 'failing' desc, t.name, t.source_id`,
    values: [id],
  });
  const older_keys = await session.query<ProbeDetail['older_keys'][number]>({
    text: `select k.id, k.last_used_at from probe_keys u join api_keys k on k.id = u.key_id join api_keys c on c.id = $2
      where u.probe_id = $1 and k.created_at < c.created_at and k.revoked_at is null and k.expires_at > now()
        and not exists (select from probes o where o.key_id = k.id and o.removed_at is null)
        and not exists (select from shield_forwarders f where f.key_id = k.id)
      order by k.created_at desc, k.id desc limit ${mostOlderKeys}`,
    values: [id, probe.key.id],
  });
  return {
    ...probe,
    older_keys,
    reports: reports.map(({ error_code, ...report }) => ({
      ...report,
      error: error_code && describeCause(error_code, 'probe'),
    })),
  };
}

interface ReportOnSource extends Omit<NonNullable<SourceDetail['report']>, 'error'> {
  readonly error_code: TestError | null;
}

/** The newest report on a source; null if no probe has reported on it. */
export async function reportOnSource(
  session: TenantSession,
  sourceId: string,
): Promise<SourceDetail['report']> {
  const [found] = await session.query<ReportOnSource>({
    text: `select t.name, t.state, t.error_code, (${assessedAt})::timestamptz(3) as checked_at, t.reported_at, t.latency_ms, t.every_seconds,
        json_build_object('id', p.id, 'name', p.name, 'last_seen_at', ${jsonTimestamp('p.last_seen_at')},
          'silent_since', ${jsonTimestamp('p.silent_since')}, 'key', json_build_object('expires_at', ${jsonTimestamp('k.expires_at')},
          'revoked_at', ${jsonTimestamp('k.revoked_at')})) as probe
      from probe_targets t join probes p on p.id = t.probe_id left join api_keys k on k.id = p.key_id where t.source_id = $1 and t.dropped_at is null`,
    values: [sourceId],
  });
  if (!found) return null;
  const { error_code, ...report } = found;
  return { ...report, error: error_code && describeCause(error_code, 'probe') };
}

/** The probe that reported on a source and no longer names it; null otherwise. */
export async function droppedBy(session: TenantSession, sourceId: string): Promise<SourceDetail['dropped']> {
  const [dropped] = await session.query<NonNullable<SourceDetail['dropped']>>({
    text: `select json_build_object('id', p.id, 'name', p.name) as probe, p.removed_at is not null as removed, t.dropped_at
      from probe_targets t join probes p on p.id = t.probe_id where t.source_id = $1 and t.dropped_at is not null`,
    values: [sourceId],
  });
  return dropped ?? null;
}

/** What changed in a source, newest first. */
export async function listSourceChanges(
  store: TenantStore,
  sourceId: string,
  query: { readonly cursor?: string },
): Promise<SourceChangePage> {
  const list = {
    organization: store.organizationId,
    name: 'source_changes',
    order: orderOfChanges,
    filters: { source: sourceId },
  };
  const matching = db
    .selectFrom('source_changes')
    .select(['occurred_at', 'event_id', 'place', 'area', 'name', 'change'])
    .where('source_id', '=', sourceId);
  const { rows, next_cursor } = await readPage(list, { ...query, limit: pageLength }, page =>
    store.read(session => session.query(pageOf(matching, orderOfChanges, page))),
  );
  return { changes: rows, next_cursor };
}
