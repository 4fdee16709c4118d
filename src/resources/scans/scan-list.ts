import type {
  ListScans,
  ScanDetail,
  ScanDetailPage,
  ScanPage,
  ScanRow,
} from '../../contract/dashboard/scans.ts';
import { givenConditions } from '../../database/conditions.ts';
import { decodeCursor, encodeCursor } from '../../database/cursor.ts';
import { readPage } from '../../database/page.ts';
import type { TenantSession, TenantStore } from '../../database/tenant-store.ts';
import { describeCause } from '../../domain/scan-causes.ts';
import { verdictMeanings } from '../../domain/verdict.ts';

/** Scans of a page. */
const pageLength = '50';
/** Runs of a page: of one source there are a dozen or two. */
const runsOfPage = 100;

/** The scans whose ids `page` selects, with what was to be scanned and how far they are. */
const scanRows = (page: string) => `with page as (${page})
  select s.id, s.profile, s.status, s.verdict, s.runs_planned, s.runs_succeeded, s.system_id, s.source_id, s.created_at,
    s.started_at, s.finished_at, s.finding_id,
    json_build_object('kind', case when s.system_id is null then 'source' else 'system' end,
      'id', coalesce(s.system_id, s.source_id), 'name', coalesce(y.name, o.name)) as target,
    (select count(*)::int from scan_runs r where r.scan_id = s.id and r.finished_at is not null) as runs_ended
  from page join scans s using (id) left join systems y on y.id = s.system_id left join sources o on o.id = s.source_id
  order by s.created_at desc, s.id desc`;

/** Newest first. A source's scans are also those of its system. */
export async function listScanRows(store: TenantStore, query: ListScans): Promise<ScanPage> {
  const conditions = givenConditions(
    [`status = any(string_to_array($, ','))`, query.status],
    [`verdict = any(string_to_array($, ','))`, query.verdict],
    ['system_id = $', query.system_id],
    ['(source_id = $ or system_id = (select system_id from sources where id = $))', query.source_id],
  );
  const limited = { ...query, limit: pageLength };
  const { rows, next_cursor } = await readPage(statement => store.queryOnce<ScanRow>(statement), {
    organization: store.organizationId,
    table: 'scans',
    columns: 'id',
    query: limited,
    conditions,
    around: scanRows,
  });
  return { scans: rows, next_cursor };
}

export async function findScanRows(session: TenantSession, ids: readonly string[]): Promise<ScanRow[]> {
  return session.query<ScanRow>({ text: scanRows('select unnest($1::uuid[]) as id'), values: [ids] });
}

/** Scans that have not ended, newest first. */
export async function listRunningScans(session: TenantSession, limit: number): Promise<ScanRow[]> {
  const unfinished =
    'select id from scans where finished_at is null order by created_at desc, id desc limit $1';
  return session.query<ScanRow>({ text: scanRows(unfinished), values: [limit] });
}

/**
 * The scan with a page of its runs, or undefined when the organization has none with this id. Throws `invalid_cursor`.
 *
 * @param cursor where the page begins; without one it is the first
 */
export async function findScanDetail(
  store: TenantStore,
  id: string,
  cursor?: string,
): Promise<ScanDetailPage | undefined> {
  const conditions = [{ sql: 'scan_id = $', value: id }];
  const bound = { organization: store.organizationId, name: 'scan_runs', conditions };
  const after = cursor === undefined ? null : decodeCursor(cursor, ['uuid'], bound)[0];
  return store.read(async session => {
    const [[scan], ids] = await Promise.all([findScanRows(session, [id]), runsAfter(session, id, after)]);
    if (!scan) return undefined;
    const page = ids.slice(0, runsOfPage);
    const runs = await listRuns(session, page);
    const meaning = scan.verdict && verdictMeanings[scan.verdict];
    const inWords = runs.map(run => ({ ...run, cause: run.cause && describeCause(run.cause) }));
    const next = ids.length > page.length ? encodeCursor([page.at(-1)!], bound) : null;
    return { scan: { ...scan, meaning, runs: inWords }, next_cursor: next };
  });
}

/** The ids of a page's runs and of one more, source by source, in the order of the index. */
async function runsAfter(session: TenantSession, scanId: string, after: string | null): Promise<string[]> {
  const rows = await session.query<{ id: string }>({
    text: `select id from scan_runs where scan_id = $1 and ($2::uuid is null
        or (source_id, detector) > (select source_id, detector from scan_runs where scan_id = $1 and id = $2))
      order by source_id, detector limit $3`,
    values: [scanId, after, runsOfPage + 1],
  });
  return rows.map(({ id }) => id);
}

/** By the names of their sources. */
function listRuns(session: TenantSession, ids: readonly string[]): Promise<ScanDetail['runs']> {
  return session.query({
    text: `select r.id, r.detector, r.status, r.cause, r.started_at, r.finished_at,
        json_build_object('id', s.id, 'name', s.name) as source
      from scan_runs r join sources s on s.id = r.source_id where r.id = any($1) order by s.name, s.id, r.detector`,
    values: [ids],
  });
}
