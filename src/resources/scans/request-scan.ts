import type { Expression } from 'kysely';
import type { RequestScan, Scan } from '../../contract/scans.ts';
import type { SourceStatus } from '../../contract/sources.ts';
import type { AuditEvent } from '../../database/audit.ts';
import { organizationLock } from '../../database/organization-lock.ts';
import { prepared } from '../../database/prepared.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantStore, TenantTransaction } from '../../database/tenant-store.ts';
import type { CommittedEvent } from '../../domain/committed-events.ts';
import { Refusal } from '../../domain/refusal.ts';
import { type NotScannable, whyNotScannable } from '../../domain/scannable.ts';
import { authorizedSources, scanColumns, statusesOfSources, type Target } from './scans.ts';

const scanWithKey = prepared(({ key }: { readonly key: Expression<string> }) =>
  db.selectFrom('scans').select(scanColumns).where('idempotency_key', '=', key),
);

/** The scan with this idempotency key, or undefined. Throws if it has another target. */
export async function findReusedScan(store: TenantStore, request: RequestScan): Promise<Scan | undefined> {
  const [scan] = await store.queryShared(scanWithKey({ key: request.idempotency_key }));
  return scan && sameTarget(scan, request);
}

/**
 * Queues a `safe_all_surfaces` scan, or finds the scan of a simultaneous request with the same key. The target must
 * exist. Throws like `enqueueScan`, and `idempotency_key_reused`.
 */
export async function requestScan(
  transaction: TenantTransaction,
  request: RequestScan,
  service: ScanningService,
): Promise<{ scan: Scan; created: boolean }> {
  const { system_id, source_id, idempotency_key } = request;
  const scan = await enqueueScan(
    transaction,
    { profile: 'safe_all_surfaces', system_id, source_id, idempotency_key },
    service,
  );
  if (scan) return { scan, created: true };
  const existing = await transaction.query(scanWithKey({ key: idempotency_key }));
  return { scan: sameTarget(existing[0]!, request), created: false };
}

function sameTarget(scan: Scan, request: RequestScan): Scan {
  const same =
    scan.profile === 'safe_all_surfaces' &&
    scan.system_id === (request.system_id?.toLowerCase() ?? null) &&
    scan.source_id === (request.source_id?.toLowerCase() ?? null);
  if (!same) throw new Refusal('idempotency_key_reused');
  return scan;
}

/**
 * Queues a `safe_all_surfaces` scan, or finds the unfinished one of the same target. The target must exist. Throws like
 * `enqueueScan`.
 */
export async function startSafeScan(
  transaction: TenantTransaction,
  target: Target,
  service: ScanningService,
): Promise<Scan> {
  // With the row locked, simultaneous requests share one scan.
  await transaction.query({
    text: target.source_id
      ? 'select from sources where id = $1 for no key update'
      : 'select from systems where id = $1 for no key update',
    values: [target.source_id ?? target.system_id],
  });
  const running = await transaction.query<Scan>({
    text: `select ${scanColumns} from scans where finished_at is null and profile = 'safe_all_surfaces'
      and source_id is not distinct from $1 and system_id is not distinct from $2`,
    values: [target.source_id, target.system_id],
  });
  const scan = { profile: 'safe_all_surfaces', ...target } as const;
  return running[0] ?? (await enqueueScan(transaction, scan, service))!;
}

/** What determines the sources that a service scans itself. */
export interface ScanningService {
  readonly privilegedConnections: boolean;
}

/**
 * The number of the target's sources that this service can scan. Throws `scan_not_authorized` and `nothing_to_scan`,
 * which explain why there are none.
 */
export async function assertScannable(
  transaction: TenantTransaction,
  target: Target,
  service: ScanningService,
): Promise<number> {
  const authorized = await authorizedSources(transaction, target);
  const reasons = authorized.flatMap(source => whyNotScannable(source, service) ?? []);
  if (authorized.length > reasons.length) return authorized.length - reasons.length;
  const path = target.source_id === null ? 'system_id' : 'source_id';
  if (authorized.length === 0) {
    const statuses = await statusesOfSources(transaction, target);
    const message = path === 'source_id' ? whyNotAuthorized(statuses) : whyNoneAuthorized(statuses);
    throw new Refusal('scan_not_authorized', { fields: [{ path, message }] });
  }
  const words = notScannable[path];
  const fields = [...new Set(reasons)].map(reason => ({ path, message: words[reason] }));
  throw new Refusal('nothing_to_scan', { fields });
}

const notScannable: Record<'source_id' | 'system_id', Record<NotScannable, string>> = {
  source_id: {
    assessed_by_probe: 'is assessed by a probe',
    privileged_connections_disabled:
      'needs a privileged connection, which this service does not make (PARAPET_PRIVILEGED_CONNECTIONS)',
  },
  system_id: {
    assessed_by_probe: 'has authorized sources that a probe assesses, and no other that can be scanned',
    privileged_connections_disabled:
      'has authorized sources that need a privileged connection, which this service does not make (PARAPET_PRIVILEGED_CONNECTIONS)',
  },
};

/**
 * Names the first step that the API accepts.
 *
 * @param statuses of the source, which is not authorized
 */
function whyNotAuthorized([status]: readonly SourceStatus[]): string {
  if (status === 'disconnected') return 'is disconnected: create a new source';
  if (status === 'draft') return 'is a draft: accept its risk statement, then call authorize-scan';
  return 'is not authorized for scans: call authorize-scan';
}

/** The same for a system. @param statuses of its sources, all unauthorized */
function whyNoneAuthorized(statuses: readonly SourceStatus[]): string {
  if (statuses.length === 0) return 'has no sources: create one';
  if (statuses.every(status => status === 'disconnected'))
    return 'has only disconnected sources: create a new one';
  if (statuses.some(status => status !== 'draft' && status !== 'disconnected'))
    return 'has no source that is authorized for scans: call authorize-scan for one';
  return 'has only drafts: accept the risk statement of one, then call authorize-scan for it';
}

/** A scan to create. Without a client's idempotency key, it gets a generated one. */
export interface NewScan {
  readonly profile: Scan['profile'];
  readonly system_id?: string | null | undefined;
  readonly source_id?: string | null | undefined;
  readonly finding_id?: string;
  readonly idempotency_key?: string;
}

/**
 * Limits of sources in an organization's scans, counted once per scan: of those that are not finished, and of those
 * requested within an hour. They allow all sources twice and four times, since each has a row per detector, which is
 * kept.
 */
const most = { unfinished: 10_000, anHour: 20_000 };

/**
 * Limits of people's requests, since a stolen session can start and stop scans. The rest is reserved for keys and
 * Watch: it is enough for an hourly Watch of all sources, and each may start a tenth sooner. Canceled scans count
 * too, since their rows, audit entries and jobs were created.
 */
const mostOfPeople: typeof most = { unfinished: 7_000, anHour: 14_000 };

/**
 * Inserts a scan, its audit entry and its job. Undefined if its idempotency key was used. Throws `scan_not_authorized`,
 * `nothing_to_scan` and `too_many_scans`.
 */
export async function enqueueScan(
  transaction: TenantTransaction,
  { profile, system_id = null, source_id = null, finding_id, idempotency_key }: NewScan,
  service: ScanningService,
): Promise<Scan | undefined> {
  const sources = await assertScannable(transaction, { system_id, source_id }, service);
  const [, rows] = await Promise.all([
    oneRequestAtATime(transaction),
    transaction.query<Scan>({
      name: 'insert-scan',
      text: `insert into scans (profile, system_id, source_id, finding_id, idempotency_key, sources)
      values ($1, $2, $3, $4, coalesce($5, gen_random_uuid()::text), $6)
      on conflict on constraint scans_idempotency_key do nothing returning ${scanColumns}`,
      values: [profile, system_id, source_id, finding_id ?? null, idempotency_key ?? null, sources],
    }),
  ]);
  const scan = rows[0];
  if (!scan) return undefined;
  // Counted after the insert, which may be the one that exceeds the limit.
  if ((await roomForScans(transaction)) < 0) throw tooManyScans();
  // A safe scan of one source has one inspection, which plans its runs: a job less, and a transaction.
  if (source_id !== null && profile === 'safe_all_surfaces')
    await transaction.enqueue('scan-inspect', [{ scanId: scan.id, sourceId: source_id }]);
  else await transaction.enqueue('scan-plan', [{ scanId: scan.id }]);
  transaction.audit(scanRequested(scan, finding_id));
  transaction.report(scanQueued(scan));
  return scan;
}

/**
 * Queues a scan by Watch of each of these sources, which can be scanned, in their order: as many as the limits allow. They leave no
 * entries in the audit log: who turned Watch on does, and the list of scans has them.
 */
export async function enqueueWatchedScans(
  transaction: TenantTransaction,
  sourceIds: readonly string[],
): Promise<{ id: string; source_id: string }[]> {
  const [, left] = await Promise.all([oneRequestAtATime(transaction), roomForScans(transaction)]);
  const room = Math.max(0, left);
  const scans = await transaction.query<SourceScan>({
    name: 'insert-watched-scans',
    text: `insert into scans (profile, source_id, idempotency_key, sources, is_requested)
      select 'safe_all_surfaces', id, gen_random_uuid()::text, 1, false from unnest($1::uuid[]) as id
      returning id, profile, system_id, source_id`,
    values: [sourceIds.slice(0, room)],
  });
  await transaction.enqueue(
    'scan-inspect',
    scans.map(({ id, source_id }) => ({ scanId: id, sourceId: source_id })),
  );
  transaction.report(...scans.map(scanQueued));
  return scans;
}

type ScanOfTarget = Pick<Scan, 'id' | 'profile' | 'system_id' | 'source_id'>;
type SourceScan = ScanOfTarget & { readonly source_id: string };

function scanRequested({ id, profile, system_id, source_id }: ScanOfTarget, finding_id?: string): AuditEvent {
  const detail = { profile, system_id, source_id, ...(finding_id ? { finding_id } : {}) };
  return { action: 'scan.requested', objectKind: 'scan', objectId: id, detail };
}

function scanQueued({ id, profile, system_id, source_id }: ScanOfTarget): CommittedEvent {
  return { event: 'scan.queued', scan_id: id, profile, system_id, source_id };
}

/** Until then, an organization at its limit gets no further scans. */
export const fullForSeconds = 300;

export const tooManyScans = () => new Refusal('too_many_scans', { retry_after_seconds: fullForSeconds });

/**
 * Waits until no other request of the organization inserts scans, and lets none until the commit, so that each counts the scans of the
 * others. Before the insert, which locks rows of last scans.
 */
function oneRequestAtATime(transaction: TenantTransaction): Promise<unknown> {
  return transaction.query(organizationLock('scans', transaction.organizationId));
}

/** How many more sources the organization may have scanned; negative if the scans of this transaction exceed the limits. */
async function roomForScans(transaction: TenantTransaction): Promise<number> {
  const [volume] = await transaction.query<{ unfinished: number; recent: number }>({
    name: 'room-for-scans',
    text: `select
      (select coalesce(sum(sources), 0)::int from scans where finished_at is null) as unfinished,
      (select coalesce(sum(sources), 0)::int from scans where created_at > now() - interval '1 hour') as recent`,
  });
  const limit = transaction.actor.kind === 'person' ? mostOfPeople : most;
  return Math.min(limit.unfinished - volume!.unfinished, limit.anHour - volume!.recent);
}
