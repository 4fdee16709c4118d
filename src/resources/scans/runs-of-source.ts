import type { InspectJob } from '../../database/jobs/queues.ts';
import type { TenantTransaction } from '../../database/tenant-store.ts';
import { finishScanIfDone } from './end-scan.ts';
import { findScanPurpose, type ScanPurpose } from './scan-purpose.ts';
import {
  endUnfinishedRuns,
  lockUnfinishedRuns,
  planAndStartRuns,
  startRuns,
  type UnfinishedRun,
} from './scan-runs.ts';
import { lockAuthorizedSource, type ScanSource } from './scans.ts';

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
export async function lockRunsOfSource(
  transaction: TenantTransaction,
  job: InspectJob,
): Promise<RunsOfSource | undefined> {
  const [source, runs] = await Promise.all([
    lockSource(transaction, job),
    lockUnfinishedRuns(transaction, job.scanId, job.sourceId),
  ]);
  return source && runs.length > 0 ? { source, runs } : undefined;
}

/**
 * The same, and marks the runs as running. If the scan is still queued, it creates them first.
 *
 * @param plan the detectors to run; without any, the scan ends
 */
export async function beginRuns(
  transaction: TenantTransaction,
  job: InspectJob,
  plan: (source: ScanSource, purpose: ScanPurpose) => readonly string[],
): Promise<BegunRuns | undefined> {
  // The status is read after the source is locked: another worker with this job has planned it before, or waits.
  const [source, { purpose, status, now }] = await Promise.all([
    lockSource(transaction, job),
    findScanPurpose(transaction, job.scanId),
  ]);
  if (!source) return undefined;
  const runs =
    status === 'queued'
      ? await planAndStartRuns(transaction, job.scanId, source.id, plan(source, purpose))
      : await startRuns(transaction, job.scanId, source.id);
  if (runs.length > 0)
    return { source, detectorNames: runs.map(({ detector }) => detector), purpose, lookedAt: now };
  if (status === 'queued') await finishScanIfDone(transaction, job.scanId);
  return undefined;
}

/** Undefined if it was disconnected: its runs are skipped. */
async function lockSource(
  transaction: TenantTransaction,
  { scanId, sourceId }: InspectJob,
): Promise<ScanSource | undefined> {
  const source = await lockAuthorizedSource(transaction, sourceId);
  if (source) return source;
  const end = { status: 'skipped', cause: 'source_disconnected' } as const;
  await endUnfinishedRuns(transaction, { scanId, sourceId }, end);
  await finishScanIfDone(transaction, scanId);
  return undefined;
}
