import { expect, it } from 'vitest';
import { scoreChange } from './score-change.ts';

const trend = (scores: readonly (number | null)[]) => scores.map(score => ({ score }));
const days = (count: number, from: number, to: number) =>
  trend([from, ...Array.from({ length: count - 1 }, () => 0), to]);

it('compares with 30 days ago, however long the trend is', () => {
  expect(scoreChange([...trend([1, 1, 1]), ...days(30, 60, 79)])).toBe('+19 in 30 days');
  expect(scoreChange(days(30, 79, 60))).toBe('−19 in 30 days');
  expect(scoreChange(days(30, 60, 60))).toBe('No change in 30 days');
});

it('compares with the first day of a shorter trend', () => {
  expect(scoreChange(days(1, 60, 61))).toBe('+1 in 1 day');
  expect(scoreChange(days(7, 60, 50))).toBe('−10 in 7 days');
});

it('returns nothing if there is nothing to compare', () => {
  expect(scoreChange([])).toBeUndefined();
  expect(scoreChange(trend([60]))).toBeUndefined();
  expect(scoreChange(trend([60, null]))).toBeUndefined();
  expect(scoreChange(trend([null, 60]))).toBeUndefined();
});
