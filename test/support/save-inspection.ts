import type { TenantTransaction } from '../../src/database/tenant-store.ts';
import {
  loadKnownFindings,
  type ScannedSource,
  saveConclusions,
} from '../../src/resources/findings/scan-results.ts';
import { conclude } from '../../src/scan/conclude.ts';
import type { Inspection } from '../../src/scan/inspection.ts';

/** Reconciles and saves as a worker does. @returns the findings that it reopened */
export async function saveInspection(
  transaction: TenantTransaction,
  { category, ...scanned }: ScannedSource & { readonly category: string | null },
  inspection: Inspection,
): Promise<string[]> {
  const known = await loadKnownFindings(transaction, scanned, inspection.seen);
  return saveConclusions(transaction, scanned, conclude(inspection, known, category));
}
