import type { Expression } from 'kysely';
import type { RunCause } from '../../contract/causes.ts';
import type { RunStatus, Scan, Verdict } from '../../contract/scans.ts';
import type { ConnectionMode, SourceKind, SourceStatus } from '../../contract/sources.ts';
import { anyOf, countOfRows, now } from '../../database/expressions.ts';
import { jsonRows, jsonTimestamp } from '../../database/json-text.ts';
import { newest, type Page, type PagePlaces, type PageQuery, pageOf, readPage } from '../../database/page.ts';
import { prepared } from '../../database/prepared.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantSession, TenantStore, TenantTransaction } from '../../database/tenant-store.ts';
import { verdictOf } from '../../domain/verdict.ts';
import { openSeverities } from '../findings/findings.ts';

/** The columns of the contract's scan. */
export const scanColumns = [
  'id',
  'profile',
  'status',
  'verdict',
  'runs_planned',
  'runs_succeeded',
  'system_id',
  'source_id',
  'created_at',
  'started_at',
  'finished_at',
] as const;

const newestScans = prepared((page: PagePlaces<typeof newest>) =>
  pageOf(db.selectFrom('scans').select(scanColumns), newest, page),
);

export async function listScans(store: TenantStore, query: PageQuery): Promise<Page<Scan>> {
  const list = { organization: store.organizationId, name: 'scans', order: newest };
  return readPage(list, query, page => store.queryShared(newestScans(page)));
}

const startAndEnd = `${jsonTimestamp('started_at')} as started_at, ${jsonTimestamp('finished_at')} as finished_at`;
const runsOfScan = jsonRows(`select id, detector, source_id, status, cause, ${startAndEnd} from scan_runs
  where scan_id = $1 order by source_id, detector`);

/**
 * The scan with its runs, as the JSON of `ScanWithRuns`, since a system can have thousands of runs. Undefined if the
 * organization has none with this id.
 */
export async function findScanText(store: TenantStore, id: string): Promise<string | undefined> {
  const rows = await store.queryOnce<{ scan: string }>({
    name: 'find-scan-text',
    text: `select row_to_json(found)::text as scan from (
        select id, profile, status, verdict, runs_planned, runs_succeeded, system_id, source_id,
          ${jsonTimestamp('created_at')} as created_at, ${startAndEnd}, ${runsOfScan} as runs
        from scans where id = $1) as found`,
    values: [id],
  });
  return rows[0]?.scan;
}

/** A source that may be scanned now. */
export interface ScanSource {
  readonly id: string;
  readonly system_id: string;
  readonly kind: SourceKind;
  readonly host: string;
  readonly connection_mode: ConnectionMode;
}

const sourceColumns = ['id', 'system_id', 'kind', 'host', 'connection_mode'] as const;

/** One of the two is null. */
export interface Target {
  readonly system_id: string | null;
  readonly source_id: string | null;
}

const sourcesOf = ({ source_id, system_id }: Target) =>
  db
    .selectFrom('sources')
    .where(({ eb }) => (source_id ? eb('id', '=', source_id) : eb('system_id', '=', system_id)));

export async function authorizedSources(session: TenantSession, target: Target): Promise<ScanSource[]> {
  return session.query(
    sourcesOf(target).select(sourceColumns).where('scan_authorized_at', 'is not', null).orderBy('id'),
  );
}

/** The distinct statuses of the target's sources. */
export async function statusesOfSources(session: TenantSession, target: Target): Promise<SourceStatus[]> {
  const rows = await session.query(sourcesOf(target).select('status').distinct());
  return rows.map(({ status }) => status);
}

const hostOfId = prepared(({ id }: { readonly id: Expression<string> }) =>
  db.selectFrom('sources').select('host').where('id', '=', id),
);

/** The host of a source, even if it is disconnected; sources are never deleted. */
export async function hostOfSource(store: TenantStore, id: string): Promise<string> {
  const [source] = await store.queryShared(hostOfId({ id }));
  return source?.host ?? '';
}

const authorizedSourceLocked = prepared(({ id }: { readonly id: Expression<string> }) =>
  db
    .selectFrom('sources')
    .select(sourceColumns)
    .where('id', '=', id)
    .where('scan_authorized_at', 'is not', null)
    .forNoKeyUpdate(),
);

/** The source, locked, if it may still be scanned. */
export async function lockAuthorizedSource(
  transaction: TenantTransaction,
  id: string,
): Promise<ScanSource | undefined> {
  const [source] = await transaction.query(authorizedSourceLocked({ id }));
  return source;
}

/** Those of the sources that no other transaction has locked, locked. They may be scanned if they have a time of authorization. */
export async function lockFreeSources(
  transaction: TenantTransaction,
  ids: readonly string[],
): Promise<(ScanSource & { readonly scan_authorized_at: string | null })[]> {
  return transaction.query(
    db
      .selectFrom('sources')
      .select([...sourceColumns, 'scan_authorized_at'])
      .where('id', '=', anyOf(ids))
      .forNoKeyUpdate()
      .skipLocked(),
  );
}

const unfinishedScanLocked = prepared(({ id }: { readonly id: Expression<string> }) =>
  db
    .selectFrom('scans')
    .select(scanColumns)
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .forNoKeyUpdate(),
);

/** The scan, locked, if it is unfinished. */
export async function lockUnfinishedScan(
  transaction: TenantTransaction,
  id: string,
): Promise<Scan | undefined> {
  const [scan] = await transaction.query(unfinishedScanLocked({ id }));
  return scan;
}

interface RunOutcomes {
  readonly total: number;
  readonly succeeded: number;
  readonly unfinished: number;
  /** Each status at least once. */
  readonly statuses: readonly RunStatus[];
  /** The distinct causes of runs that did not succeed. */
  readonly causes: readonly RunCause[];
}

/** How a scan ended. */
export interface EndedScan {
  readonly status: 'completed' | 'failed' | 'canceled';
  readonly verdict: Verdict;
}

/** Counts the successful runs, and ends the scan after its last run. Undefined if it has not ended. */
export async function finishScanIfDone(
  transaction: TenantTransaction,
  scanId: string,
): Promise<EndedScan | undefined> {
  const [scan, outcomes] = await Promise.all([
    lockUnfinishedScan(transaction, scanId),
    runOutcomes(transaction, scanId),
  ]);
  return scan && endIfDone(transaction, scan, outcomes);
}

/** The same for a locked scan. */
export async function endIfDone(
  transaction: TenantTransaction,
  scan: Scan,
  outcomes: RunOutcomes,
): Promise<EndedScan | undefined> {
  const { succeeded, unfinished } = outcomes;
  if (unfinished > 0) {
    await transaction.query(
      db.updateTable('scans').set({ runs_succeeded: succeeded }).where('id', '=', scan.id),
    );
    return undefined;
  }
  return endScan(transaction, scan, endOf(outcomes));
}

/** A scan whose runs were all skipped was canceled: nothing was tried that could fail. */
function endOf({ total, succeeded, statuses }: RunOutcomes): EndedScan['status'] {
  if (total === 0 || succeeded > 0) return 'completed';
  return statuses.every(status => status === 'skipped') ? 'canceled' : 'failed';
}

interface EndOfScan {
  readonly id: Expression<string>;
  readonly status: Expression<Scan['status']>;
  readonly verdict: Expression<Verdict>;
  readonly succeeded: Expression<number>;
}

const endedScan = prepared(({ id, status, verdict, succeeded }: EndOfScan) =>
  db
    .updateTable('scans')
    .set(({ fn }) => ({
      status,
      verdict,
      runs_succeeded: succeeded,
      started_at: fn.coalesce('started_at', now),
      finished_at: now,
    }))
    .where('id', '=', id)
    .returning(['created_at', 'started_at', 'finished_at', 'is_requested']),
);

/**
 * Ends a locked scan after all its runs. The verdict follows from the runs and the open findings of the sources. A scan
 * without a successful run has failed; one without planned runs is completed and inconclusive.
 */
export async function endScan(
  transaction: TenantTransaction,
  scan: Scan,
  status: EndedScan['status'],
): Promise<EndedScan> {
  const [{ total, succeeded, statuses, causes }, severities] = await Promise.all([
    runOutcomes(transaction, scan.id),
    openSeverities(transaction, scan.id),
  ]);
  const verdict = verdictOf(statuses, severities);
  const [ended] = await transaction.query(endedScan({ id: scan.id, status, verdict, succeeded }));
  if (ended?.is_requested || status === 'canceled') {
    transaction.audit({
      action: status === 'canceled' ? 'scan.canceled' : 'scan.finished',
      objectKind: 'scan',
      objectId: scan.id,
      detail: { status, verdict, runs_planned: total, runs_succeeded: succeeded },
    });
  }
  const { id: scan_id, profile, system_id, source_id } = scan;
  transaction.report({
    event: 'scan.ended',
    scan_id,
    profile,
    system_id,
    source_id,
    status,
    verdict,
    runs: total,
    succeeded,
    causes,
    // What a probe assessed began before its scan was stored.
    waited_seconds: Math.max(0, secondsBetween(ended?.created_at, ended?.started_at)),
    seconds: secondsBetween(ended?.started_at, ended?.finished_at),
  });
  return { status, verdict };
}

/** Of two times of the database. */
function secondsBetween(from: string | null | undefined, to: string | null | undefined): number {
  return from && to ? (Date.parse(to) - Date.parse(from)) / 1_000 : 0;
}

const runsByStatus = prepared(({ scan }: { readonly scan: Expression<string> }) =>
  db
    .selectFrom('scan_runs')
    .select(['status', 'cause', countOfRows.as('runs')])
    .where('scan_id', '=', scan)
    .groupBy(['status', 'cause']),
);

/**
 * Counted by PostgreSQL: this runs after each source of the scan, and there are a few runs for each of hundreds of
 * sources.
 */
export async function runOutcomes(session: TenantSession, scanId: string): Promise<RunOutcomes> {
  const counts = await session.query(runsByStatus({ scan: scanId }));
  const sum = (...statuses: RunStatus[]) =>
    counts.reduce((total, { status, runs }) => total + (statuses.includes(status) ? runs : 0), 0);
  return {
    total: counts.reduce((total, { runs }) => total + runs, 0),
    succeeded: sum('succeeded'),
    unfinished: sum('queued', 'running'),
    statuses: counts.map(({ status }) => status),
    causes: [
      ...new Set(counts.flatMap(({ status, cause }) => (cause && status !== 'succeeded' ? [cause] : []))),
    ],
  };
}
