import type { Finding } from '../../contract/findings.ts';
import type { Run, Scan } from '../../contract/scans.ts';
import { batchesOf, inBatches } from '../../database/batches.ts';
import { idsOf } from '../../database/page.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import { isFresh, isSeen, sourceCounts } from '../controls/what-counts.ts';
import { scanColumns } from '../scans/scans.ts';

/** The time and place of a snapshot. From here on, the session reads one database snapshot. */
export async function beginSnapshot(session: TenantSession) {
  await session.query({ text: 'set transaction isolation level repeatable read, read only' });
  const rows = await session.query<{ id: string; name: string; taken_at: string }>({
    text: 'select id, name, now()::timestamptz(3) as taken_at from organizations',
  });
  return rows[0]!;
}

/** A source with the newest outcome of every check on it. */
interface AssessedSource {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly host: string;
  readonly status: string;
  readonly looked_at: string | null;
  readonly passed: readonly string[];
  readonly observed: readonly string[];
  readonly not_applicable: readonly string[];
  readonly not_assessed: readonly { readonly check: string; readonly reason: string }[];
  /** How many results count, and how many are outdated. */
  readonly lately: { readonly assessed: number; readonly not_assessed: number; readonly outdated: number };
}

/** As JSON, which is decoded much faster than PostgreSQL's arrays. */
const outcomes = (outcome: string) =>
  `coalesce(jsonb_agg(a.check_id order by a.check_id) filter (where a.outcome = '${outcome}'), '[]') as ${outcome}`;

/** The sources of the scan `$1`: those of its runs, or its own source if it has no run. */
const ofScan =
  'select source_id from scan_runs where scan_id = $1 union select source_id from scans where id = $1';

/** The ids of all sources in scope, or of the scanned ones, sorted by name. At most `limit`. */
export async function sourcesByName(session: TenantSession, scanId: string | null, limit: number) {
  const rows = await session.query<{ id: string }>({
    text: `select id from sources s
      where case when $1::uuid is null then ${sourceCounts}
        else id in (${ofScan}) end
      order by name, id limit $2`,
    values: [scanId, limit],
  });
  return idsOf(rows);
}

/** Sources per batch: each has a few hundred outcomes. */
const sourcesAtATime = 20;

/** In batches, in the order of the ids. */
export function assessedSources(
  session: TenantSession,
  ids: readonly string[],
): AsyncGenerator<AssessedSource[]> {
  return batchesOf(ids, batch => assessedBatch(session, batch), sourcesAtATime);
}

/** Reads the outcomes of each source with the index; a join read all outcomes of the organization for each batch. */
async function assessedBatch(session: TenantSession, ids: readonly string[]): Promise<AssessedSource[]> {
  return session.query<AssessedSource>({
    text: `select s.id, s.name, s.kind, s.host, s.status, assessed.*
      from sources s cross join lateral (select max(a.looked_at) as looked_at, ${outcomes('passed')},
          ${outcomes('observed')}, ${outcomes('not_applicable')},
          coalesce(jsonb_agg(jsonb_build_object('check', a.check_id, 'reason', a.reason) order by a.check_id)
            filter (where a.outcome = 'not_assessed' and a.reason is not null), '[]') as not_assessed,
          jsonb_build_object('assessed', count(*) filter (where ${isSeen}),
            'not_assessed', count(*) filter (where a.outcome = 'not_assessed' and ${isFresh}),
            'outdated', count(*) filter (where a.outcome <> 'not_applicable' and not ${isFresh})) as lately
        from check_assessments a where a.source_id = s.id) as assessed
      where s.id = any($1) order by s.name, s.id`,
    values: [ids],
  });
}

/** The scan with its runs in batches; undefined if the organization has none with this id. */
export async function scanFacts(
  session: TenantSession,
  id: string,
): Promise<(Scan & { readonly runs: AsyncGenerator<Run[]> }) | undefined> {
  const scans = await session.query(db.selectFrom('scans').select(scanColumns).where('id', '=', id));
  const runs = inBatches<Run>((last, limit) =>
    session.query<Run>({
      text: `select id, detector, source_id, status, cause, started_at, finished_at from scan_runs
        where scan_id = $1 and ($2::uuid is null or (source_id, detector) > ($2, $3))
        order by source_id, detector limit $4`,
      values: [id, last?.source_id ?? null, last?.detector ?? null, limit],
    }),
  );
  return scans[0] && { ...scans[0], runs };
}

/** The number of sources of a scan. */
export async function countScannedSources(session: TenantSession, scanId: string): Promise<number> {
  const [counted] = await session.query<{ sources: number }>({
    text: `select count(*)::int as sources from (${ofScan}) as scanned where source_id is not null`,
    values: [scanId],
  });
  return counted!.sources;
}

interface FindingFacts extends Finding {
  readonly source_id: string;
  readonly locator: string;
  readonly seen: string;
  readonly accepted_until: string | null;
}

/** Unresolved findings on the scan's sources, in batches, most severe first, and their number. At most `limit`. */
export async function unresolvedFindings(session: TenantSession, scanId: string, limit: number) {
  const where = `status <> 'resolved' and source_id in (${ofScan})`;
  const [ids, counts] = await Promise.all([
    session.query<{ id: string }>({
      text: `select id from findings where ${where} order by severity_rank desc, created_at desc, id limit $2`,
      values: [scanId, limit],
    }),
    session.query<{ total: number }>({
      text: `select count(*) as total from findings where ${where}`,
      values: [scanId],
    }),
  ]);
  const findings = batchesOf(idsOf(ids), batch => findingsById(session, batch));
  return { findings, total: counts[0]!.total };
}

/** In the order of the ids. */
async function findingsById(session: TenantSession, ids: readonly string[]): Promise<FindingFacts[]> {
  return session.query<FindingFacts>({
    text: `select f.id, severity, category, title, remediation, status, created_at, updated_at, system_id, source_id,
        locator, seen, accepted_until
      from unnest($1::uuid[]) with ordinality as given (id, position) join findings f on f.id = given.id
      order by given.position`,
    values: [ids],
  });
}
