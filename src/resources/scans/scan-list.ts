import type {
  ListScans,
  ScanDetail,
  ScanDetailPage,
  ScanPage,
  ScanRow,
} from '../../contract/dashboard/scans.ts';
import type { ConnectionMode } from '../../contract/sources.ts';
import { isOneOf, when } from '../../database/expressions.ts';
import { idsOf, newest, pageOf, readPage } from '../../database/page.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantSession, TenantStore } from '../../database/tenant-store.ts';
import { describeCause } from '../../domain/scan-causes.ts';
import { verdictMeanings } from '../../domain/verdict.ts';
import { isOf } from '../own-checks.ts';

/** Scans per page. */
const pageLength = '50';
/** Runs per page: one source has a dozen or two. */
const runsOfPage = '100';
/** A run's id also gives its position in the scan. */
const byId = { id: 'uuid' } as const;

/** Newest first. The scans of a source include those of its system. */
export async function listScanRows(store: TenantStore, query: ListScans): Promise<ScanPage> {
  const { status, verdict, system_id, source_id } = query;
  const matching = db
    .selectFrom('scans')
    .select(['id', 'created_at'])
    .where(({ and, or, eb, ref, selectFrom }) => {
      const systemOf = (id: string) => selectFrom('sources').select('system_id').where('id', '=', id);
      return and([
        ...when(status, words => isOneOf(ref('status'), words)),
        ...when(verdict, words => isOneOf(ref('verdict'), words)),
        ...when(system_id, id => eb('system_id', '=', id)),
        ...when(source_id, id => or([eb('source_id', '=', id), eb('system_id', '=', systemOf(id))])),
      ]);
    });
  const list = { organization: store.organizationId, name: 'scans', order: newest };
  return store.read(async session => {
    const { rows, next_cursor } = await readPage(list, { ...query, limit: pageLength }, page =>
      session.query(pageOf(matching, newest, page)),
    );
    const ids = idsOf(rows);
    const [scans, changes] = await Promise.all([findScanRows(session, ids), countChanges(session, ids)]);
    const byScan = new Map(changes.map(({ id, ...counts }) => [id, counts]));
    const none = { opened: 0, resolved: 0 };
    return { scans: scans.map(scan => ({ ...scan, ...(byScan.get(scan.id) ?? none) })), next_cursor };
  });
}

/** Found by the time of each scan, in the order of indexes. */
function countChanges(session: TenantSession, ids: readonly string[]) {
  return session.query<{ id: string; opened: number; resolved: number }>({
    text: `select s.id,
        (select count(*) from finding_episodes where opened_at between s.created_at and coalesce(s.finished_at, now())
          and opened_by_scan = s.id)::int as opened,
        (select count(*) from finding_episodes where closed_at between s.created_at and coalesce(s.finished_at, now())
          and closed_by_scan = s.id)::int as resolved
      from scans s where s.id = any($1)`,
    values: [ids],
  });
}

/** Newest first, with their targets and progress. */
export async function findScanRows(session: TenantSession, ids: readonly string[]): Promise<ScanRow[]> {
  return session.query<ScanRow>({
    text: `select s.id, s.profile, s.status, s.verdict, s.runs_planned, s.runs_succeeded, s.system_id, s.source_id, s.created_at,
    s.started_at, s.finished_at, s.finding_id,
    json_build_object('kind', case when s.system_id is null then 'source' else 'system' end,
      'id', coalesce(s.system_id, s.source_id), 'name', coalesce(y.name, o.name)) as target,
    (select count(*)::int from scan_runs r where r.scan_id = s.id and r.finished_at is not null) as runs_ended,
    case when a.scan_id is not null or s.is_own then json_build_object(
      'kind', case when a.scan_id is not null then 'probe' when exists (select from scan_runs r where r.scan_id = s.id and ${isOf('shield', 'r.detector')}) then 'shield' else 'service' end,
      'name', p.name, 'version', a.probe_version) end as reporter
    from scans s left join systems y on y.id = s.system_id left join sources o on o.id = s.source_id
      left join probe_assessments a on a.scan_id = s.id left join probes p on p.id = a.probe_id
    where s.id = any($1) order by s.created_at desc, s.id desc`,
    values: [ids],
  });
}

/** Unfinished scans, newest first. */
export async function listRunningScans(session: TenantSession, limit: number): Promise<ScanRow[]> {
  const unfinished = db
    .selectFrom('scans')
    .select('id')
    .where('finished_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  return findScanRows(session, idsOf(await session.query(unfinished)));
}

/**
 * The scan with a page of its runs, or undefined if the organization has none with this id. Throws `invalid_cursor`.
 *
 * @param cursor the start of the page; the first page if missing
 */
export async function findScanDetail(
  store: TenantStore,
  id: string,
  cursor?: string,
): Promise<ScanDetailPage | undefined> {
  const list = { organization: store.organizationId, name: 'scan_runs', order: byId, filters: { id } };
  return store.read(async session => {
    const [[scan], page] = await Promise.all([
      findScanRows(session, [id]),
      readPage(list, { limit: runsOfPage, ...(cursor ? { cursor } : {}) }, ({ after, limit }) =>
        runsAfter(session, id, after?.id ?? null, limit),
      ),
    ]);
    if (!scan) return undefined;
    const runs = await listRuns(session, idsOf(page.rows));
    const meaning = scan.verdict && verdictMeanings[scan.verdict];
    const inWords = runs.map(({ connection_mode, ...run }) => ({
      ...run,
      cause: run.cause && describeCause(run.cause, connection_mode),
    }));
    return { scan: { ...scan, meaning, runs: inWords }, next_cursor: page.next_cursor };
  });
}

/** The ids of runs, source by source, in the order of the index. */
function runsAfter(session: TenantSession, scanId: string, after: string | null, limit: number) {
  return session.query<{ id: string }>({
    text: `select id from scan_runs where scan_id = $1 and ($2::uuid is null
        or (source_id, detector) > (select source_id, detector from scan_runs where scan_id = $1 and id = $2))
      order by source_id, detector limit $3`,
    values: [scanId, after, limit],
  });
}

type RunRow = ScanDetail['runs'][number] & { readonly connection_mode: ConnectionMode };

/** Sorted by the names of their sources. */
function listRuns(session: TenantSession, ids: readonly string[]): Promise<RunRow[]> {
  return session.query({
    text: `select r.id, r.detector, r.status, r.cause, r.started_at, r.finished_at,
        json_build_object('id', s.id, 'name', s.name) as source, s.connection_mode
      from scan_runs r join sources s on s.id = r.source_id where r.id = any($1) order by s.name, s.id, r.detector`,
    values: [ids],
  });
}
