import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { endOfLocalDay, localDate, localDateTime, utcDate } from './dates.ts';

beforeEach(() => {
  vi.stubEnv('TZ', 'America/Los_Angeles');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const evening = Date.parse('2026-11-22T05:30:00Z');

it('writes a time as inputs have it, in the zone of the reader', () => {
  expect(localDateTime(evening)).toBe('2026-11-21T21:30');
  expect(localDate(evening)).toBe('2026-11-21');
  expect(utcDate(evening)).toBe('2026-11-22');
});

it('writes a time in summer by the offset of that day', () => {
  expect(localDateTime(Date.parse('2026-07-01T12:00:00Z'))).toBe('2026-07-01T05:00');
});

it('ends a day at its last second in the zone of the reader', () => {
  expect(endOfLocalDay('2026-11-21')).toBe('2026-11-22T07:59:59.000Z');
  expect(endOfLocalDay('2026-07-01')).toBe('2026-07-02T06:59:59.000Z');
});

it('returns what is no date for the service to refuse', () => {
  expect(endOfLocalDay('')).toBe('');
  expect(endOfLocalDay('2026-13-01')).toBe('2026-13-01');
});
