import { briefTransaction } from '../../database/brief-transaction.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantStore, TenantTransaction } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';
import { whyNotScannable } from '../../domain/scannable.ts';
import { assertScannable, enqueueScan, type ScanningService } from '../scans/request-scan.ts';
import { lockAuthorizedSource } from '../scans/scans.ts';
import { cancelScan } from '../scans/stop-scans.ts';

/** The hours between scans. */
type WatchInterval = 1 | 6 | 12 | 24 | 168;

/** A recurring `safe_all_surfaces` scan of one source. */
export interface Watch {
  readonly source_id: string;
  readonly every_hours: WatchInterval;
  readonly next_scan_at: string;
  readonly last_scan_id: string | null;
}

const columns = 'source_id, every_hours, next_scan_at, last_scan_id';

/**
 * SQL of the next scan of a row of `watches`. It may start earlier or later by a tenth of the interval, toward a place in the interval
 * that each source has: sources that were turned on together spread out, and stay so. Around its place, a scan starts up to 2% of the
 * interval earlier or later, so that targets cannot predict it.
 *
 * @param at SQL of the time of the scan before it
 */
export const nextScan = (at: string) => `${at} + make_interval(secs => every_hours * 3600 * (1 + coalesce((
  select case when abs(way) <= 0.08 then way + 0.02 * (2 * random() - 1) else sign(way) * 0.1 * random() end from (
    select toward - floor(toward + 0.5) as way from (
      select (hashtext(source_id::text) & 65535) / 65536.0 - extract(epoch from ${at}) / (every_hours * 3600) as toward) as place
  ) as shortest), 0)))`;

/**
 * Turns Watch on or changes its interval. The first scan starts at once. The transaction's actor must be a person.
 * Throws `forbidden`, `scan_not_authorized` and `nothing_to_scan`.
 */
export async function turnWatchOn(
  transaction: TenantTransaction,
  sourceId: string,
  everyHours: WatchInterval,
  service: ScanningService,
): Promise<Watch> {
  const { actor } = transaction;
  if (actor.kind !== 'person') throw new Refusal('forbidden');
  await assertScannable(transaction, { system_id: null, source_id: sourceId }, service);
  const rows = await transaction.query<Watch>({
    text: `insert into watches (source_id, every_hours, next_scan_at, turned_on_by) values ($1, $2, now(), $3)
      on conflict (organization_id, source_id) do update set every_hours = excluded.every_hours,
        next_scan_at = excluded.next_scan_at, turned_on_by = excluded.turned_on_by, turned_on_at = now()
      returning ${columns}`,
    values: [sourceId, everyHours, actor.id],
  });
  transaction.audit({
    action: 'source.watch_turned_on',
    objectKind: 'source',
    objectId: sourceId,
    detail: { every_hours: everyHours },
  });
  return rows[0]!;
}

/** Also cancels an unfinished scan by Watch. False if Watch was not on. */
export async function turnWatchOff(transaction: TenantTransaction, sourceId: string): Promise<boolean> {
  const [watch] = await transaction.query(
    db.deleteFrom('watches').where('source_id', '=', sourceId).returning('last_scan_id'),
  );
  if (!watch) return false;
  if (watch.last_scan_id !== null) await cancelScan(transaction, watch.last_scan_id);
  transaction.audit({ action: 'source.watch_turned_off', objectKind: 'source', objectId: sourceId });
  return true;
}

/**
 * Starts the scan of a due watch and schedules the next one. Of several workers, one does; a source that is being
 * scanned is skipped until the next time. Returns the scan's id, or undefined if none was started. Throws
 * `too_many_scans` after postponing all due watches of the organization.
 */
export async function startWatchedScan(store: TenantStore, sourceId: string, service: ScanningService) {
  try {
    return await briefTransaction(store, transaction => startIfDue(transaction, sourceId, service));
  } catch (error) {
    const wait = error instanceof Refusal ? error.details.retry_after_seconds : undefined;
    if (wait !== undefined) await store.transaction(transaction => postponeDueWatches(transaction, wait));
    throw error;
  }
}

/** A refusal for one watch applies to all of the organization: none of them stays due. */
async function postponeDueWatches(transaction: TenantTransaction, seconds: number): Promise<void> {
  await transaction.query({
    text: 'update watches set next_scan_at = now() + make_interval(secs => $1) where next_scan_at <= now()',
    values: [seconds],
  });
}

async function startIfDue(transaction: TenantTransaction, sourceId: string, service: ScanningService) {
  const source = await lockAuthorizedSource(transaction, sourceId);
  const due = await transaction.query({
    name: 'schedule-next-scan',
    text: `update watches set next_scan_at = ${nextScan('now()')} where source_id = $1 and next_scan_at <= now()
      returning source_id`,
    values: [sourceId],
  });
  if (due.length === 0 || !source || whyNotScannable(source, service)) return undefined;
  if (await isBeingScanned(transaction, source)) return undefined;
  const scan = await enqueueScan(
    transaction,
    { profile: 'safe_all_surfaces', source_id: sourceId },
    service,
    1,
  );
  await transaction.query(
    db.updateTable('watches').set({ last_scan_id: scan!.id }).where('source_id', '=', sourceId),
  );
  return scan!.id;
}

async function isBeingScanned(
  transaction: TenantTransaction,
  source: { readonly id: string; readonly system_id: string },
): Promise<boolean> {
  const rows = await transaction.query({
    text: `select from scans where finished_at is null and profile <> 'verify_finding'
      and (source_id = $1 or system_id = $2) limit 1`,
    values: [source.id, source.system_id],
  });
  return rows.length > 0;
}
