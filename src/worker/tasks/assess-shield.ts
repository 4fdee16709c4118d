import type { TenantTransaction } from '../../database/tenant-store.ts';
import { auditReopened } from '../../resources/findings/triage.ts';
import { startScan } from '../../resources/probes/probe-scans.ts';
import { endRuns, lockUnfinishedRuns } from '../../resources/scans/scan-runs.ts';
import { finishScanIfDone } from '../../resources/scans/scans.ts';
import { lockShield, readShield, recordOutcome } from '../../resources/shield/shield-state.ts';
import { endsOf, type Inspection } from '../../scan/inspection.ts';
import { inspectShield, shieldDetectors } from '../../scan/shield.ts';
import { reconcileAndSave } from './inspect-source.ts';

/**
 * Assesses what the firewalls of a source reported. It becomes a scan only if its outcome differs from the last one: otherwise
 * there would be one every few minutes. Does nothing if it is not due.
 */
export async function assessShield(transaction: TenantTransaction, sourceId: string): Promise<void> {
  const shield = await lockShield(transaction, sourceId);
  if (!shield) return;
  const capture = await readShield(transaction, sourceId);
  // Nothing has been seen.
  if (capture.firewalls.length === 0) return;
  const inspection = inspectShield(sourceId, capture);
  const outcome = outcomeOf(inspection);
  if (!(await recordOutcome(transaction, sourceId, outcome))) return;
  const startedAt = capture.collected_at;
  const scanId = await startScan(transaction, { sourceId, detectors: shieldDetectors, startedAt });
  await endRuns(transaction, endsOf(await lockUnfinishedRuns(transaction, scanId, sourceId), inspection));
  const scanned = { source: shield, scanId, lookedAt: startedAt, category: null };
  const reopened = await reconcileAndSave(transaction, scanned, inspection);
  await finishScanIfDone(transaction, scanId);
  await auditReopened(transaction, reopened);
}

/** What a scan would conclude, without times and counts. */
function outcomeOf({ seen, outcomes }: Inspection): string {
  const flaws = seen.map(({ fingerprint, severity }) => `${fingerprint} ${severity}`);
  return [...flaws, ...outcomes.map(({ check, outcome }) => `${check} ${outcome}`)].sort().join('\n');
}
