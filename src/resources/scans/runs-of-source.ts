import type { InspectJob } from '../../database/jobs/queues.ts';
import type { TenantTransaction } from '../../database/tenant-store.ts';
import { findScanPurpose, type ScanPurpose } from './scan-purpose.ts';
import { endRuns, lockUnfinishedRuns, startRuns, type UnfinishedRun } from './scan-runs.ts';
import { finishScanIfDone, lockAuthorizedSource, type ScanSource } from './scans.ts';

/** A source and its runs of one scan, all locked. */
interface RunsOfSource {
  readonly source: ScanSource;
  /** Those that have not ended, at least one. */
  readonly runs: readonly UnfinishedRun[];
}

/** What a source's part of a scan begins with. */
export interface BegunRuns extends RunsOfSource {
  readonly purpose: ScanPurpose;
  /** When it begins, by the database's clock. */
  readonly lookedAt: string;
}

/**
 * Locks the source, whose row orders all scans of it, and its runs that have not ended. Undefined where nothing is left to do: the
 * runs have ended, or the source was disconnected, in which case they are skipped.
 */
export async function lockRunsOfSource(
  transaction: TenantTransaction,
  { scanId, sourceId }: InspectJob,
): Promise<RunsOfSource | undefined> {
  const source = await lockAuthorizedSource(transaction, sourceId);
  const runs = await lockUnfinishedRuns(transaction, scanId, sourceId);
  if (source) return runs.length > 0 ? { source, runs } : undefined;
  const end = { status: 'skipped', cause: 'source_disconnected' } as const;
  await endRuns(
    transaction,
    runs.map(({ id }) => ({ id, ...end })),
  );
  await finishScanIfDone(transaction, scanId);
  return undefined;
}

/** Marks the source's runs as running. Undefined as for `lockRunsOfSource`. */
export async function beginRuns(
  transaction: TenantTransaction,
  job: InspectJob,
): Promise<BegunRuns | undefined> {
  const locked = await lockRunsOfSource(transaction, job);
  if (!locked) return undefined;
  await startRuns(transaction, job.scanId, job.sourceId);
  const { purpose, now } = await findScanPurpose(transaction, job.scanId);
  return { ...locked, purpose, lookedAt: now };
}
