import { expect, it } from 'vitest';
import type { ControlCheck } from '../../../src/contract/dashboard/controls.ts';
import { byRelevance, checkSummary } from './check-summary.ts';

const none = {
  effect: 'lowers',
  assessed: 0,
  passed: 0,
  not_assessed: 0,
  outdated: 0,
  not_applicable: 0,
  open: 0,
  accepted: 0,
  false_positives: 0,
} as ControlCheck;

it('reports a pass only of a check that shows the safeguard working', () => {
  const passed = { ...none, assessed: 1, passed: 1 };
  expect(checkSummary(passed)).toBe('No problem found on 1 source');
  expect(checkSummary({ ...passed, effect: 'shows' })).toBe('Passed on 1 source');
});

it('lists what is open and triaged, and what is not known', () => {
  const check = {
    ...none,
    assessed: 4,
    open: 2,
    accepted: 1,
    false_positives: 1,
    not_assessed: 1,
    outdated: 1,
  };
  expect(checkSummary(check)).toBe(
    '2 open · 1 accepted · 1 false positive · Not assessed on 1 source · Outdated on 1 source',
  );
});

it('reports a detection without a finding as informational', () => {
  expect(checkSummary({ ...none, assessed: 3, passed: 1, not_applicable: 2 })).toBe(
    'No problem found on 1 source · Not applicable to 2 sources · Informational on 2 sources',
  );
});

it('says so if no source was assessed', () => {
  expect(checkSummary(none)).toBe('Not assessed on any source');
});

it('sorts open findings before gaps, and gaps before results', () => {
  const checks = [
    { ...none, id: 'nothing' },
    { ...none, id: 'assessed', assessed: 900 },
    { ...none, id: 'gap', not_assessed: 900 },
    { ...none, id: 'open', open: 1 },
  ];
  expect(checks.sort(byRelevance).map(({ id }) => id)).toEqual(['open', 'gap', 'assessed', 'nothing']);
});
