import type { InspectJob } from '../../database/jobs/queues.ts';
import { whileWanted } from '../../database/while-wanted.ts';
import { loadKnownFindings, saveConclusions } from '../../resources/findings/scan-results.ts';
import { auditReopened } from '../../resources/findings/triage.ts';
import { beginRuns, lockRunsOfSource } from '../../resources/scans/runs-of-source.ts';
import { endRuns, hasUnfinishedRuns } from '../../resources/scans/scan-runs.ts';
import { finishScanIfDone } from '../../resources/scans/scans.ts';
import { conclude } from '../../scan/conclude.ts';
import { endsOf } from '../../scan/inspection.ts';
import { detectorsNamed } from '../../scan/plan.ts';
import { worker } from '../actor.ts';
import type { WorkerServices } from '../services.ts';
import { giveUpAfterDeaths, inspectInSandbox } from './inspect-in-sandbox.ts';

/**
 * Scans one source: collects and detects in a sandbox process, reconciles with what is known, and saves what that changes, all in one
 * transaction. The job may come twice, or again after a worker died in the middle: runs that have ended are left alone.
 */
export async function inspectSource(
  services: WorkerServices,
  job: InspectJob,
  signal: AbortSignal,
): Promise<void> {
  const store = services.storage.tenant(job.organizationId, worker);
  const begun = await store.transaction(transaction => beginRuns(transaction, job));
  if (!begun) return;
  const { source, purpose, lookedAt, runs } = begun;
  const names = runs.map(({ detector }) => detector);
  const detectors = detectorsNamed(source.kind, names);
  const inspection = await whileWanted(
    () => hasUnfinishedRuns(store, job),
    wanted => inspectInSandbox(services, store, { source, purpose, detectors }, wanted),
    signal,
  ).catch(error => giveUpAfterDeaths(store, job, detectors, error));
  if (!inspection) return;
  await store.transaction(async transaction => {
    const locked = await lockRunsOfSource(transaction, job);
    if (!locked) return;
    await endRuns(transaction, endsOf(locked.runs, inspection));
    const scanned = { source, scanId: job.scanId, lookedAt };
    const known = await loadKnownFindings(transaction, scanned, inspection.seen);
    const conclusions = conclude(inspection, known, purpose.category);
    // Late: from the posture on, the organization's other scans wait for this transaction.
    const reopened = await saveConclusions(transaction, scanned, conclusions);
    await finishScanIfDone(transaction, job.scanId);
    await auditReopened(transaction, reopened);
  });
}
