import { allAt, hasPath, isInFullScan } from '../captures/places.ts';
import { severities } from '../contract/severity.ts';
import type { FindingChanges, ObservedFlaw, StoredFinding } from '../domain/finding-changes.ts';
import type { Inspection } from './inspection.ts';
import { UnmaskedFindings } from './masked-locators.ts';

export interface Reconciliation extends FindingChanges {
  /** Checks whose observations were all dropped because of the limits. */
  readonly dropped: ReadonlySet<string>;
  /** Assessed checks with open findings on a page or in a database that this scan did not cover. */
  readonly observedElsewhere: ReadonlySet<string>;
}

/**
 * Compares the detectors' observations with the stored findings of the source.
 *
 * - `assessed` has the checks that assessed everything, under all their ids, and removed checks: their
 *   findings that were not observed are resolved. Other checks resolve nothing, but their observations count.
 * - `places` has the places that checks of certain places assessed, and `covered` the pages or databases that
 *   checks of a single one covered: findings elsewhere stay as they are, as do those at places of full scans
 *   (`inFullScan`) if the check is neither in `fully` nor lists the place.
 *
 * A target could show different flaws in each scan, so a source has at most `observedAtOnce` open and
 * `findingsPerSource` stored findings. Beyond that, the least severe observations are dropped.
 *
 * @param kept the number of stored findings of the source; null for what the service itself observes, which no target
 * can make many
 */
export function reconcile(
  stored: readonly StoredFinding[],
  seen: readonly ObservedFlaw[],
  assessed: ReadonlySet<string>,
  { places, covered, fully }: Pick<Inspection, 'places' | 'covered' | 'fully'> = {
    places: new Map(),
    covered: new Map(),
  },
  kept: number | null = stored.length,
): Reconciliation {
  const unmasked = new UnmaskedFindings(stored);
  const known = new Map(stored.map(finding => [finding.fingerprint, finding]));
  const current = new Map(seen.map(flaw => [flaw.fingerprint, flaw]));
  const opened: ObservedFlaw[] = [];
  const reopened: { id: string; flaw: ObservedFlaw }[] = [];
  const updated: { id: string; flaw: ObservedFlaw }[] = [];
  const matched = new Set<string>();
  for (const flaw of current.values()) {
    // A former name may still be the name of another one.
    const former = flaw.formerFingerprints.filter(fingerprint => !current.has(fingerprint));
    const finding = [flaw.fingerprint, ...former]
      .map(fingerprint => known.get(fingerprint))
      .concat(unmasked.at(flaw.category, flaw.locator))
      .find(candidate => candidate !== undefined && !matched.has(candidate.id));
    if (finding) matched.add(finding.id);
    if (!finding) opened.push(flaw);
    else (finding.observed ? updated : reopened).push({ id: finding.id, flaw });
  }
  const isCovered = ({ category, subject }: StoredFinding) =>
    subject === null || (covered.get(category)?.has(subject) ?? true);
  const isReached = (finding: StoredFinding) =>
    isCovered(finding) &&
    (!isInFullScan(finding.category, finding.locator) || fully?.has(finding.category) === true);
  const isAssessed = (finding: StoredFinding) => {
    const named = places.get(finding.category);
    if (named === undefined) return assessed.has(finding.category) && isReached(finding);
    const isNamed = unmasked.isAmong(finding, named) || named.has(allAt(finding.locator.split(' ', 1)[0]!));
    // A place without a path may be of any page.
    return isNamed && (hasPath(finding.locator) || isCovered(finding));
  };
  const isElsewhere = (finding: StoredFinding) =>
    finding.observed && !matched.has(finding.id) && assessed.has(finding.category) && !isAssessed(finding);
  const resolved = stored
    .filter(finding => finding.observed && isAssessed(finding) && !matched.has(finding.id))
    .map(finding => finding.id);
  const room = observedAtOnce - stored.filter(finding => finding.observed).length + resolved.length;
  const again = reopened.map(({ flaw }) => flaw);
  const most = (flaws: readonly ObservedFlaw[], count: number) =>
    flaws.toSorted(bySeverity).slice(0, Math.max(0, count));
  const coming = new Set(
    kept === null ? [...opened, ...again] : most([...most(opened, findingsPerSource - kept), ...again], room),
  );
  return {
    opened: opened.filter(flaw => coming.has(flaw)),
    reopened: reopened.filter(({ flaw }) => coming.has(flaw)),
    updated,
    resolved,
    dropped: checksDropped(seen, [...updated.map(({ flaw }) => flaw), ...coming]),
    observedElsewhere: new Set(stored.filter(isElsewhere).map(({ category }) => category)),
  };
}

/** Checks with observations that are all left out. */
function checksDropped(
  seen: readonly ObservedFlaw[],
  reported: readonly ObservedFlaw[],
): ReadonlySet<string> {
  const checks = new Set(reported.map(({ category }) => category));
  return new Set(seen.map(({ category }) => category).filter(category => !checks.has(category)));
}

/** Open findings that a source can have at once. */
export const observedAtOnce = 10_000;

/** Stored findings of a source, resolved ones included: each takes 2 to 3 kB of the disk, indexes included. */
export const findingsPerSource = 20_000;

const bySeverity = (a: ObservedFlaw, b: ObservedFlaw) =>
  severities.indexOf(a.severity) - severities.indexOf(b.severity);
