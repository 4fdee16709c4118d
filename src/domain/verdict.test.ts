import { expect, it } from 'vitest';
import { verdictOf } from './verdict.ts';

it.each([
  [['succeeded'], [], 'pass'],
  [['succeeded'], ['info'], 'pass'],
  [['succeeded'], ['low', 'info'], 'warn'],
  [['succeeded'], ['medium'], 'warn'],
  [['succeeded'], ['high'], 'fail'],
  [['failed', 'succeeded'], ['critical'], 'fail'],
  [['failed', 'succeeded'], ['medium'], 'inconclusive'],
  [['skipped'], [], 'inconclusive'],
  [[], [], 'inconclusive'],
  [[], ['high'], 'fail'],
] as const)('of runs %j with open %j is %s (spec 2)', (runs, open, verdict) => {
  expect(verdictOf(runs, open)).toBe(verdict);
});
