import { type Inspection, inspect } from '../../scan/inspect.ts';
import { reconcile } from '../../scan/reconcile.ts';
import { applyFindingChanges, storedFindings } from '../../storage/finding-changes.ts';
import type { InspectJob } from '../../storage/jobs/queues.ts';
import { endRuns, lockUnfinishedRuns, startRuns } from '../../storage/scan-runs.ts';
import { finishScanIfDone, lockAuthorizedSource, type ScanSource } from '../../storage/scans.ts';
import type { TenantStore, TenantTransaction } from '../../storage/tenant-store.ts';
import type { WorkerServices } from '../services.ts';

/**
 * Inspects one source for one scan. The job may come twice, or again after a worker died in the middle: runs that have
 * ended are left alone, and all that one inspection changes is one transaction.
 */
export async function inspectSource(
  services: WorkerServices,
  job: InspectJob,
  signal: AbortSignal,
): Promise<void> {
  const store = services.storage.tenant(job.organizationId, { kind: 'service', id: 'worker' });
  const started = await begin(store, job);
  if (!started) return;
  const { source, detectors } = started;
  const credential = await services.storage.vault.open(store, source.id);
  const inspection = await inspect({ ...source, credential }, detectors, { ...services.scanning, signal });
  await store.transaction(transaction => conclude(transaction, job, source, inspection));
}

interface Started {
  readonly source: ScanSource;
  readonly detectors: string[];
}

/** Marks the runs as running. A source that was disconnected meanwhile is not touched: its runs are skipped. */
async function begin(store: TenantStore, job: InspectJob): Promise<Started | undefined> {
  return store.transaction(async transaction => {
    const source = await lockAuthorizedSource(transaction, job.sourceId);
    if (!source) {
      const runs = await lockUnfinishedRuns(transaction, job.scanId, job.sourceId);
      await endRuns(
        transaction,
        runs.map(run => run.id),
        'skipped',
        'the source is no longer authorized',
      );
      await finishScanIfDone(transaction, job.scanId);
      return undefined;
    }
    const runs = await startRuns(transaction, job.scanId, job.sourceId);
    return runs.length > 0 ? { source, detectors: runs.map(run => run.detector) } : undefined;
  });
}

async function conclude(
  transaction: TenantTransaction,
  job: InspectJob,
  source: ScanSource,
  inspection: Inspection,
): Promise<void> {
  // The source's row orders scans of the same source; of two workers with the same job, the second finds no runs.
  const authorized = await lockAuthorizedSource(transaction, source.id);
  const runs = await lockUnfinishedRuns(transaction, job.scanId, job.sourceId);
  if (runs.length === 0) return;
  if (!authorized) {
    await endRuns(
      transaction,
      runs.map(run => run.id),
      'skipped',
      'the source is no longer authorized',
    );
  } else {
    const stored = await storedFindings(transaction, source.id);
    const changes = reconcile(stored, inspection.seen, inspection.assessed);
    const target = { sourceId: source.id, systemId: source.system_id, scanId: job.scanId };
    await applyFindingChanges(transaction, target, changes);
    for (const run of runs) {
      const outcome = inspection.runs.find(({ detector }) => detector === run.detector);
      const { status, cause } = outcome ?? { status: 'failed', cause: 'detector_missing' };
      await endRuns(transaction, [run.id], status, cause);
    }
  }
  await finishScanIfDone(transaction, job.scanId);
}
