import type { InspectJob } from '../../database/jobs/queues.ts';
import type { TenantTransaction } from '../../database/tenant-store.ts';
import { findScanPurpose, type ScanPurpose } from './scan-purpose.ts';
import { endUnfinishedRuns, lockUnfinishedRuns, startRuns, type UnfinishedRun } from './scan-runs.ts';
import { finishScanIfDone, lockAuthorizedSource, type ScanSource } from './scans.ts';

/** A source and its runs of one scan, all locked. */
interface RunsOfSource {
  readonly source: ScanSource;
  /** The unfinished runs, at least one. */
  readonly runs: readonly UnfinishedRun[];
}

/** The start of a source's part of a scan. */
export interface BegunRuns {
  readonly source: ScanSource;
  readonly detectorNames: readonly string[];
  readonly purpose: ScanPurpose;
  /** When it began, by the database's clock. */
  readonly lookedAt: string;
}

/**
 * Locks the source, whose row serializes all scans of it, and its unfinished runs. Undefined if nothing is left to do:
 * all runs have ended, or the source was disconnected, which skips them.
 */
export function lockRunsOfSource(
  transaction: TenantTransaction,
  job: InspectJob,
): Promise<RunsOfSource | undefined> {
  return takeRuns(transaction, job, lockUnfinishedRuns);
}

/** The same, and marks the runs as running. */
export async function beginRuns(
  transaction: TenantTransaction,
  job: InspectJob,
): Promise<BegunRuns | undefined> {
  const taken = await takeRuns(transaction, job, startRuns);
  if (!taken) return undefined;
  const { purpose, now } = await findScanPurpose(transaction, job.scanId);
  const detectorNames = taken.runs.map(({ detector }) => detector);
  return { source: taken.source, detectorNames, purpose, lookedAt: now };
}

async function takeRuns(
  transaction: TenantTransaction,
  { scanId, sourceId }: InspectJob,
  take: typeof lockUnfinishedRuns,
): Promise<RunsOfSource | undefined> {
  const source = await lockAuthorizedSource(transaction, sourceId);
  if (!source) {
    const end = { status: 'skipped', cause: 'source_disconnected' } as const;
    await endUnfinishedRuns(transaction, { scanId, sourceId }, end);
    await finishScanIfDone(transaction, scanId);
    return undefined;
  }
  const runs = await take(transaction, scanId, sourceId);
  return runs.length > 0 ? { source, runs } : undefined;
}
