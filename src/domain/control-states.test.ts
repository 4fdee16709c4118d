import { expect, it } from 'vitest';
import { type CheckFacts, type ControlFacts, judgeControls } from './control-states.ts';
import { safeguards } from './safeguards.ts';
import { controlByCitation, securityRule } from './security-rule.ts';

const clean: CheckFacts = { assessed: 1, not_assessed: 0, outdated: 0, open: 0, accepted: 0 };
const facts = (given: Partial<ControlFacts>): ControlFacts => ({
  checks: [],
  unseen_sources: 0,
  attestation: 'none',
  ...given,
});
const one = (citation: string, given: Partial<ControlFacts>) =>
  judgeControls(new Map([[citation, facts(given)]])).get(citation)!;
const stateOf = (given: Partial<ControlFacts>) => one('164.312(b)', given).state;

it('has every standard and specification of the rule once, and each safeguard of the checks', () => {
  const all = securityRule.flatMap(({ controls }) => controls);
  expect(securityRule.map(({ citation, controls }) => `${citation} ${controls.length}`)).toEqual([
    '164.308 30',
    '164.310 12',
    '164.312 12',
    '164.314 6',
    '164.316 5',
  ]);
  // Appendix A to Subpart C of Part 164 names 22 standards and their specifications.
  expect(all.filter(({ standard }) => standard === null)).toHaveLength(22);
  expect(new Set(all.map(({ citation }) => citation)).size).toBe(all.length);
  for (const { standard, citation, title, summary } of all) {
    if (standard) expect(controlByCitation(standard)?.standard, citation).toBeNull();
    expect(title.length * summary.length, citation).toBeGreaterThan(0);
  }
  const outside = Object.values(safeguards).filter(({ citation }) => !controlByCitation(citation));
  expect(outside.map(({ citation }) => citation)).toEqual(['164.502(a)', '164.514']);
});

it('is not assessed where nothing is known', () => {
  expect(one('164.310(c)', {})).toEqual({
    state: 'not_assessed',
    reasons: ['No scan sees this: attest what is in place.'],
  });
  expect(one('164.312(b)', { checks: [{ ...clean, assessed: 0 }] })).toEqual({
    state: 'not_assessed',
    reasons: ['Nothing has looked yet: scan a source.'],
  });
});

it('is supported where checks looked and found nothing open, or an attestation holds', () => {
  expect(stateOf({ checks: [clean, clean] })).toBe('supported');
  expect(stateOf({ attestation: 'current' })).toBe('supported');
  expect(stateOf({ checks: [{ ...clean, accepted: 2 }] })).toBe('supported');
});

it.each([
  ['a check that could not look', { checks: [clean, { ...clean, not_assessed: 1 }] }],
  ['an outdated look', { checks: [clean, { ...clean, outdated: 1 }] }],
  ['a source that nothing has looked at', { checks: [clean], unseen_sources: 1 }],
])('is not supported by checks alone with %s, but by an attestation beside them', (_name, gap) => {
  expect(stateOf(gap)).toBe('not_assessed');
  expect(stateOf({ ...gap, attestation: 'current' })).toBe('supported');
});

it('needs attention for an open finding, whoever attests, and for an expired attestation, whatever passed', () => {
  expect(stateOf({ checks: [{ ...clean, open: 1 }], attestation: 'current' })).toBe('attention');
  expect(stateOf({ checks: [clean], attestation: 'expired' })).toBe('attention');
  expect(one('164.312(b)', { checks: [{ ...clean, open: 3 }, clean] }).reasons[0]).toBe(
    '3 open findings of 1 check.',
  );
});

it('carries attention from a specification to its standard, and support only from all of them', () => {
  const [standard, integrity, encryption] = [
    '164.312(e)(1)',
    '164.312(e)(2)(i)',
    '164.312(e)(2)(ii)',
  ] as const;
  const judged = (entries: [string, Partial<ControlFacts>][]) =>
    judgeControls(new Map(entries.map(([citation, given]) => [citation, facts(given)]))).get(standard)!;
  const open = { checks: [{ ...clean, open: 1 }] };
  expect(
    judged([
      [standard, { checks: [clean] }],
      [encryption, open],
    ]),
  ).toEqual({
    state: 'attention',
    reasons: ['1 check looked and found nothing open above info.', 'Needs attention: Encryption.'],
  });
  expect(judged([[encryption, { attestation: 'current' }]]).state).toBe('not_assessed');
  const both: [string, Partial<ControlFacts>][] = [
    [encryption, { attestation: 'current' }],
    [integrity, { checks: [clean] }],
  ];
  expect(judged(both).state).toBe('supported');
  // What is known of the standard itself counts before what is known of its parts.
  expect(judged([...both, [standard, { checks: [clean], unseen_sources: 1 }]]).state).toBe('not_assessed');
});
