import type { TenantTransaction } from '../../database/tenant-store.ts';
import { checksLookedAtSince, recordAssessments } from '../../resources/findings/check-assessments.ts';
import {
  applyFindingChanges,
  countFindings,
  storedFindings,
} from '../../resources/findings/finding-changes.ts';
import { recordPosture } from '../../resources/posture/posture.ts';
import type { Inspection } from '../../scan/inspection.ts';
import { narrow } from '../../scan/narrow.ts';
import { type Reconciliation, reconcile } from '../../scan/reconcile.ts';

/** One look at one source. */
export interface Look {
  readonly source: { readonly id: string; readonly system_id: string };
  readonly scanId: string;
  /** When it began, by the database's clock. */
  readonly lookedAt: string;
  /** The check of the finding that was to be verified; null for a look at everything. */
  readonly category: string | null;
}

/**
 * Writes what an inspection saw, with the source's row locked. A look that began earlier but took longer than another
 * says nothing any more about the checks that the other has made; one that verifies a finding says something about that
 * finding's check only. Returns the findings that it reopened, for `auditReopened`.
 */
export async function keepInspection(
  transaction: TenantTransaction,
  { source, scanId, lookedAt, category }: Look,
  inspection: Inspection,
): Promise<string[]> {
  const outdated = await checksLookedAtSince(transaction, source.id, lookedAt);
  const { seen, assessed, outcomes, ...looked } = narrow(inspection, { outdated, category });
  const stored = await storedFindings(transaction, source.id, seen);
  const kept = await countFindings(transaction, source.id);
  const changes = reconcile(stored, seen, assessed, looked, kept);
  const reopened = await applyFindingChanges(
    transaction,
    { sourceId: source.id, systemId: source.system_id, scanId },
    changes,
  );
  await recordAssessments(
    transaction,
    { sourceId: source.id, scanId, lookedAt },
    outcomes.map(outcome => told(outcome, changes)),
  );
  await recordPosture(transaction, source.id);
  return reopened;
}

/**
 * A check whose findings are not kept is not one that found something: there would be nothing to see of it. One that found nothing where
 * it looked has not passed while something stays that it saw elsewhere.
 */
function told(outcome: Inspection['outcomes'][number], { untold, seenElsewhere }: Reconciliation) {
  const { check } = outcome;
  if (untold.has(check)) return { ...outcome, outcome: 'not_assessed' as const, reason: tooManyKept };
  const isLeft = outcome.outcome === 'passed' && seenElsewhere.has(check);
  return isLeft ? { ...outcome, outcome: 'not_assessed' as const, reason: notSeenAgain } : outcome;
}

const notSeenAgain = 'What it saw before is on another page or in another database than this scan looked at.';

const tooManyKept =
  'The source has as many findings as are kept, with those that are resolved; others were left out.';
