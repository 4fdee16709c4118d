import type { Scan } from '../../contract/scans.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantTransaction } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';
import { decidedWithoutScans } from '../../domain/verification.ts';
import { assertFullDepth } from '../sources/current-proof.ts';
import { assertScannable, enqueueScan, type ScanningService } from './request-scan.ts';
import { scanColumns } from './scans.ts';

/** A service that verifies findings. */
export interface VerifyingService extends ScanningService {
  /** Throws if the person may not request what full scans send. */
  readonly assertFullAllowed: () => void;
  /** `full` if only full scans assess the check at this place. */
  readonly depthOfFinding: (category: string, locator: string) => 'safe' | 'full';
}

/**
 * Queues a `verify_finding` scan, which assesses only what one finding needs, or finds the running one. Undefined if
 * the organization has no such finding. Throws like `enqueueScan`, `nothing_to_scan` if no scan decides its check, and
 * `domain_not_proven` if only full scans do and the proof of the domain is not current.
 */
export async function requestVerification(
  transaction: TenantTransaction,
  findingId: string,
  service: VerifyingService,
): Promise<Scan | undefined> {
  // With the row locked, simultaneous requests share one scan.
  const [finding] = await transaction.query(
    db
      .selectFrom('findings')
      .select(['source_id', 'category', 'locator'])
      .where('id', '=', findingId)
      .forNoKeyUpdate(),
  );
  if (!finding) return undefined;
  const message = decidedWithoutScans(finding.category);
  if (message) throw new Refusal('nothing_to_scan', { fields: [{ path: 'id', message }] });
  const [running] = await transaction.query(
    db
      .selectFrom('scans')
      .select(scanColumns)
      .where('finding_id', '=', findingId)
      .where('finished_at', 'is', null),
  );
  if (running) return running;
  const { source_id, category, locator } = finding;
  if (service.depthOfFinding(category, locator) === 'full') {
    service.assertFullAllowed();
    await assertScannable(transaction, { system_id: null, source_id }, service);
    await assertFullDepth(transaction, source_id);
  }
  return enqueueScan(transaction, { profile: 'verify_finding', source_id, finding_id: findingId }, service);
}
