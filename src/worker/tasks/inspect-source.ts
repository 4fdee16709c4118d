import type { InspectJob } from '../../database/jobs/queues.ts';
import type { TenantTransaction } from '../../database/tenant-store.ts';
import { whileWanted } from '../../database/while-wanted.ts';
import { describeCause } from '../../domain/scan-causes.ts';
import { whyNotScannable } from '../../domain/scannable.ts';
import {
  loadKnownFindings,
  type ScannedSource,
  saveConclusions,
} from '../../resources/findings/scan-results.ts';
import { finishScanIfDone } from '../../resources/scans/end-scan.ts';
import { beginRuns, lockRunsOfSource } from '../../resources/scans/runs-of-source.ts';
import type { ScanPurpose } from '../../resources/scans/scan-purpose.ts';
import { endRuns, hasUnfinishedRuns } from '../../resources/scans/scan-runs.ts';
import type { ScanSource } from '../../resources/scans/scans.ts';
import { conclude } from '../../scan/conclude.ts';
import { endsOf, type Inspection } from '../../scan/inspection.ts';
import { detectorsNamed, planSource } from '../../scan/plan.ts';
import { worker } from '../actor.ts';
import type { WorkerServices } from '../services.ts';
import { giveUpAfterDeaths, inspectInSandbox } from './inspect-in-sandbox.ts';

/**
 * Scans one source: collects and detects in a sandbox process, reconciles, and saves all changes in one
 * transaction. The job may run twice, for example after a worker died: runs that have ended are not changed.
 */
export async function inspectSource(services: WorkerServices, job: InspectJob, signal: AbortSignal) {
  const store = services.storage.tenant(job.organizationId, worker);
  const begun = await store.transaction(transaction => beginRuns(transaction, job, detectorsToRun(services)));
  if (!begun) return;
  const startedAt = Date.now();
  const detectors = detectorsNamed(begun.source.kind, begun.detectorNames);
  const inspection = await whileWanted(
    () => hasUnfinishedRuns(store, job),
    wanted => inspectInSandbox(services, store, { ...begun, detectors }, wanted),
    signal,
  ).catch(error => giveUpAfterDeaths(store, job, detectors, error));
  if (!inspection) return;
  traceRuns(services.tracer, job, inspection, startedAt);
  const ended = await store.transaction(async transaction => {
    const locked = await lockRunsOfSource(transaction, job);
    if (!locked) return false;
    const scanned = { ...begun, scanId: job.scanId, category: begun.purpose.category };
    // Last, because from here on the organization's other scans wait for this transaction.
    await reconcileAndSave(transaction, scanned, inspection, locked.runs);
    await finishScanIfDone(transaction, job.scanId);
    return true;
  });
  if (ended) logInspection(services.log, job, inspection);
}

/** The runs of an inspection share one capture, and so its time. */
function traceRuns(
  tracer: WorkerServices['tracer'],
  { trace: parent, sourceId }: InspectJob,
  { runs }: Inspection,
  startedAt: number,
): void {
  for (const { detector, status, cause } of tracer ? runs : []) {
    const attributes = { 'parapet.detector': detector, 'parapet.source_id': sourceId };
    const span = tracer!.start(`run ${detector}`, { parent, attributes, startedAt });
    span.end({ 'parapet.status': status }, status === 'failed' ? (cause ?? status) : undefined);
  }
}

/** Of a source that could not be assessed, the log has the causes: whether the allowlist of the operator is one of them, for example. */
function logInspection(
  log: WorkerServices['log'],
  { organizationId: organization_id, scanId: scan_id, sourceId: source_id }: InspectJob,
  { runs }: Inspection,
): void {
  const causes = new Set(
    runs.flatMap(({ cause }) => (cause && cause !== 'checks_not_assessed' ? [cause] : [])),
  );
  log('inspection.ended', {
    organization_id,
    scan_id,
    source_id,
    runs: runs.length,
    succeeded: runs.filter(({ status }) => status === 'succeeded').length,
    ...(causes.size > 0
      ? { causes: [...causes].map(cause => ({ cause, meaning: describeCause(cause) })) }
      : {}),
  });
}

/** None if the service must not contact the source. */
export const detectorsToRun =
  (services: Pick<WorkerServices, 'privilegedConnections'>) => (source: ScanSource, purpose: ScanPurpose) =>
    whyNotScannable(source, services) ? [] : planSource(source, purpose);

/** @param runs unfinished ones of the inspected detectors: they end */
export async function reconcileAndSave(
  transaction: TenantTransaction,
  { category, ...scanned }: ScannedSource & { readonly category: string | null },
  inspection: Inspection,
  runs: readonly { readonly id: string; readonly detector: string }[],
): Promise<void> {
  const known = await loadKnownFindings(transaction, scanned, inspection.seen);
  const { runs: inspected, ...conclusions } = conclude(inspection, known, category);
  await Promise.all([
    endRuns(transaction, endsOf(runs, inspected)),
    saveConclusions(transaction, scanned, conclusions),
  ]);
}
