import type { TenantTransaction } from '../../database/tenant-store.ts';
import { planRuns } from './scan-runs.ts';

/**
 * A running scan with a run for each detector. It does not count toward the limits of requested scans, and leaves no entries in the audit log.
 *
 * @param isOwn whether it contacts nothing: the service assesses what it knows itself
 */
export async function startScan(
  transaction: TenantTransaction,
  {
    sourceId,
    detectors,
    startedAt,
    isOwn,
  }: {
    readonly sourceId: string;
    readonly detectors: readonly string[];
    readonly startedAt: string;
    readonly isOwn: boolean;
  },
): Promise<string> {
  const [scan] = await transaction.query<{ id: string }>({
    text: `insert into scans (profile, source_id, idempotency_key, sources, is_own, is_requested)
      values ('safe_all_surfaces', $1, gen_random_uuid()::text, 0, $2, false) returning id`,
    values: [sourceId, isOwn],
  });
  await planRuns(
    transaction,
    scan!.id,
    detectors.map(detector => ({ sourceId, detector })),
    startedAt,
  );
  return scan!.id;
}
