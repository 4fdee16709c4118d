import { briefTransaction } from '../../database/brief-transaction.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantStore, TenantTransaction } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';
import { whyNotScannable } from '../../domain/scannable.ts';
import {
  assertScannable,
  enqueueWatchedScans,
  fullForSeconds,
  type ScanningService,
  tooManyScans,
} from '../scans/request-scan.ts';
import { lockFreeSources, type ScanSource } from '../scans/scans.ts';
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
 * Starts the scans of due watches, as many as limits allow, and schedules the next ones. Of several workers, one does. A source that is being
 * scanned is skipped until the next time, one that is locked until the next turn. Returns the scans' ids. Throws `too_many_scans` after
 * postponing those that the limits do not allow.
 */
export async function startWatchedScans(
  store: TenantStore,
  sourceIds: readonly string[],
  service: ScanningService,
): Promise<string[]> {
  const { scans, left } = await briefTransaction(store, transaction =>
    startDue(transaction, sourceIds, service),
  );
  if (left.length > 0) throw tooManyScans();
  return scans;
}

async function startDue(
  transaction: TenantTransaction,
  sourceIds: readonly string[],
  service: ScanningService,
): Promise<{ scans: string[]; left: readonly string[] }> {
  const locked = await lockFreeSources(transaction, sourceIds);
  const due = await transaction.query<{ source_id: string }>({
    name: 'schedule-next-scans',
    text: `update watches set next_scan_at = ${nextScan('now()')} where source_id = any($1) and next_scan_at <= now()
      returning source_id`,
    values: [locked.map(({ id }) => id)],
  });
  const isDue = new Set(due.map(({ source_id }) => source_id));
  const scannable = locked.filter(
    source => isDue.has(source.id) && source.scan_authorized_at !== null && !whyNotScannable(source, service),
  );
  const wanted = await notBeingScanned(transaction, scannable);
  if (wanted.length === 0) return { scans: [], left: [] };
  const scans = await enqueueWatchedScans(transaction, wanted);
  await transaction.query({
    name: 'remember-watched-scans',
    text: `update watches w set last_scan_id = s.id from unnest($1::uuid[], $2::uuid[]) as s (id, source_id)
      where w.source_id = s.source_id`,
    values: [scans.map(({ id }) => id), scans.map(({ source_id }) => source_id)],
  });
  const left = wanted.slice(scans.length);
  if (left.length > 0) await postponeWatches(transaction, left);
  return { scans: scans.map(({ id }) => id), left };
}

/** The limits apply to the whole organization: none of its watches stays due. */
async function postponeWatches(transaction: TenantTransaction, sourceIds: readonly string[]): Promise<void> {
  await transaction.query({
    text: `update watches set next_scan_at = now() + make_interval(secs => $1)
      where source_id = any($2) or next_scan_at <= now()`,
    values: [fullForSeconds, sourceIds],
  });
}

/** Ids of those that neither a scan of themselves nor of their system is about to assess. */
async function notBeingScanned(
  transaction: TenantTransaction,
  sources: readonly ScanSource[],
): Promise<string[]> {
  const rows = await transaction.query<{ source_id: string | null; system_id: string | null }>({
    name: 'targets-being-scanned',
    text: `select source_id, system_id from scans where finished_at is null and profile <> 'verify_finding'
      and (source_id = any($1) or system_id = any($2))`,
    values: [sources.map(({ id }) => id), [...new Set(sources.map(({ system_id }) => system_id))]],
  });
  const scanned = new Set(rows.flatMap(({ source_id, system_id }) => [source_id, system_id]));
  return sources
    .filter(({ id, system_id }) => !scanned.has(id) && !scanned.has(system_id))
    .map(({ id }) => id);
}
