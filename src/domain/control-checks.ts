import type { CheckDescription, DetectorDescription } from './check-description.ts';
import { type CheckFacts, type ControlFacts, noFacts, type SourceScope } from './control-states.ts';
import type { SafeguardMapping } from './safeguards.ts';
import { securityRule } from './security-rule.ts';

/** A check that maps to a control. */
export interface MappedCheck extends Pick<SafeguardMapping, 'effect' | 'reason'> {
  readonly check: CheckDescription;
  /** The kind of source that it assesses. */
  readonly surface: string;
}

/** By citation, for every control of the Security Rule. */
export type ControlMapping = ReadonlyMap<string, readonly MappedCheck[]>;

export function mapChecks(detectors: readonly DetectorDescription[]): ControlMapping {
  const mapping = new Map<string, MappedCheck[]>(
    securityRule.flatMap(({ controls }) => controls.map(({ citation }) => [citation, []])),
  );
  for (const { surface, checks } of detectors) {
    for (const check of checks) {
      for (const { citation, effect, reason } of check.safeguards) {
        mapping.get(citation)?.push({ check, surface, effect, reason });
      }
    }
  }
  return mapping;
}

/** Current and former IDs under which results may be stored. */
export function storedIdsOf(checks: readonly MappedCheck[]): string[] {
  return checks.flatMap(({ check: { id, formerIds } }) => [id, ...(formerIds ?? [])]);
}

/** IDs of checks whose pass shows the safeguard working. */
export function showingIdsOf(checks: readonly MappedCheck[]): string[] {
  return checks.filter(({ effect }) => effect === 'shows').map(({ check }) => check.id);
}

/** All but passes: a source with passes under two IDs would count twice, and hide a source without a pass. */
const summed = (Object.keys(noFacts) as (keyof CheckFacts)[]).filter(count => count !== 'passed');

/** Sums the stored facts of each check over its current and former IDs. */
export function factsOfChecks(
  checks: readonly MappedCheck[],
  stored: ReadonlyMap<string, CheckFacts>,
): (CheckFacts & MappedCheck)[] {
  return checks.map(mapped => {
    const facts = { ...mapped, ...(stored.get(mapped.check.id) ?? noFacts) };
    for (const id of mapped.check.formerIds ?? []) {
      const former = stored.get(id);
      if (former) for (const count of summed) facts[count] += former[count];
    }
    return facts;
  });
}

interface StoredFacts {
  /** By stored check ID. */
  readonly checks: ReadonlyMap<string, CheckFacts>;
  readonly scope: SourceScope;
  readonly attestationOf: (citation: string) => ControlFacts['attestation'];
}

export function factsOfControls(mapping: ControlMapping, stored: StoredFacts): Map<string, ControlFacts> {
  return new Map(
    [...mapping].map(([citation, checks]) => [
      citation,
      {
        checks: factsOfChecks(checks, stored.checks),
        scope: stored.scope,
        attestation: stored.attestationOf(citation),
      },
    ]),
  );
}
