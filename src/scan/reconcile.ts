import { severities } from '../contract/severity.ts';
import type { FindingChanges, ObservedFlaw, StoredFinding } from '../domain/finding-changes.ts';
import type { Inspection } from './inspection.ts';

export interface Reconciliation extends FindingChanges {
  /** Checks that saw flaws of which none could be kept. */
  readonly untold: ReadonlySet<string>;
  /** Checks that looked, and of which findings stay that were seen on another page or in another database. */
  readonly seenElsewhere: ReadonlySet<string>;
}

/**
 * Holds what the detectors saw against the findings that are stored of the source. `assessed` names the checks that
 * looked everywhere, under all their ids, and those that exist no more: what such a check did not see is resolved. A
 * check that could not look, or not everywhere, resolves nothing; what it did see counts. `places` says where
 * those have looked that look at certain places only, and `covered` at which page or database those that look at one: what was
 * seen elsewhere stays as it is.
 *
 * A target could show other flaws in each scan: of a source, at most `observedAtOnce` findings are observed, and at most
 * `findingsPerSource` are kept, those that are resolved among them. Beyond that, the less severe of those that would come are left
 * out.
 *
 * @param kept how many findings of the source are stored
 */
export function reconcile(
  stored: readonly StoredFinding[],
  seen: readonly ObservedFlaw[],
  assessed: ReadonlySet<string>,
  { places, covered }: Pick<Inspection, 'places' | 'covered'> = { places: new Map(), covered: new Map() },
  kept = stored.length,
): Reconciliation {
  const known = new Map(stored.map(finding => [finding.fingerprint, finding]));
  const current = new Map(seen.map(flaw => [flaw.fingerprint, flaw]));
  const opened: ObservedFlaw[] = [];
  const reopened: { id: string; flaw: ObservedFlaw }[] = [];
  const updated: { id: string; flaw: ObservedFlaw }[] = [];
  const matched = new Set<string>();
  for (const flaw of current.values()) {
    const finding = [flaw.fingerprint, ...flaw.formerFingerprints]
      .map(fingerprint => known.get(fingerprint))
      .find(candidate => candidate !== undefined && !matched.has(candidate.id));
    if (finding) matched.add(finding.id);
    if (!finding) opened.push(flaw);
    else (finding.observed ? updated : reopened).push({ id: finding.id, flaw });
  }
  const isCovered = ({ category, subject }: StoredFinding) =>
    subject === null || (covered.get(category)?.has(subject) ?? true);
  const isElsewhere = (finding: StoredFinding) =>
    finding.observed && !matched.has(finding.id) && assessed.has(finding.category) && !isCovered(finding);
  const lookedFor = (finding: StoredFinding) =>
    places.get(finding.category)?.has(finding.locator) ??
    (assessed.has(finding.category) && isCovered(finding));
  const resolved = stored
    .filter(finding => finding.observed && lookedFor(finding) && !matched.has(finding.id))
    .map(finding => finding.id);
  const room = observedAtOnce - stored.filter(finding => finding.observed).length + resolved.length;
  const fresh = opened.toSorted(bySeverity).slice(0, Math.max(0, findingsPerSource - kept));
  const coming = new Set(
    [...fresh, ...reopened.map(({ flaw }) => flaw)].sort(bySeverity).slice(0, Math.max(0, room)),
  );
  return {
    opened: opened.filter(flaw => coming.has(flaw)),
    reopened: reopened.filter(({ flaw }) => coming.has(flaw)),
    updated,
    resolved,
    untold: untold(seen, [...updated.map(({ flaw }) => flaw), ...coming]),
    seenElsewhere: new Set(stored.filter(isElsewhere).map(({ category }) => category)),
  };
}

/** Checks of which flaws were seen, and none of them is among those that are told. */
function untold(seen: readonly ObservedFlaw[], told: readonly ObservedFlaw[]): ReadonlySet<string> {
  const checks = new Set(told.map(({ category }) => category));
  return new Set(seen.map(({ category }) => category).filter(category => !checks.has(category)));
}

/** Findings of a source that can be observed at a time. */
export const observedAtOnce = 10_000;

/** Findings of a source that are kept, with those that are resolved: each takes 2 to 3 kB of the disk, indexes included. */
export const findingsPerSource = 20_000;

const bySeverity = (a: ObservedFlaw, b: ObservedFlaw) =>
  severities.indexOf(a.severity) - severities.indexOf(b.severity);
