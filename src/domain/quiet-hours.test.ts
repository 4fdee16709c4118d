import { expect, it } from 'vitest';
import { isTimeZone, quietMinutesLeft } from './quiet-hours.ts';

const night = { from: 20 * 60, until: 7 * 60, except_critical: true };
const noon = { from: 12 * 60, until: 13 * 60, except_critical: true };

it.each([
  ['2026-11-30T19:59:00Z', 'UTC', night, 0],
  ['2026-11-30T20:00:00Z', 'UTC', night, 660],
  ['2026-11-30T23:30:00Z', 'UTC', night, 450],
  ['2026-12-01T06:59:00Z', 'UTC', night, 1],
  ['2026-12-01T07:00:00Z', 'UTC', night, 0],
  ['2026-11-30T11:30:00Z', 'Europe/Berlin', noon, 30],
  ['2026-11-30T12:30:00Z', 'Europe/Berlin', noon, 0],
  ['2026-11-30T06:45:00Z', 'Asia/Kathmandu', noon, 30],
  ['2026-11-30T12:30:00Z', 'UTC', { ...noon, until: noon.from }, 0],
])('at %s in %s of %j leaves %i minutes', (now, zone, hours, left) => {
  expect(quietMinutesLeft(new Date(now), zone, hours)).toBe(left);
});

it('knows the time zones of the IANA database, and nothing else', () => {
  expect(['Europe/Berlin', 'America/Argentina/Buenos_Aires', 'UTC'].every(isTimeZone)).toBe(true);
  expect(
    ['Mars/Base', 'PLT', 'IST', 'Etc/GMT+2', '+02:00', 'UTC+2', '', "UTC'; select 1"].filter(isTimeZone),
  ).toEqual([]);
});
