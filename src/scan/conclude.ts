import { isInFullScan } from '../captures/places.ts';
import { allDetectors } from '../detectors/catalogue.ts';
import type { CheckOutcome, KnownFindings, ScanConclusions } from '../domain/finding-changes.ts';
import type { InspectedRun, Inspection } from './inspection.ts';
import { narrow } from './narrow.ts';
import { type Reconciliation, reconcile } from './reconcile.ts';

export interface Conclusion extends ScanConclusions {
  readonly runs: readonly InspectedRun[];
}

/**
 * The changes that an inspection makes to the findings of its source. Checks that a later inspection has
 * since assessed are left out.
 *
 * @param category the check of the finding that is verified, the only one that counts then; null for a scan
 * of everything
 */
export function conclude(
  inspection: Inspection,
  { stored, kept, outdated }: KnownFindings,
  category: string | null,
): Conclusion {
  const { seen, assessed, outcomes, ...scope } = narrow(inspection, { outdated, category });
  const changes = reconcile(stored, seen, assessed, scope, kept);
  return {
    changes,
    outcomes: outcomes.map(outcome => finalOutcome(outcome, changes, stored)),
    runs: finalRuns(inspection.runs, changes),
  };
}

/** The run of a detector has not succeeded if the observations of one of its checks were all dropped. */
function finalRuns(runs: readonly InspectedRun[], { dropped }: Reconciliation): readonly InspectedRun[] {
  if (dropped.size === 0) return runs;
  const incomplete = new Set(
    allDetectors().flatMap(({ name, checks }) => (checks.some(({ id }) => dropped.has(id)) ? [name] : [])),
  );
  return runs.map(run =>
    incomplete.has(run.detector) ? { ...run, status: 'failed', cause: 'checks_not_assessed' } : run,
  );
}

/**
 * A check whose findings were all dropped is not assessed: it would fail without a finding. A check that
 * passed is not assessed while it has an open finding at a place that this scan did not cover.
 */
function finalOutcome(
  outcome: CheckOutcome,
  { dropped, observedElsewhere, resolved }: Reconciliation,
  stored: KnownFindings['stored'],
): CheckOutcome {
  const { check } = outcome;
  if (dropped.has(check)) return { check, outcome: 'not_assessed', reason: tooManyKept };
  const isLeft = outcome.outcome === 'passed' && observedElsewhere.has(check);
  if (!isLeft) return outcome;
  const ended = new Set(resolved);
  const left = stored.filter(
    ({ id, category, observed }) => category === check && observed && !ended.has(id),
  );
  const isDeep = left.every(({ category, locator }) => isInFullScan(category, locator));
  return { check, outcome: 'not_assessed', reason: isDeep ? needsFullScan : notCovered };
}

const needsFullScan =
  'Only full scans assess its earlier findings. Start one in the dashboard; it requires a current proof of domain.';

const notCovered =
  'Its earlier findings are on a page, in a database or in files that this scan did not cover.';

const tooManyKept =
  'The source has reached the limit of stored findings, resolved ones included; others were left out.';
