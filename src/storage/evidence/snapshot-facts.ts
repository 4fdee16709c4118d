import type { Finding } from '../../contract/findings.ts';
import type { Run, Scan } from '../../contract/scans.ts';
import { scanColumns } from '../scans.ts';
import type { TenantSession } from '../tenant-store.ts';

/** What a snapshot says of where and when it was taken. From here on, the session sees one moment only. */
export async function beginSnapshot(
  session: TenantSession,
): Promise<{ readonly id: string; readonly name: string; readonly taken_at: string }> {
  await session.query({ text: 'set transaction isolation level repeatable read, read only' });
  const rows = await session.query<{ id: string; name: string; taken_at: string }>({
    text: 'select id, name, now()::timestamptz(3) as taken_at from organizations',
  });
  return rows[0]!;
}

/** A source with the newest outcome of every check that was made on it. */
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
}

const outcomes = (outcome: string) =>
  `coalesce(array_agg(a.check_id order by a.check_id) filter (where a.outcome = '${outcome}'), '{}') as ${outcome}`;

/** Of all sources that count, or of those given. At most `limit`, in the order of their names. */
export async function assessedSources(
  session: TenantSession,
  ids: readonly string[] | null,
  limit: number,
): Promise<AssessedSource[]> {
  return session.query<AssessedSource>({
    text: `select s.id, s.name, s.kind, s.host, s.status, max(a.looked_at) as looked_at, ${outcomes('passed')},
        ${outcomes('observed')}, ${outcomes('not_applicable')},
        coalesce(jsonb_agg(jsonb_build_object('check', a.check_id, 'reason', a.reason) order by a.check_id)
          filter (where a.outcome = 'not_assessed'), '[]') as not_assessed
      from (select * from sources
        where case when $1::uuid[] is null then status not in ('draft', 'disconnected') else id = any($1) end
        order by name, id limit $2) as s
      left join check_assessments a on a.source_id = s.id
      group by s.id, s.name, s.kind, s.host, s.status order by s.name, s.id`,
    values: [ids, limit],
  });
}

interface ScanFacts extends Scan {
  readonly runs: readonly (Run & { readonly cause: string | null })[];
}

/** The scan with its runs and why they did not succeed; undefined when the organization has none with this id. */
export async function scanFacts(session: TenantSession, id: string): Promise<ScanFacts | undefined> {
  const [scans, runs] = await Promise.all([
    session.query<Scan>({ text: `select ${scanColumns} from scans where id = $1`, values: [id] }),
    session.query<ScanFacts['runs'][number]>({
      text: `select id, detector, source_id, status, cause, started_at, finished_at from scan_runs where scan_id = $1
        order by source_id, detector`,
      values: [id],
    }),
  ]);
  return scans[0] && { ...scans[0], runs };
}

interface FindingFacts extends Finding {
  readonly source_id: string;
  readonly locator: string;
  readonly seen: string;
  readonly accepted_until: string | null;
}

/** What is not resolved on these sources, the worst first, and how many there are. At most `limit`. */
export async function unresolvedFindings(
  session: TenantSession,
  sourceIds: readonly string[],
  limit: number,
): Promise<{ readonly findings: FindingFacts[]; readonly total: number }> {
  const where = `source_id = any($1) and status <> 'resolved'`;
  const [findings, counts] = await Promise.all([
    session.query<FindingFacts>({
      text: `select id, severity, category, title, remediation, status, created_at, updated_at, system_id, source_id,
          locator, seen, accepted_until
        from findings where ${where} order by severity_rank desc, created_at desc, id limit $2`,
      values: [sourceIds, limit],
    }),
    session.query<{ total: number }>({
      text: `select count(*) as total from findings where ${where}`,
      values: [sourceIds],
    }),
  ]);
  return { findings, total: counts[0]!.total };
}
