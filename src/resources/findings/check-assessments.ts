import type { TenantSession, TenantTransaction } from '../../database/tenant-store.ts';
import type { CheckOutcome } from '../../domain/finding-changes.ts';

/**
 * Checks of a source that a later scan has already assessed, so that this scan's results for them are outdated. Times
 * in the future come from a wrong clock, and are ignored.
 */
export async function checksAssessedSince(
  session: TenantSession,
  sourceId: string,
  lookedAt: string,
): Promise<Set<string>> {
  const rows = await session.query<{ check_id: string }>({
    name: 'checks-assessed-since',
    text: `select check_id from check_assessments
      where source_id = $1 and looked_at > $2 and looked_at <= clock_timestamp() and outcome in ('passed', 'observed')`,
    values: [sourceId, lookedAt],
  });
  return new Set(rows.map(row => row.check_id));
}

/**
 * Stores the newest outcome of each check. @param lookedAt when the scan of the source began, by the database's clock
 */
export async function recordAssessments(
  transaction: TenantTransaction,
  look: { readonly sourceId: string; readonly scanId: string; readonly lookedAt: string },
  assessments: readonly CheckOutcome[],
): Promise<void> {
  if (assessments.length === 0) return;
  await transaction.query({
    name: 'record-assessments',
    text: 'select record_outcomes($1, $2, $3, $4, $5, $6)',
    values: [
      look.sourceId,
      look.scanId,
      look.lookedAt,
      assessments.map(({ check }) => check),
      assessments.map(({ outcome }) => outcome),
      assessments.map(({ reason }) => reason),
    ],
  });
}

/** The newest outcome of every check ever run on the source, sorted by id. */
export async function listAssessments(session: TenantSession, sourceId: string): Promise<CheckOutcome[]> {
  return session.query<CheckOutcome>({
    text: 'select check_id as check, outcome, reason from check_assessments where source_id = $1 order by check_id',
    values: [sourceId],
  });
}
