import { expect, it } from 'vitest';
import { exactTime, relativeTime, timeUntil } from './relative-time.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const seconds = (count: number) => relativeTime(now + count * 1000, now);

it.each([
  [0, 'just now'],
  [-59, 'just now'],
  [59, 'just now'],
  [-60, '1 minute ago'],
  [-3599, '60 minutes ago'],
  [3600, 'in 1 hour'],
  [-86_400, 'yesterday'],
  [86_400, 'tomorrow'],
  [-5 * 86_400, '5 days ago'],
  [-2_592_000, '1 month ago'],
  [2 * 31_536_000, 'in 2 years'],
])('formats %i seconds as %s', (count, text) => {
  expect(seconds(count)).toBe(text);
});

it.each([
  [-7200, 'due now'],
  [0, 'due now'],
  [1, 'in less than a minute'],
  [59.9, 'in less than a minute'],
  [60, 'in 1 minute'],
  [86_400, 'tomorrow'],
])('formats what is due in %d seconds as %s', (count, text) => {
  expect(timeUntil(now + count * 1000, now)).toBe(text);
});

it('formats the exact time with date, seconds and time zone', () => {
  expect(exactTime(now)).toMatch(/2026.*:00:00.*[A-Z+]/);
});
