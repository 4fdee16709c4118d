import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { dateText, dateTimeText, endOfLocalDay, localDate, localDateTime, utcDate } from './dates.ts';

beforeEach(() => {
  vi.stubEnv('TZ', 'America/Los_Angeles');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const evening = Date.parse('2026-11-22T05:30:00Z');

it('formats a time for inputs in the time zone of the reader', () => {
  expect(localDateTime(evening)).toBe('2026-11-21T21:30');
  expect(localDate(evening)).toBe('2026-11-21');
  expect(utcDate(evening)).toBe('2026-11-22');
});

it('uses the offset of the day, which differs in summer', () => {
  expect(localDateTime(Date.parse('2026-07-01T12:00:00Z'))).toBe('2026-07-01T05:00');
});

it('ends a day at its last second in the time zone of the reader', () => {
  expect(endOfLocalDay('2026-11-21')).toBe('2026-11-22T07:59:59.000Z');
  expect(endOfLocalDay('2026-07-01')).toBe('2026-07-02T06:59:59.000Z');
});

it('returns anything else unchanged, for the service to refuse', () => {
  expect(endOfLocalDay('')).toBe('');
  expect(endOfLocalDay('2026-13-01')).toBe('2026-13-01');
});

it('writes dates out for people', () => {
  expect(dateText('2026-11-22T23:30:00Z')).toMatch(/2026/);
  expect(dateTimeText('2026-11-22T23:30:00Z')).toMatch(/2026.*:30/);
});
