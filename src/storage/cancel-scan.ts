import { endUnfinishedRuns } from './scan-runs.ts';
import { endScan, lockUnfinishedScan } from './scans.ts';
import type { TenantTransaction } from './tenant-store.ts';

/**
 * The stop button. What has ended stays; what has not is skipped, and a worker in the middle of it stops within
 * seconds. False when the organization has no such scan that is under way.
 */
export async function cancelScan(transaction: TenantTransaction, scanId: string): Promise<boolean> {
  // Runs before their scan, as wherever both are locked.
  await endUnfinishedRuns(transaction, { scanId }, { status: 'skipped', cause: 'the scan was stopped' });
  const scan = await lockUnfinishedScan(transaction, scanId);
  if (!scan) return false;
  await endScan(transaction, scan, 'canceled');
  return true;
}
