import type { RunCause } from '../../contract/causes.ts';
import type { RunStatus } from '../../contract/scans.ts';
import type { TenantStore, TenantTransaction } from '../../database/tenant-store.ts';

/** A run to create. */
export interface PlannedRun {
  readonly sourceId: string;
  readonly detector: string;
}

export interface UnfinishedRun {
  readonly id: string;
  readonly detector: string;
}

/** Starts a queued scan and creates its runs. @param startedAt now, unless given */
export async function planRuns(
  transaction: TenantTransaction,
  scanId: string,
  runs: readonly PlannedRun[],
  startedAt: string | null = null,
) {
  await transaction.query({
    name: 'plan-runs',
    text: `insert into scan_runs (scan_id, source_id, detector, status)
      select $1, r.source_id, r.detector, 'queued' from unnest($2::uuid[], $3::text[]) as r (source_id, detector)`,
    values: [scanId, runs.map(run => run.sourceId), runs.map(run => run.detector)],
  });
  await transaction.query({
    name: 'start-scan',
    text: `update scans set status = 'running', started_at = coalesce($3, now()), runs_planned = $2 where id = $1`,
    values: [scanId, runs.length, startedAt],
  });
  transaction.report({ event: 'scan.started', scan_id: scanId, runs: runs.length });
}

/** Starts a scan of one source with its runs, and returns these. None if it is no longer queued. */
export async function planAndStartRuns(
  transaction: TenantTransaction,
  scanId: string,
  sourceId: string,
  detectors: readonly string[],
): Promise<UnfinishedRun[]> {
  const runs = await transaction.query<UnfinishedRun>({
    name: 'plan-and-start-runs',
    text: `with started as (
        update scans set status = 'running', started_at = now(), runs_planned = cardinality($3::text[])
        where id = $1 and status = 'queued' returning id)
      insert into scan_runs (scan_id, source_id, detector, status, started_at)
      select id, $2, detector, 'running', now() from started cross join unnest($3::text[]) as detector returning id, detector`,
    values: [scanId, sourceId, detectors],
  });
  if (runs.length > 0) transaction.report({ event: 'scan.started', scan_id: scanId, runs: runs.length });
  return runs;
}

/** The unfinished runs of scan $1 of some sources. All callers lock them in one order, which prevents deadlocks. */
const lockUnfinished = (ofSources: string) => `select id, detector from scan_runs
  where scan_id = $1 and ${ofSources} and status in ('queued', 'running') order by id for no key update`;
const ofSource = 'source_id = $2';

/** Marks the source's unfinished runs as running, and returns them. Empty if nothing is left to do. */
export async function startRuns(transaction: TenantTransaction, scanId: string, sourceId: string) {
  return transaction.query<UnfinishedRun>({
    name: 'start-runs',
    text: `with unfinished as (${lockUnfinished(ofSource)})
      update scan_runs r set status = 'running', started_at = coalesce(r.started_at, now())
      from unfinished u where r.id = u.id returning r.id, r.detector`,
    values: [scanId, sourceId],
  });
}

/** Whether the scan has unfinished runs for the source. */
export async function hasUnfinishedRuns(
  store: TenantStore,
  { scanId, sourceId }: { readonly scanId: string; readonly sourceId: string },
): Promise<boolean> {
  const rows = await store.queryShared({
    name: 'has-unfinished-runs',
    text: `select from scan_runs where scan_id = $1 and source_id = $2 and status in ('queued', 'running') limit 1`,
    values: [scanId, sourceId],
  });
  return rows.length > 0;
}

/** Locks the source's unfinished runs: of two workers with the same job, the second finds none. */
export async function lockUnfinishedRuns(transaction: TenantTransaction, scanId: string, sourceId: string) {
  return transaction.query<UnfinishedRun>({
    name: 'lock-unfinished-runs',
    text: lockUnfinished(ofSource),
    values: [scanId, sourceId],
  });
}

/**
 * Counts a crash of the process that assessed the source, and returns the number of earlier ones. The runs must be
 * locked.
 */
export async function countProcessDeath(transaction: TenantTransaction, scanId: string, sourceId: string) {
  const rows = await transaction.query<{ process_deaths: number }>({
    text: `update scan_runs set process_deaths = process_deaths + 1
      where scan_id = $1 and source_id = $2 and status in ('queued', 'running') returning process_deaths`,
    values: [scanId, sourceId],
  });
  return Math.max(0, ...rows.map(row => row.process_deaths));
}

/** The result of a run. */
interface EndedRun {
  readonly id: string;
  readonly detector: string;
  readonly status: RunStatus;
  readonly cause?: RunCause | undefined;
}

/** Ends runs with their results. */
export async function endRuns(transaction: TenantTransaction, runs: readonly EndedRun[]): Promise<void> {
  await transaction.query({
    name: 'end-runs',
    text: `update scan_runs set status = r.status, cause = r.cause, finished_at = now()
      from unnest($1::uuid[], $2::text[], $3::text[]) as r (id, status, cause) where scan_runs.id = r.id`,
    values: [
      runs.map(({ id }) => id),
      runs.map(({ status }) => status),
      runs.map(({ cause }) => cause ?? null),
    ],
  });
  transaction.report({ event: 'runs.ended', runs });
}

/** Ends all unfinished runs of the scan, or of one of its sources. */
export async function endUnfinishedRuns(
  transaction: TenantTransaction,
  target: { readonly scanId: string; readonly sourceId?: string | undefined },
  end: { readonly status: 'failed' | 'skipped'; readonly cause: RunCause },
): Promise<void> {
  const ended = await transaction.query<{ detector: string }>({
    text: `with unfinished as (${lockUnfinished('($2::uuid is null or source_id = $2)')})
      update scan_runs r set status = $3, cause = $4, finished_at = now() from unfinished u where r.id = u.id returning r.detector`,
    values: [target.scanId, target.sourceId ?? null, end.status, end.cause],
  });
  transaction.report({ event: 'runs.ended', runs: ended.map(run => ({ ...run, ...end })) });
}
