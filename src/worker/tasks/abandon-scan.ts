import type { Jobs } from '../../database/jobs/queues.ts';
import { endScan, finishScanIfDone } from '../../resources/scans/end-scan.ts';
import { beginRuns } from '../../resources/scans/runs-of-source.ts';
import { endUnfinishedRuns } from '../../resources/scans/scan-runs.ts';
import { lockUnfinishedScan } from '../../resources/scans/scans.ts';
import { worker } from '../actor.ts';
import type { WorkerServices } from '../services.ts';
import { detectorsToRun } from './inspect-source.ts';

/**
 * A job of the scan failed on every attempt: its unfinished runs end as failed with a cause, so that the scan
 * ends too. A scan that never began has failed as well.
 */
export async function abandonScan(
  services: Pick<WorkerServices, 'storage' | 'privilegedConnections' | 'log'>,
  job: Jobs['scan-abandoned'],
): Promise<void> {
  const store = services.storage.tenant(job.organizationId, worker);
  await store.transaction(async transaction => {
    const { sourceId } = job;
    // A scan of one source has no runs before it begins.
    if (sourceId) await beginRuns(transaction, { ...job, sourceId }, detectorsToRun(services));
    // Runs are locked before their scan, in the same order everywhere.
    await endUnfinishedRuns(transaction, job, { status: 'failed', cause: 'retries_exhausted' });
    const scan = await lockUnfinishedScan(transaction, job.scanId);
    if (scan?.status === 'queued') await endScan(transaction, scan, 'failed');
    else await finishScanIfDone(transaction, job.scanId);
  });
  const { organizationId: organization_id, scanId: scan_id, sourceId: source_id } = job;
  services.log('scan.abandoned', { organization_id, scan_id, source_id });
}
