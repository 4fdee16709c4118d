import type { Jobs } from '../../database/jobs/queues.ts';
import { endUnfinishedRuns, planRuns } from '../../resources/scans/scan-runs.ts';
import { finishScanIfDone, lockUnfinishedScan } from '../../resources/scans/scans.ts';
import { worker } from '../actor.ts';
import type { WorkerServices } from '../services.ts';

/**
 * A job of the scan failed on every attempt: its unfinished runs end as failed with a cause, so that the scan
 * ends too.
 */
export async function abandonScan({ storage }: WorkerServices, job: Jobs['scan-abandoned']): Promise<void> {
  const store = storage.tenant(job.organizationId, worker);
  await store.transaction(async transaction => {
    // Runs are locked before their scan, in the same order everywhere.
    await endUnfinishedRuns(transaction, job, { status: 'failed', cause: 'retries_exhausted' });
    const scan = await lockUnfinishedScan(transaction, job.scanId);
    if (scan?.status === 'queued') await planRuns(transaction, scan.id, []);
    await finishScanIfDone(transaction, job.scanId);
  });
}
