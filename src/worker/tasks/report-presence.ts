import type { TenantTransaction } from '../../database/tenant-store.ts';
import { auditReopened } from '../../resources/findings/triage.ts';
import { endUnfinishedAssessments, startScan } from '../../resources/probes/probe-scans.ts';
import { markSilent, type ProbeState, sourcesOfProbe } from '../../resources/probes/probes.ts';
import { endRuns, lockUnfinishedRuns } from '../../resources/scans/scan-runs.ts';
import { finishScanIfDone, lockAuthorizedSource } from '../../resources/scans/scans.ts';
import { endsOf } from '../../scan/inspection.ts';
import { inspectPresence, presenceDetectors } from '../../scan/presence.ts';
import { reconcileAndSave } from './inspect-source.ts';

/** Opens a finding on each source of a silent probe. Does nothing if the probe has reported meanwhile. */
export async function reportSilence(transaction: TenantTransaction, probeId: string): Promise<void> {
  const probe = await markSilent(transaction, probeId);
  if (probe) await reportPresence(transaction, await sourcesOfProbe(transaction, probeId), probe);
}

/**
 * Assesses how the probe of each source reports, in a separate scan: no event of the probe does.
 *
 * @param sourceIds in the order in which they are locked
 */
export async function reportPresence(
  transaction: TenantTransaction,
  sourceIds: readonly string[],
  probe: ProbeState,
): Promise<void> {
  const capture = {
    probe: probe.name,
    interval_seconds: probe.intervalSeconds,
    silent_seconds: probe.silentSeconds,
  };
  const reopened: string[] = [];
  for (const id of sourceIds) {
    const source = await lockAuthorizedSource(transaction, id);
    if (!source) continue;
    if (probe.silentSeconds !== null) await endUnfinishedAssessments(transaction, id);
    const scan = { sourceId: id, detectors: presenceDetectors, startedAt: probe.now };
    const scanId = await startScan(transaction, scan);
    const inspection = inspectPresence(id, capture);
    await endRuns(transaction, endsOf(await lockUnfinishedRuns(transaction, scanId, id), inspection));
    const scanned = { source, scanId, lookedAt: probe.now, category: null };
    reopened.push(...(await reconcileAndSave(transaction, scanned, inspection)));
    await finishScanIfDone(transaction, scanId);
  }
  await auditReopened(transaction, reopened);
}
