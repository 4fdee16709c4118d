import { db } from '../../database/query-builder.ts';
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
  await transaction.query({
    text: `insert into check_assessments (source_id, scan_id, looked_at, check_id, outcome, reason)
      select $1, $2, $3, a.* from unnest($4::text[], $5::text[], $6::text[]) as a
      on conflict (organization_id, source_id, check_id) do update set scan_id = excluded.scan_id,
        looked_at = excluded.looked_at, outcome = excluded.outcome, reason = excluded.reason`,
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
  const assessments = db.selectFrom('check_assessments').where('source_id', '=', sourceId);
  return session.query(assessments.select(['check_id as check', 'outcome', 'reason']).orderBy('check_id'));
}
