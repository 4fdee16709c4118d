import type { CheckDescription, DetectorDescription } from './check-description.ts';
import type { CheckFacts, ControlFacts } from './control-states.ts';
import { securityRule } from './security-rule.ts';

/** The checks that map to a control, and the kinds of sources that they look at. */
export interface MappedChecks {
  readonly checks: readonly CheckDescription[];
  readonly surfaces: readonly string[];
}

/** By citation, for every control of the Security Rule. */
export function mapChecks(detectors: readonly DetectorDescription[]): ReadonlyMap<string, MappedChecks> {
  const all = detectors.flatMap(({ surface, checks }) => checks.map(check => ({ surface, check })));
  const citations = securityRule.flatMap(({ controls }) => controls.map(({ citation }) => citation));
  return new Map(
    citations.map(citation => {
      const mapped = all.filter(({ check }) => check.safeguards.some(one => one.citation === citation));
      return [
        citation,
        {
          checks: mapped.map(({ check }) => check),
          surfaces: [...new Set(mapped.map(({ surface }) => surface))],
        },
      ];
    }),
  );
}

/** All ids under which something of the checks may be stored. */
export function storedIdsOf(checks: readonly CheckDescription[]): string[] {
  return checks.flatMap(({ id, formerIds }) => [id, ...(formerIds ?? [])]);
}

/** What is stored of each check under its id or a former one, by its id. */
export function factsOfChecks(
  checks: readonly CheckDescription[],
  stored: ReadonlyMap<string, CheckFacts>,
): (CheckFacts & { readonly check: CheckDescription })[] {
  return checks.map(check => {
    const all = storedIdsOf([check]).flatMap(id => stored.get(id) ?? []);
    const sum = (of: keyof CheckFacts) => all.reduce((total, facts) => total + facts[of], 0);
    return {
      check,
      assessed: sum('assessed'),
      not_assessed: sum('not_assessed'),
      outdated: sum('outdated'),
      open: sum('open'),
      accepted: sum('accepted'),
    };
  });
}

interface StoredFacts {
  /** By the id under which they are stored. */
  readonly checks: ReadonlyMap<string, CheckFacts>;
  /** By kind: sources that nothing has looked at. */
  readonly unseen: ReadonlyMap<string, number>;
  readonly attestationOf: (citation: string) => ControlFacts['attestation'];
}

export function factsOfControls(
  mapping: ReadonlyMap<string, MappedChecks>,
  stored: StoredFacts,
): Map<string, ControlFacts> {
  return new Map(
    [...mapping].map(([citation, { checks, surfaces }]) => [
      citation,
      {
        checks: factsOfChecks(checks, stored.checks),
        unseen_sources: surfaces.reduce((sum, surface) => sum + (stored.unseen.get(surface) ?? 0), 0),
        attestation: stored.attestationOf(citation),
      },
    ]),
  );
}
