import { expect, it } from 'vitest';
import { reasonText } from './control-reasons.ts';
import { type ControlFacts, judgeControls, noFacts } from './control-states.ts';
import { safeguards } from './safeguards.ts';
import { controlByCitation, securityRule } from './security-rule.ts';

type Check = ControlFacts['checks'][number];
/** Finds problems, and found none on one website. */
const lowers: Check = { ...noFacts, surface: 'website', effect: 'lowers', passed: 1, assessed: 1 };
const shows: Check = { ...lowers, effect: 'shows' };
const website = new Map([['website', { sources: 1, unscanned: 0, unreported: 0 }]]);
const facts = (given: Partial<ControlFacts>): ControlFacts => ({
  checks: [],
  scope: website,
  attestation: 'none',
  ...given,
});
const judgeInWords = (given: ReadonlyMap<string, ControlFacts>) =>
  new Map(
    [...judgeControls(given)].map(([citation, { state, reasons }]) => [
      citation,
      { state, reasons: reasons.map(reasonText) },
    ]),
  );
const one = (citation: string, given: Partial<ControlFacts>) =>
  judgeInWords(new Map([[citation, facts(given)]])).get(citation)!;
const judge = (given: Partial<ControlFacts>) => one('164.312(d)', given);
const stateOf = (given: Partial<ControlFacts>) => judge(given).state;

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
  expect(outside.map(({ citation }) => citation)).toEqual(['164.502(a)', '164.514', '164.520(c)(3)(i)']);
});

it('is not assessed where nothing is known, and says what would support it', () => {
  expect(one('164.310(c)', {})).toEqual({
    state: 'not_assessed',
    reasons: ['No check covers this control. Attest it and link evidence.'],
  });
  expect(judge({ checks: [{ ...shows, passed: 0, assessed: 0 }], scope: new Map() })).toEqual({
    state: 'not_assessed',
    reasons: ['None of the mapped checks ran: no source is in scope.'],
  });
});

it('is not supported by checks that found no problem', () => {
  expect(judge({ checks: [lowers, lowers] })).toEqual({
    state: 'not_assessed',
    reasons: [
      'Checks can find problems here, but cannot show that the safeguard works. Attest it and link evidence.',
      '2 checks found no problem.',
    ],
  });
});

it('is supported by checks that show the safeguard on every source in scope', () => {
  expect(judge({ checks: [shows, lowers] })).toEqual({
    state: 'supported',
    reasons: ['Shown by 1 check on the only source in scope.'],
  });
  // A check of a kind that is not in scope has nothing to show.
  expect(stateOf({ checks: [shows, { ...shows, surface: 'mysql', passed: 0, assessed: 0 }] })).toBe(
    'supported',
  );
});

const two = new Map([['website', { sources: 2, unscanned: 0, unreported: 0 }]]);
const mixed = new Map([...website, ['mysql', { sources: 1, unscanned: 0, unreported: 0 }]]);
it.each<[string, Partial<ControlFacts>, string]>([
  [
    'a check that did not pass',
    { checks: [shows, { ...shows, passed: 0 }] },
    '1 check did not pass on every source.',
  ],
  [
    'a source on which it did not pass',
    { checks: [shows], scope: two },
    '1 check did not pass on every source.',
  ],
  [
    'a kind of source that no check can show it on',
    { checks: [shows], scope: mixed },
    'No check can show this safeguard on these kinds of sources: MySQL and MariaDB.',
  ],
  [
    'a check that could not be assessed, also one that only lowers',
    { checks: [shows, { ...lowers, not_assessed: 1 }] },
    '1 check could not be assessed on some sources.',
  ],
  [
    'an outdated result',
    { checks: [shows, { ...shows, outdated: 1 }] },
    'Some results are older than 90 days. Run a new scan, or check the probe that reports them.',
  ],
  [
    'a source that was never scanned',
    { checks: [shows], scope: new Map([['website', { sources: 2, unscanned: 1, unreported: 0 }]]) },
    '1 source never scanned. Run a scan.',
  ],
  [
    'a source that only a probe can assess',
    {
      checks: [shows],
      scope: new Map([['website', { sources: 3, unscanned: 2, unreported: 2 }]]),
    },
    '2 sources in probe mode never assessed. Add a probe, or check why its probe fails.',
  ],
])(
  'is not supported by checks with %s, but by an attestation with evidence beside them',
  (_name, gap, reason) => {
    expect(judge(gap)).toMatchObject({ state: 'not_assessed', reasons: expect.arrayContaining([reason]) });
    expect(stateOf({ ...gap, attestation: 'bare' })).toBe('attested');
    // What scans do not show is not hidden by what a person attests.
    expect(judge({ ...gap, attestation: 'evidenced' })).toMatchObject({
      state: 'supported',
      reasons: ['Attested with evidence.', ...judge(gap).reasons.filter(one => !one.includes('no problem'))],
    });
  },
);

it('is supported by an attestation with evidence, and not by one without', () => {
  expect(judge({ attestation: 'evidenced' })).toEqual({
    state: 'supported',
    reasons: ['Attested with evidence.'],
  });
  expect(judge({ attestation: 'bare' })).toMatchObject({
    state: 'attested',
    reasons: expect.arrayContaining(['Attested without evidence. Link evidence to support this control.']),
  });
  expect(judge({ attestation: 'unproven' })).toEqual({
    state: 'attested',
    reasons: ['Attested with scans only, which prove no safeguard. Link a document as evidence.'],
  });
});

it('needs attention for an open finding despite an attestation, and for an expired attestation despite passes', () => {
  expect(stateOf({ checks: [{ ...lowers, open: 1 }], attestation: 'evidenced' })).toBe('attention');
  expect(stateOf({ checks: [shows], attestation: 'expired' })).toBe('attention');
  expect(judge({ checks: [{ ...lowers, open: 3 }, lowers] }).reasons[0]).toBe(
    '3 open findings from 1 check.',
  );
});

it('does not take an accepted risk or a false positive for a safeguard that works', () => {
  const decided = [
    '1 check did not pass on every source.',
    '2 findings accepted until a date.',
    '1 finding marked as a false positive.',
  ];
  const checks = [{ ...shows, passed: 0, accepted: 2, false_positives: 1 }];
  expect(judge({ checks })).toEqual({ state: 'not_assessed', reasons: decided });
  expect(judge({ checks, attestation: 'evidenced' })).toEqual({
    state: 'supported',
    reasons: ['Attested with evidence.', ...decided],
  });
});

it('does not apply where a current attestation says so, unless a check found a problem', () => {
  expect(judge({ checks: [shows], attestation: 'inapplicable' })).toEqual({
    state: 'not_applicable',
    reasons: ['Does not apply, as attested.', 'Shown by 1 check on the only source in scope.'],
  });
  expect(stateOf({ checks: [{ ...shows, open: 1 }], attestation: 'inapplicable' })).toBe('attention');
});

it('supports a standard by the specifications that apply, and not where none does', () => {
  const [standard, isolating] = ['164.308(a)(4)(i)', '164.308(a)(4)(ii)(A)'] as const;
  const parts = securityRule
    .flatMap(({ controls }) => controls)
    .filter(({ standard: of }) => of === standard)
    .map(({ citation }) => citation);
  const judged = (attestationOf: (citation: string) => ControlFacts['attestation']) =>
    judgeInWords(new Map(parts.map(part => [part, facts({ attestation: attestationOf(part) })]))).get(
      standard,
    );
  expect(judged(part => (part === isolating ? 'inapplicable' : 'evidenced'))).toEqual({
    state: 'supported',
    reasons: [
      'All of its applicable specifications are supported.',
      'Does not apply, as attested: Isolating health care clearinghouse functions.',
    ],
  });
  expect(judged(part => (part === isolating ? 'inapplicable' : 'bare'))!.state).toBe('not_assessed');
  expect(judged(() => 'inapplicable')!.state).toBe('not_assessed');
  expect(judgeInWords(new Map([[standard, facts({ attestation: 'inapplicable' })]])).get(standard)).toEqual({
    state: 'not_applicable',
    reasons: ['Does not apply, as attested.'],
  });
});

it.each<[string, Partial<Check>, string]>([
  ['accepted', { accepted: 1, assessed: 2 }, '1 finding accepted until a date.'],
  ['marked as false', { false_positives: 1, assessed: 2 }, '1 finding marked as a false positive.'],
  ['missing', { passed: 0, assessed: 0 }, '1 check did not run on every scanned source.'],
])('is not shown by passes while a result of another mapped check is %s', (_, result, reason) => {
  const { state, reasons } = judge({ checks: [shows, { ...lowers, ...result }] });
  expect([state, reasons.includes(reason)]).toEqual(['not_assessed', true]);
  expect(stateOf({ checks: [shows, lowers] })).toBe('supported');
});

it('names what speaks against a standard that does not apply', () => {
  const [standard, part] = ['164.314(b)(1)', '164.314(b)(2)'] as const;
  const judged = judgeInWords(
    new Map([
      [standard, facts({ attestation: 'inapplicable' })],
      [part, facts({ attestation: 'evidenced' })],
    ]),
  ).get(standard);
  expect(judged).toEqual({
    state: 'not_applicable',
    reasons: ['Does not apply, as attested.', 'Supported anyway: Plan documents.'],
  });
});

it('says that no mapped check ran where no source is of its kind', () => {
  const checks = [{ ...lowers, surface: 'postgres', passed: 0, assessed: 0 }];
  const notRun = 'None of the mapped checks ran: no source of their kind is in scope (PostgreSQL).';
  expect(judge({ checks }).reasons[0]).toBe(notRun);
  expect(judge({ checks, attestation: 'evidenced' }).reasons).toEqual(['Attested with evidence.', notRun]);
});

it('carries attention from a specification to its standard, and support only from all of them', () => {
  const [standard, integrity, encryption] = [
    '164.312(e)(1)',
    '164.312(e)(2)(i)',
    '164.312(e)(2)(ii)',
  ] as const;
  const judged = (entries: [string, Partial<ControlFacts>][]) =>
    judgeInWords(new Map(entries.map(([citation, given]) => [citation, facts(given)]))).get(standard)!;
  expect(
    judged([
      [standard, { checks: [lowers] }],
      [encryption, { checks: [{ ...lowers, open: 1 }] }],
    ]),
  ).toEqual({
    state: 'attention',
    reasons: ['Needs attention: Encryption.', '1 check found no problem.'],
  });
  expect(judged([[encryption, { attestation: 'evidenced' }]])).toEqual({
    state: 'not_assessed',
    reasons: ['Not supported: Integrity controls.'],
  });
  const both: [string, Partial<ControlFacts>][] = [
    [encryption, { checks: [shows] }],
    [integrity, { attestation: 'evidenced' }],
  ];
  expect(judged(both).state).toBe('supported');
  // A gap of the standard's own checks counts too, and what they show does not stand in for a specification.
  expect(judged([...both, [standard, { checks: [{ ...lowers, not_assessed: 1 }] }]]).state).toBe(
    'not_assessed',
  );
  expect(judged([[standard, { checks: [shows] }]]).state).toBe('not_assessed');
  expect(judged([[standard, { attestation: 'bare' }]]).state).toBe('attested');
  // Who attests a standard has not shown its specifications.
  expect(judged([[standard, { attestation: 'evidenced' }]])).toEqual({
    state: 'attested',
    reasons: ['Attested with evidence.', 'Not supported: Integrity controls, Encryption.'],
  });
  const gap = { checks: [{ ...lowers, not_assessed: 1 }], attestation: 'evidenced' } as const;
  expect(judged([...both, [standard, gap]])).toEqual({
    state: 'supported',
    reasons: [
      'All of its specifications are supported.',
      'Attested with evidence.',
      '1 check found no problem.',
      '1 check could not be assessed on some sources.',
    ],
  });
});
