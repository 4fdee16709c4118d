import type { CheckOutcome, KnownFindings, ScanConclusions } from '../domain/finding-changes.ts';
import type { Inspection } from './inspection.ts';
import { narrow } from './narrow.ts';
import { type Reconciliation, reconcile } from './reconcile.ts';

/**
 * What an inspection changes in what is known of its source. One that began earlier but took longer than another says nothing any
 * more about the checks that the other has made.
 *
 * @param category the check of the finding that was verified, the only one that the inspection then says something about; null for a scan
 *   of everything
 */
export function conclude(
  inspection: Inspection,
  { stored, kept, outdated }: KnownFindings,
  category: string | null,
): ScanConclusions {
  const { seen, assessed, outcomes, ...looked } = narrow(inspection, { outdated, category });
  const changes = reconcile(stored, seen, assessed, looked, kept);
  return { changes, outcomes: outcomes.map(outcome => told(outcome, changes)) };
}

/**
 * A check whose findings are not kept is not one that found something: there would be nothing to see of it. One that found nothing where
 * it looked has not passed while something stays that it saw elsewhere.
 */
function told(outcome: CheckOutcome, { untold, seenElsewhere }: Reconciliation): CheckOutcome {
  const { check } = outcome;
  if (untold.has(check)) return { check, outcome: 'not_assessed', reason: tooManyKept };
  const isLeft = outcome.outcome === 'passed' && seenElsewhere.has(check);
  return isLeft ? { check, outcome: 'not_assessed', reason: notSeenAgain } : outcome;
}

const notSeenAgain = 'What it saw before is on another page or in another database than this scan looked at.';

const tooManyKept =
  'The source has as many findings as are kept, with those that are resolved; others were left out.';
