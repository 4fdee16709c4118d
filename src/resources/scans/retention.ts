import {
  mostCounted,
  type ScanRetention,
  type ScanRetentionState,
} from '../../contract/dashboard/retention.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantSession, TenantTransaction } from '../../database/tenant-store.ts';

/** Scans that one transaction reads: its locks are held briefly. */
const atOnce = 1_000;

/**
 * The organization's retention of scans, and what it would delete today.
 *
 * @param another the days of another retention, to see its effect
 */
export async function readScanRetention(
  session: TenantSession,
  another?: number,
): Promise<ScanRetentionState> {
  const [kept] = await session.query<Omit<ScanRetentionState, 'would_delete'> & { before: string | null }>({
    text: `select scan_retention_days as retention_days, scan_retention_applies_at as applies_at,
        (select min(created_at) from scans) as oldest,
        scan_horizon(coalesce($1, scan_retention_days), '-infinity') as before
      from organizations`,
    values: [another ?? null],
  });
  const { before, ...retention } = kept!;
  const [old] = await session.query<{ scans: number }>({
    text: `select count(*)::int as scans from (
      select from scans s where created_at < $1 and ${isDeletable} limit $2) as old`,
    values: [before, mostCounted + 1],
  });
  const scans = Math.min(old!.scans, mostCounted);
  return { ...retention, would_delete: { scans, has_more: old!.scans > mostCounted, before } };
}

/** The condition of `delete_old_scans` for a row `s` of `scans`. */
const isDeletable = `s.finished_at is not null
  and not exists (select from last_scans l where l.target_id = coalesce(s.source_id, s.system_id) and l.scan_id = s.id)
  and not exists (select from evidence e where e.scan_id = s.id)`;

/** Changes it from a week later on: what is deleted cannot be restored, and until then a change can be noticed and undone. */
export async function changeScanRetention(
  transaction: TenantTransaction,
  { retention_days }: ScanRetention,
): Promise<void> {
  const [before] = await transaction.query(
    db.selectFrom('organizations').select(['id', 'scan_retention_days']).forNoKeyUpdate(),
  );
  const { id, scan_retention_days } = before!;
  if (scan_retention_days === retention_days) return;
  await transaction.query({ text: 'select set_scan_retention($1)', values: [retention_days] });
  transaction.audit({
    action: 'organization.scan_retention_changed',
    objectKind: 'organization',
    objectId: id,
    detail: { from_days: scan_retention_days, days: retention_days },
  });
}

/**
 * Deletes the next scans that are past the retention, with their runs. The last scan of each source and system remains, and so do those
 * that evidence was taken of. At the end of a day's deletions, the audit log gets their number.
 */
export async function deleteOldScans(transaction: TenantTransaction): Promise<void> {
  const [turn] = await transaction.query<Turn>({
    text: `select coalesce(ended, false) as ended, coalesce(completed, 0) as completed, coalesce(failed, 0) as failed,
        coalesce(canceled, 0) as canceled from delete_old_scans($1)`,
    values: [atOnce],
  });
  if (!turn?.ended) return;
  const { completed, failed, canceled } = turn;
  if (completed + failed + canceled === 0) return;
  transaction.audit({
    action: 'organization.old_scans_deleted',
    objectKind: 'organization',
    objectId: transaction.organizationId,
    detail: { completed, failed, canceled },
  });
}

interface Turn {
  readonly ended: boolean;
  readonly completed: number;
  readonly failed: number;
  readonly canceled: number;
}
