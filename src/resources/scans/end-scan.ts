import type { Expression } from 'kysely';
import type { RunCause } from '../../contract/causes.ts';
import type { RunStatus, Scan, Verdict } from '../../contract/scans.ts';
import { countOfRows, now } from '../../database/expressions.ts';
import { prepared } from '../../database/prepared.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantSession, TenantTransaction } from '../../database/tenant-store.ts';
import { verdictOf } from '../../domain/verdict.ts';
import { openSeverities } from '../findings/findings.ts';
import { recordNotice } from '../notifications/record-notice.ts';
import { lockUnfinishedScan } from './scans.ts';

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
  if (status === 'failed') await noteFailure(transaction, scan);
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

/** Subscribers get a message about the first failure after a scan of the same target that did not fail. */
async function noteFailure(transaction: TenantTransaction, { id, profile, source_id, system_id }: Scan) {
  if (profile === 'verify_finding') return;
  const [before] = await transaction.query(
    db
      .selectFrom('scans')
      .select('status')
      .where(({ eb }) => (source_id ? eb('source_id', '=', source_id) : eb('system_id', '=', system_id)))
      .where('id', '<>', id)
      .where('finished_at', 'is not', null)
      .where('profile', '<>', 'verify_finding')
      .where('status', '<>', 'canceled')
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1),
  );
  if (before?.status !== 'failed') await recordNotice(transaction, { kind: 'scan_failed', objectId: id });
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
