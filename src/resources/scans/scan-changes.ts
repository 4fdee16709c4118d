import type { ScanChange, ScanChanges, ScanFinding } from '../../contract/dashboard/scans.ts';
import type { TenantSession, TenantStore } from '../../database/tenant-store.ts';

/** Findings and checks that are listed; the others are counted. */
const mostFindings = 20;
const mostChecks = 50;

/** The title of a check is not stored. */
type StoredChanges = Omit<ScanChanges, 'not_assessed'> & {
  readonly not_assessed: {
    readonly total: number;
    readonly checks: readonly Omit<ScanChanges['not_assessed']['checks'][number], 'title'>[];
  };
};

/** What the scan changed. Undefined if the organization has none with this id. */
export async function findScanChanges(store: TenantStore, id: string): Promise<StoredChanges | undefined> {
  return store.read(async session => {
    const [scan] = await session.query<{ created_at: string; finished_at: string | null }>({
      text: 'select created_at, finished_at from scans where id = $1',
      values: [id],
    });
    if (!scan) return undefined;
    const [opened, reopened, resolved, stillOpen, notAssessed, [latest]] = await Promise.all([
      readChange(session, { scan: id, ...scan, kind: 'opened' }),
      readChange(session, { scan: id, ...scan, kind: 'reopened' }),
      readChange(session, { scan: id, ...scan, kind: 'resolved' }),
      scan.finished_at === null ? null : countStillOpen(session, id, scan.created_at, scan.finished_at),
      notAssessedBy(session, id),
      session.query<{ is_latest: boolean }>({
        text: `select not exists (select from scan_runs r where r.scan_id = $1 and exists (
            select from scan_runs later join scans c on c.id = later.scan_id
            where later.source_id = r.source_id and c.created_at > $2 and c.finished_at is not null)) as is_latest`,
        values: [id, scan.created_at],
      }),
    ]);
    return {
      opened,
      reopened,
      resolved,
      still_open: stillOpen,
      not_assessed: notAssessed,
      is_latest: latest!.is_latest,
    };
  });
}

interface Asked {
  readonly scan: string;
  readonly created_at: string;
  readonly finished_at: string | null;
  readonly kind: 'opened' | 'reopened' | 'resolved';
}

/** Found by the time of the scan, in the order of an index. */
async function readChange(
  session: TenantSession,
  { scan, created_at, finished_at, kind }: Asked,
): Promise<ScanChange> {
  const rows = await session.query<ScanFinding & { total: number }>({
    text: `select f.id, f.severity, f.status, f.category, f.title, f.locator, json_build_object('id', s.id, 'name', s.name) as source,
        (count(*) over ())::int as total
      from findings f join sources s on s.id = f.source_id
      where f.id = any(array(
        select finding_id from finding_episodes
        where $4 = 'resolved' and closed_at between $2 and coalesce($3, now()) and closed_by_scan = $1
        union all
        select finding_id from finding_episodes
        where $4 <> 'resolved' and opened_at between $2 and coalesce($3, now()) and opened_by_scan = $1
          and (number > 1) = ($4 = 'reopened')))
      order by f.severity_rank desc, f.title, f.id limit ${mostFindings}`,
    values: [scan, created_at, finished_at, kind],
  });
  return { total: rows[0]?.total ?? 0, findings: rows.map(({ total: _, ...finding }) => finding) };
}

async function countStillOpen(
  session: TenantSession,
  scan: string,
  createdAt: string,
  finishedAt: string,
): Promise<number> {
  const [row] = await session.query<{ count: number }>({
    text: `select count(distinct f.id)::int as count from findings f join finding_episodes e on e.finding_id = f.id
      where f.source_id = any(array(select source_id from scan_runs where scan_id = $1))
        and e.opened_at < $2 and (e.closed_at is null or e.closed_at > $3)`,
    values: [scan, createdAt, finishedAt],
  });
  return row!.count;
}

async function notAssessedBy(session: TenantSession, scan: string): Promise<StoredChanges['not_assessed']> {
  const rows = await session.query<StoredChanges['not_assessed']['checks'][number] & { total: number }>({
    text: `select a.check_id as check, a.reason, json_build_object('id', s.id, 'name', s.name) as source,
        (count(*) over ())::int as total
      from check_assessments a join sources s on s.id = a.source_id
      where a.source_id = any(array(select source_id from scan_runs where scan_id = $1)) and a.scan_id = $1
        and a.outcome = 'not_assessed'
      order by lower(s.name), s.id, a.check_id limit ${mostChecks}`,
    values: [scan],
  });
  return { total: rows[0]?.total ?? 0, checks: rows.map(({ total: _, ...check }) => check) };
}
