import { expect, it } from 'vitest';
import { factsOfChecks, type MappedCheck } from './control-checks.ts';
import type { CheckFacts } from './control-states.ts';

it('counts what is stored under former ids, but for passes, which would stand in for another source', () => {
  const mapped: MappedCheck = {
    check: {
      id: 'tls.new',
      formerIds: ['tls.old'],
      title: 't',
      severity: 'low',
      why: 'w',
      remediation: { advice: 'a', steps: [] },
      references: [],
      safeguards: [],
    },
    surface: 'website',
    effect: 'shows',
    reason: 'r',
  };
  const one: CheckFacts = {
    passed: 1,
    assessed: 1,
    not_assessed: 0,
    not_applicable: 0,
    outdated: 0,
    open: 2,
    accepted: 0,
    false_positives: 1,
  };
  const stored = new Map([
    ['tls.new', one],
    ['tls.old', one],
  ]);
  expect(factsOfChecks([mapped], stored)).toEqual([
    { ...mapped, ...one, assessed: 2, open: 4, false_positives: 2 },
  ]);
});
