import type { RequestScan, Run, RunStatus, Scan, ScanWithRuns } from '../contract/scans.ts';
import type { ConnectionMode, SourceKind } from '../contract/sources.ts';
import { Refusal } from '../domain/refusal.ts';
import { verdictOf } from '../domain/verdict.ts';
import { openSeverities } from './findings.ts';
import { type Page, type PageQuery, pageStatement, toPage } from './page.ts';
import type { TenantSession, TenantStore, TenantTransaction } from './tenant-store.ts';

const columns =
  'id, profile, status, verdict, runs_planned, runs_succeeded, system_id, source_id, created_at, started_at, finished_at';

export async function listScans(store: TenantStore, query: PageQuery): Promise<Page<Scan>> {
  return toPage(await store.queryOnce<Scan>(pageStatement('scans', columns, query, [])), query, []);
}

/** The scan with its runs, or undefined when the organization has none with this id. */
export async function findScan(store: TenantStore, id: string): Promise<ScanWithRuns | undefined> {
  return store.read(async session => {
    const [scans, runs] = await Promise.all([
      session.query<Scan>({ text: `select ${columns} from scans where id = $1`, values: [id] }),
      session.query<Run>({
        text: `select id, detector, source_id, status, started_at, finished_at from scan_runs where scan_id = $1
          order by source_id, detector`,
        values: [id],
      }),
    ]);
    return scans[0] && { ...scans[0], runs };
  });
}

/** The scan that used this idempotency key, or undefined. Throws when it was for another target. */
export async function findReusedScan(store: TenantStore, request: RequestScan): Promise<Scan | undefined> {
  const rows = await store.queryOnce<Scan>({
    name: 'find-reused-scan',
    text: `select ${columns} from scans where idempotency_key = $1`,
    values: [request.idempotency_key],
  });
  return rows[0] && sameTarget(rows[0], request);
}

/**
 * Enqueues a `safe_all_surfaces` scan, or finds the one that a simultaneous request with the same key has made. The
 * target must exist. Throws `scan_not_authorized` and `idempotency_key_reused`.
 */
export async function requestScan(
  transaction: TenantTransaction,
  request: RequestScan,
): Promise<{ scan: Scan; created: boolean }> {
  const { system_id = null, source_id = null, idempotency_key } = request;
  const authorized = await authorizedSources(transaction, { system_id, source_id });
  if (authorized.length === 0) throw new Refusal('scan_not_authorized');
  const inserted = await transaction.query<Scan>({
    text: `insert into scans (profile, system_id, source_id, idempotency_key)
      values ('safe_all_surfaces', $1, $2, $3)
      on conflict on constraint scans_idempotency_key do nothing returning ${columns}`,
    values: [system_id, source_id, idempotency_key],
  });
  const scan = inserted[0];
  if (!scan) {
    const existing = await transaction.query<Scan>({
      text: `select ${columns} from scans where idempotency_key = $1`,
      values: [idempotency_key],
    });
    return { scan: sameTarget(existing[0]!, request), created: false };
  }
  await transaction.audit({
    action: 'scan.requested',
    objectKind: 'scan',
    objectId: scan.id,
    detail: { profile: scan.profile, system_id, source_id },
  });
  await transaction.enqueue('scan-plan', { scanId: scan.id });
  return { scan, created: true };
}

function sameTarget(scan: Scan, request: RequestScan): Scan {
  const same =
    scan.system_id === (request.system_id?.toLowerCase() ?? null) &&
    scan.source_id === (request.source_id?.toLowerCase() ?? null);
  if (!same) throw new Refusal('idempotency_key_reused');
  return scan;
}

/** A source that may be scanned now. */
export interface ScanSource {
  readonly id: string;
  readonly system_id: string;
  readonly kind: SourceKind;
  readonly host: string;
  readonly connection_mode: ConnectionMode;
}

export async function authorizedSources(
  session: TenantSession,
  target: { readonly system_id: string | null; readonly source_id: string | null },
): Promise<ScanSource[]> {
  return session.query<ScanSource>({
    text: `select id, system_id, kind, host, connection_mode from sources
      where (id = $1 or system_id = $2) and scan_authorized_at is not null order by id`,
    values: [target.source_id, target.system_id],
  });
}

/** The source, locked, if it may still be scanned. */
export async function lockAuthorizedSource(
  transaction: TenantTransaction,
  id: string,
): Promise<ScanSource | undefined> {
  const rows = await transaction.query<ScanSource>({
    text: `select id, system_id, kind, host, connection_mode from sources
      where id = $1 and scan_authorized_at is not null for update`,
    values: [id],
  });
  return rows[0];
}

/** The scan, locked, if it has not ended. */
export async function lockUnfinishedScan(
  transaction: TenantTransaction,
  id: string,
): Promise<Scan | undefined> {
  const rows = await transaction.query<Scan>({
    text: `select ${columns} from scans where id = $1 and finished_at is null for update`,
    values: [id],
  });
  return rows[0];
}

/**
 * Counts the runs that have succeeded so far, and ends the scan when its last run has ended: status and verdict follow from the runs and from what is open on the
 * sources. A scan of which no run succeeded has failed; one that planned none is complete and inconclusive.
 */
export async function finishScanIfDone(transaction: TenantTransaction, scanId: string): Promise<boolean> {
  const scan = await lockUnfinishedScan(transaction, scanId);
  if (!scan) return false;
  const runs = await transaction.query<{ status: RunStatus; source_id: string }>({
    text: 'select status, source_id from scan_runs where scan_id = $1',
    values: [scanId],
  });
  const statuses = runs.map(run => run.status);
  const succeeded = statuses.filter(status => status === 'succeeded').length;
  if (statuses.some(status => status === 'queued' || status === 'running')) {
    await transaction.query({
      text: 'update scans set runs_succeeded = $2 where id = $1',
      values: [scanId, succeeded],
    });
    return false;
  }
  const sources = await scannedSources(transaction, scan, runs);
  const verdict = verdictOf(statuses, await openSeverities(transaction, sources));
  const status = runs.length > 0 && succeeded === 0 ? 'failed' : 'completed';
  await transaction.query({
    text: `update scans set status = $2, verdict = $3, runs_succeeded = $4, started_at = coalesce(started_at, now()),
      finished_at = now() where id = $1`,
    values: [scanId, status, verdict, succeeded],
  });
  await transaction.audit({
    action: 'scan.finished',
    objectKind: 'scan',
    objectId: scanId,
    detail: { status, verdict, runs_planned: runs.length, runs_succeeded: succeeded },
  });
  return true;
}

async function scannedSources(
  session: TenantSession,
  scan: Scan,
  runs: readonly { source_id: string }[],
): Promise<string[]> {
  const ids = new Set(runs.map(run => run.source_id));
  if (scan.source_id) ids.add(scan.source_id);
  if (scan.system_id) for (const source of await authorizedSources(session, scan)) ids.add(source.id);
  return [...ids];
}
