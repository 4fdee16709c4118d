import type { ScanJob } from '../../database/jobs/queues.ts';
import { whyNotScannable } from '../../domain/scannable.ts';
import { finishScanIfDone } from '../../resources/scans/end-scan.ts';
import { findScanPurpose } from '../../resources/scans/scan-purpose.ts';
import { planRuns } from '../../resources/scans/scan-runs.ts';
import { authorizedSources, lockUnfinishedScan } from '../../resources/scans/scans.ts';
import { depthOf, planSource } from '../../scan/plan.ts';
import { worker } from '../actor.ts';
import type { WorkerServices } from '../services.ts';

/**
 * Turns a queued scan into runs, one per source and detector, and one job per source. Does nothing if the
 * scan is already planned, because the job may run twice.
 */
export async function planScan(services: WorkerServices, job: ScanJob): Promise<void> {
  const store = services.storage.tenant(job.organizationId, worker, { trace: job.trace });
  await store.transaction(async transaction => {
    const scan = await lockUnfinishedScan(transaction, job.scanId);
    if (scan?.status !== 'queued') return;
    const { purpose } = await findScanPurpose(transaction, scan.id);
    const authorized = await authorizedSources(transaction, scan);
    const sources = authorized.filter(source => !whyNotScannable(source, services));
    const runs = sources.flatMap(source =>
      planSource(source, purpose).map(detector => ({ sourceId: source.id, detector })),
    );
    await planRuns(transaction, scan.id, runs);
    const toInspect = new Set(runs.map(run => run.sourceId));
    await transaction.enqueue(
      depthOf(purpose) === 'full' ? 'scan-inspect-full' : 'scan-inspect',
      [...toInspect].map(sourceId => ({ scanId: scan.id, sourceId })),
    );
    await finishScanIfDone(transaction, scan.id);
  });
}
