import type { CheckDescription, DetectorDescription } from './check-description.ts';
import type { CheckFacts, ControlFacts, SourceScope } from './control-states.ts';
import type { SafeguardMapping } from './safeguards.ts';
import { securityRule } from './security-rule.ts';

/** A check that says something about a control: what, and why. */
export interface MappedCheck extends Pick<SafeguardMapping, 'effect' | 'reason'> {
  readonly check: CheckDescription;
  /** The kind of source that it reads. */
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

/** All ids under which something of the checks may be stored. */
export function storedIdsOf(checks: readonly MappedCheck[]): string[] {
  return checks.flatMap(({ check: { id, formerIds } }) => [id, ...(formerIds ?? [])]);
}

/** Ids of the checks whose pass shows the safeguard working. */
export function showingIdsOf(checks: readonly MappedCheck[]): string[] {
  return checks.filter(({ effect }) => effect === 'shows').map(({ check }) => check.id);
}

/** What is stored of each check under its id or a former one, by its id. */
export function factsOfChecks(
  checks: readonly MappedCheck[],
  stored: ReadonlyMap<string, CheckFacts>,
): (CheckFacts & MappedCheck)[] {
  return checks.map(mapped => {
    const all = storedIdsOf([mapped]).flatMap(id => stored.get(id) ?? []);
    const sum = (of: keyof CheckFacts) => all.reduce((total, facts) => total + facts[of], 0);
    return {
      ...mapped,
      // Of its own id only: a source with a result under both ids would count twice, and stand in for one without any.
      passed: stored.get(mapped.check.id)?.passed ?? 0,
      assessed: sum('assessed'),
      not_assessed: sum('not_assessed'),
      not_applicable: sum('not_applicable'),
      outdated: sum('outdated'),
      open: sum('open'),
      accepted: sum('accepted'),
      false_positives: sum('false_positives'),
    };
  });
}

interface StoredFacts {
  /** By the id under which they are stored. */
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
