import type { Scan } from '../../contract/scans.ts';
import type { TenantTransaction } from '../../database/tenant-store.ts';
import { endIfDone, endScan, runOutcomes } from './end-scan.ts';
import { endUnfinishedRuns } from './scan-runs.ts';
import { lockUnfinishedScan, scanColumns } from './scans.ts';

// A worker stops running work within a second: see `whileWanted`.

/**
 * Cancels one scan. Finished runs stay; the others are skipped. False if the organization has no such unfinished scan.
 */
export async function cancelScan(transaction: TenantTransaction, scanId: string): Promise<boolean> {
  let scan = await endRunsAndLock(transaction, scanId);
  if (scan && (await runOutcomes(transaction, scanId)).unfinished > 0) {
    // It was planned meanwhile, which happens once, and has runs now: its lock is released, since they are locked
    // first.
    await transaction.query({ text: 'rollback to savepoint before_scan' });
    scan = await endRunsAndLock(transaction, scanId);
  }
  if (!scan) return false;
  await endScan(transaction, scan, 'canceled');
  return true;
}

/** Locks unfinished runs before their scan, as all code that locks both. The scan is undefined if it has ended. */
async function endRunsAndLock(transaction: TenantTransaction, scanId: string): Promise<Scan | undefined> {
  await endUnfinishedRuns(transaction, { scanId }, { status: 'skipped', cause: 'scan_canceled' });
  await transaction.query({ text: 'savepoint before_scan' });
  return lockUnfinishedScan(transaction, scanId);
}

/** Skips the unfinished runs of a source. Returns the ids of their scans, for `endScansOf`. */
export async function skipRunsOf(transaction: TenantTransaction, sourceId: string): Promise<string[]> {
  const stopped = await transaction.query<{ scan_id: string; detector: string }>({
    text: `with unfinished as (
        select r.id from scan_runs r join scans s on s.id = r.scan_id
        where r.source_id = $1 and r.status in ('queued', 'running') and s.finished_at is null
        order by r.id for no key update of r)
      update scan_runs r set status = 'skipped', cause = 'source_disconnected', finished_at = now()
      from unfinished u where r.id = u.id returning r.scan_id, r.detector`,
    values: [sourceId],
  });
  const end = { status: 'skipped', cause: 'source_disconnected' } as const;
  transaction.report({ event: 'runs.ended', runs: stopped.map(({ detector }) => ({ detector, ...end })) });
  return stopped.map(({ scan_id }) => scan_id);
}

/**
 * Cancels the scans of the source itself, and ends those of its system without other unfinished runs.
 */
export async function endScansOf(
  transaction: TenantTransaction,
  sourceId: string,
  scanIds: readonly string[],
): Promise<void> {
  const scans = await transaction.query<Scan>({
    text: `select ${scanColumns} from scans
      where finished_at is null and (source_id = $1 or id = any($2)) order by id for no key update`,
    values: [sourceId, scanIds],
  });
  for (const scan of scans) {
    if (scan.source_id === sourceId) await endScan(transaction, scan, 'canceled');
    else await endIfDone(transaction, scan, await runOutcomes(transaction, scan.id));
  }
}
