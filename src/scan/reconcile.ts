import type { Places } from '../detectors/detector.ts';
import type { FindingChanges, SeenFlaw, StoredFinding } from '../domain/finding-changes.ts';

/**
 * Holds what the detectors saw against the findings that are stored of the source. `assessed` names the checks that
 * looked everywhere, under all their ids, and those that exist no more: what such a check did not see is resolved. A
 * check that could not look, or not everywhere, resolves nothing; what it did see counts. `places` says where
 * those have looked that look at certain places only: what was seen at another place stays as it is.
 */
export function reconcile(
  stored: readonly StoredFinding[],
  seen: readonly SeenFlaw[],
  assessed: ReadonlySet<string>,
  places: ReadonlyMap<string, Places> = new Map(),
): FindingChanges {
  const known = new Map(stored.map(finding => [finding.fingerprint, finding]));
  const current = new Map(seen.map(flaw => [flaw.fingerprint, flaw]));
  const opened: SeenFlaw[] = [];
  const reopened: { id: string; flaw: SeenFlaw }[] = [];
  const updated: { id: string; flaw: SeenFlaw }[] = [];
  const matched = new Set<string>();
  for (const flaw of current.values()) {
    const finding = [flaw.fingerprint, ...flaw.formerFingerprints]
      .map(fingerprint => known.get(fingerprint))
      .find(candidate => candidate !== undefined && !matched.has(candidate.id));
    if (finding) matched.add(finding.id);
    if (!finding) opened.push(flaw);
    else (finding.observed ? updated : reopened).push({ id: finding.id, flaw });
  }
  const lookedFor = ({ category, locator }: StoredFinding) => {
    const { within, looked } = places.get(category) ?? {};
    return within !== undefined && locator.startsWith(within)
      ? looked?.has(locator) === true
      : assessed.has(category);
  };
  const resolved = stored
    .filter(finding => finding.observed && lookedFor(finding) && !matched.has(finding.id))
    .map(finding => finding.id);
  return { opened, reopened, updated, resolved };
}
