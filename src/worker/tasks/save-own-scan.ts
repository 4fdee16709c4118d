import type { TenantTransaction } from '../../database/tenant-store.ts';
import { finishScanIfDone } from '../../resources/scans/end-scan.ts';
import { lockUnfinishedRuns } from '../../resources/scans/scan-runs.ts';
import type { ScanSource } from '../../resources/scans/scans.ts';
import { startScan } from '../../resources/scans/start-scan.ts';
import type { Inspection } from '../../scan/inspection.ts';
import { reconcileAndSave } from './inspect-source.ts';

/**
 * Saves an inspection of what the service knows itself, in a separate scan of the source, which is locked.
 *
 * @param lookedAt by the database's clock
 */
export async function saveOwnScan(
  transaction: TenantTransaction,
  source: ScanSource,
  lookedAt: string,
  inspection: Inspection,
): Promise<void> {
  const detectors = inspection.runs.map(({ detector }) => detector);
  const scanId = await startScan(transaction, {
    sourceId: source.id,
    detectors,
    startedAt: lookedAt,
    isOwn: true,
  });
  const runs = await lockUnfinishedRuns(transaction, scanId, source.id);
  const scanned = { source, scanId, lookedAt, category: null, isUnbounded: true };
  await reconcileAndSave(transaction, scanned, inspection, runs);
  await finishScanIfDone(transaction, scanId);
}
