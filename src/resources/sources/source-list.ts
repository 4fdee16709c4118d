import { outdatedAfterDays } from '../../contract/dashboard/outdated.ts';
import type { ListSources, SourcePage, SourceRow } from '../../contract/dashboard/sources.ts';
import { contains, isOneOf, lowerCase, when } from '../../database/expressions.ts';
import { idsOf, newest, pageOf, readPage } from '../../database/page.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantSession, TenantStore } from '../../database/tenant-store.ts';
import { type OpenFindings, organizationScore } from '../../domain/posture-score.ts';
import { describeState } from '../../domain/source-states.ts';
import { openOf } from '../posture/posture.ts';
import type { ScanningService } from '../scans/request-scan.ts';
import { findScanRows } from '../scans/scan-list.ts';

interface StoredRow extends Omit<SourceRow, 'score' | 'open' | 'state' | 'last_scan'> {
  /** Null if the source was never scanned. */
  readonly posture: OpenFindings | null;
  readonly has_credential: boolean;
  readonly last_scan_id: string | null;
}

/** Sources per page. */
const pageLength = '50';

/** The last scan of the source `s`, or of its system, that contacted it. */
const lastScan = `(
    (select id, created_at, status, finished_at from scans where source_id = s.id and not is_own
      order by created_at desc, id desc limit 1)
    union all
    (select id, created_at, status, finished_at from scans where system_id = s.system_id and created_at >= s.created_at
      order by created_at desc, id desc limit 1)
    order by created_at desc limit 1)`;

/** How the probe that reported last on the source `s` reports. */
const probeState = `(select case when t.dropped_at is not null then 'dropped' when k.revoked_at is not null then 'key_revoked'
    when k.expires_at <= now() then 'key_expired' when r.silent_since is not null then 'silent' else 'reporting' end
  from probe_targets t join probes r on r.id = t.probe_id left join api_keys k on k.id = r.key_id
  where t.source_id = s.id and s.status not in ('draft', 'disconnected'))`;

/** Newest first. */
export async function listSourceRows(
  store: TenantStore,
  query: ListSources,
  service: ScanningService,
): Promise<SourcePage> {
  const { search, status, kind, system_id } = query;
  const matching = db
    .selectFrom('sources')
    .select(['id', 'created_at'])
    .where(({ and, or, eb, ref }) =>
      and([
        ...when(search, part => or([contains(lowerCase(ref('name')), part), contains(ref('host'), part)])),
        ...when(status, words => isOneOf(ref('status'), words)),
        ...when(kind, words => isOneOf(ref('kind'), words)),
        ...when(system_id, id => eb('system_id', '=', id)),
      ]),
    );
  const list = { organization: store.organizationId, name: 'sources', order: newest };
  return store.read(async session => {
    const { rows, next_cursor } = await readPage(list, { ...query, limit: pageLength }, page =>
      session.query(pageOf(matching, newest, page)),
    );
    return { sources: await findSourceRows(session, idsOf(rows), service), next_cursor };
  });
}

export async function findSourceRow(
  session: TenantSession,
  id: string,
  service: ScanningService,
): Promise<SourceRow | undefined> {
  return (await findSourceRows(session, [id], service))[0];
}

/** Newest first, with their details. */
async function findSourceRows(session: TenantSession, ids: readonly string[], service: ScanningService) {
  const rows = await session.query<StoredRow>({
    text: `select s.id, s.name, s.kind, s.host, s.status, s.system_id, s.scan_authorized_at, s.connection_mode, s.created_at, ${probeState} as probe_state,
    json_build_object('id', y.id, 'name', y.name) as system, case when p.source_id is not null then ${openOf('p')} end as posture,
    w.every_hours as watch_every_hours, c.source_id is not null as has_credential, last.id as last_scan_id
  from sources s join systems y on y.id = s.system_id
    left join source_postures p on p.source_id = s.id left join watches w on w.source_id = s.id
    left join source_credentials c on c.source_id = s.id left join lateral ${lastScan} as last on true
  where s.id = any($1) order by s.created_at desc, s.id desc`,
    values: [ids],
  });
  return described(session, rows, service);
}

/**
 * Sources that need attention, newest first: they are not set up, were never scanned, no probe names them, or their last scan, or that of
 * their system if it is newer, assessed nothing or is outdated. Only the few such scans are compared with others.
 */
const needy = `with useless as materialized (select target_id, of_system, created_at from last_scans
      where status = 'failed' or finished_at < now() - interval '${outdatedAfterDays} days'),
    needy as (
      select s.id from sources s where s.status in ('draft', 'failing') or s.scan_authorized_at is null
        or (s.connection_mode = 'probe' and s.status = 'pending')
        or (s.kind <> 'website' and s.connection_mode = 'direct' and not exists (select from source_credentials c where c.source_id = s.id))
      union
      select s.id from sources s where $2 and not exists (select from source_postures p where p.source_id = s.id)
      union
      select s.id from useless own join sources s on s.id = own.target_id
        where not exists (select from last_scans n
          where n.target_id = s.system_id and n.created_at > own.created_at and n.created_at >= s.created_at)
      union
      select s.id from useless shared join sources s on shared.of_system and s.system_id = shared.target_id and s.created_at <= shared.created_at
        where not exists (select from last_scans n where n.target_id = s.id and n.created_at >= shared.created_at))
  select s.id, count(*) over ()::int as total from needy join sources s on s.id = needy.id where s.status <> 'disconnected'
  order by s.created_at desc, s.id desc limit $1`;

/**
 * Newest first, and their total number.
 *
 * @param someAreNotScanned otherwise, none is searched for
 */
export async function listAttention(
  session: TenantSession,
  limit: number,
  someAreNotScanned: boolean,
  service: ScanningService,
) {
  const found = await session.query<{ id: string; total: number }>({
    text: needy,
    values: [limit, someAreNotScanned],
  });
  const rows = await findSourceRows(session, idsOf(found), service);
  return { rows, total: found[0]?.total ?? 0 };
}

async function described(
  session: TenantSession,
  rows: readonly StoredRow[],
  service: ScanningService,
): Promise<SourceRow[]> {
  const ids = rows.flatMap(({ last_scan_id }) => last_scan_id ?? []);
  const scans = new Map((await findScanRows(session, ids)).map(scan => [scan.id, scan]));
  return rows.map(({ posture, has_credential, last_scan_id, ...row }) => {
    const facts = {
      ...row,
      has_credential,
      was_scanned: last_scan_id !== null,
      is_watched: row.watch_every_hours !== null,
    };
    const state = describeState(facts, service);
    return {
      ...row,
      score: posture && (organizationScore([posture]) ?? null),
      open: posture ?? { critical: 0, high: 0, medium: 0, low: 0, info: 0 },
      state: { ...state, actions: [...state.actions] },
      last_scan: scans.get(last_scan_id ?? '') ?? null,
    };
  });
}
