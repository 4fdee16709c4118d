import { expect, it } from 'vitest';
import type { ObservedFlaw } from '../domain/finding-changes.ts';
import type { Inspection } from './inspection.ts';
import { narrow } from './narrow.ts';

const flaw = (category: string): ObservedFlaw => ({
  fingerprint: category,
  formerFingerprints: [],
  category,
  locator: 'x',
  subject: null,
  severity: 'low',
  title: 't',
  remediation: 'r',
  seen: 's',
  hipaa: false,
});

const checks = ['tls.expired', 'csp.missing'];
const inspection: Inspection = {
  runs: [{ detector: 'website.tls', status: 'succeeded' }],
  seen: checks.map(flaw),
  outcomes: checks.map(check => ({ check, outcome: 'observed', reason: null })),
  assessed: new Set(checks),
  places: new Map(checks.map(check => [check, new Set(['x'])])),
  covered: new Map(),
};
const full: Inspection = { ...inspection, fully: new Set(checks) };

/** The checks in each part of an inspection. */
const checksOf = ({ seen, outcomes, assessed, places }: Inspection) => [
  seen.map(({ category }) => category),
  outcomes.map(({ check }) => check),
  [...assessed],
  [...places.keys()],
];

it('keeps everything if no later scan has ended', () => {
  for (const one of [inspection, full])
    expect(narrow(one, { outdated: new Set(), category: null })).toStrictEqual(one);
});

it('drops checks that a later scan has assessed', () => {
  const { runs, ...rest } = narrow(inspection, { outdated: new Set(['tls.expired']), category: null });
  expect(checksOf({ runs, ...rest })).toEqual(Array.from({ length: 4 }, () => ['csp.missing']));
  expect(runs).toEqual(inspection.runs);
});

it('keeps only the check of the finding that is verified', () => {
  const narrowed = narrow(inspection, { outdated: new Set(), category: 'tls.expired' });
  expect(checksOf(narrowed)).toEqual(Array.from({ length: 4 }, () => ['tls.expired']));
  const { fully } = narrow(full, { outdated: new Set(), category: 'tls.expired' });
  expect([...fully!]).toEqual(['tls.expired']);
});

it('keeps nothing if a later scan has assessed that check', () => {
  const narrowed = narrow(inspection, { outdated: new Set(['tls.expired']), category: 'tls.expired' });
  expect(checksOf(narrowed)).toEqual([[], [], [], []]);
});
