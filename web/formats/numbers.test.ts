import { expect, it } from 'vitest';
import { byteSize, counted, duration, intervalText, inWaitingTime } from './numbers.ts';

it.each([
  [0, '0 bytes'],
  [1023, '1,023 bytes'],
  [1024, '1 KiB'],
  [1536, '1.5 KiB'],
  [10 * 1024 ** 2, '10 MiB'],
  [2.25 * 1024 ** 3, '2.3 GiB'],
  [5000 * 1024 ** 3, '5,000 GiB'],
])('formats %i bytes as %s', (bytes, text) => {
  expect(byteSize(bytes)).toBe(text);
});

it('counts in singular and plural', () => {
  expect([0, 1, 2, 1200].map(count => counted(count, 'source'))).toEqual([
    '0 sources',
    '1 source',
    '2 sources',
    '1,200 sources',
  ]);
});

it('formats a duration, and a dash until it has finished', () => {
  const started_at = '2026-11-21T12:00:00.000Z';
  expect(duration({ started_at, finished_at: '2026-11-21T12:00:03.440Z' })).toBe('3.4 s');
  expect(duration({ started_at, finished_at: '2026-11-21T12:01:12.600Z' })).toBe('73 s');
  expect(duration({ started_at, finished_at: null })).toBe('–');
  expect(duration({ started_at: null, finished_at: null })).toBe('–');
});

it('formats a wait in seconds, then in minutes that are rounded up', () => {
  expect(inWaitingTime(1)).toBe('in 1 second');
  expect(inWaitingTime(89)).toBe('in 89 seconds');
  expect(inWaitingTime(90)).toBe('in 2 minutes');
  expect(inWaitingTime(540)).toBe('in 9 minutes');
  expect(inWaitingTime(541)).toBe('in 10 minutes');
});

it.each([
  [60, 'Every minute'],
  [90, 'Every 90 seconds'],
  [21_600, 'Every 6 hours'],
  [86_400, 'Every day'],
])('writes an interval of %i seconds as %s', (seconds, text) => {
  expect(intervalText(seconds)).toBe(text);
});
