import type { ScanWithRuns } from '../../src/contract/scans.ts';
import { findScanText } from '../../src/storage/scans.ts';
import type { TenantStore } from '../../src/storage/tenant-store.ts';

/** The scan as the API answers it. */
export async function findScan(store: TenantStore, id: string): Promise<ScanWithRuns | undefined> {
  const text = await findScanText(store, id);
  return text === undefined ? undefined : JSON.parse(text);
}
