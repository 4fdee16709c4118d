import type { ScanWithRuns } from '../../src/contract/scans.ts';
import type { TenantStore } from '../../src/database/tenant-store.ts';
import { findScanText } from '../../src/resources/scans/scans.ts';

/** The scan as the API returns it. */
export async function findScan(store: TenantStore, id: string): Promise<ScanWithRuns | undefined> {
  const text = await findScanText(store, id);
  return text === undefined ? undefined : JSON.parse(text);
}
