import { expect, it } from 'vitest';
import { postgresReleases } from './postgres.ts';
import { isOutdated, type ReleaseTable, standingOf } from './table.ts';

const table: ReleaseTable = {
  product: 'Example',
  as_of: '2026-05-14',
  source: 'https://example.com/',
  series: [
    { series: '15', end_of_life: '2027-11-11', latest: '15.18' },
    { series: '10.11', end_of_life: null, latest: '10.11.9' },
    { series: '11.8', end_of_life: null, latest: null, known: '11.8.6' },
    { series: '10.1', end_of_life: '2020-01-01', latest: null },
  ],
};
const on = '2026-11-21T08:00:00.000Z';

it('finds the series by number, not by prefix of the text', () => {
  expect(standingOf(table, '10.11.9', on)?.series.series).toBe('10.11');
  expect(standingOf(table, '10.1.48', on)?.series.series).toBe('10.1');
  expect(standingOf(table, '150.1', on)).toBeUndefined();
  expect(standingOf(table, '1', on)).toBeUndefined();
  expect(standingOf(table, '', on)).toBeUndefined();
  expect(standingOf(table, 'fifteen', on)).toBeUndefined();
});

it('compares numerically, and ignores text after the numbers', () => {
  const behind = (version: string) => standingOf(table, version, on)?.behind;
  expect(behind('15.9 (Debian 15.9-1)')).toBe(true);
  expect(behind('15.18')).toBe(false);
  expect(behind('15.20-0+deb12u1')).toBe(false);
  expect(behind('15')).toBe(true);
  expect(behind('10.1.2')).toBe(false);
  expect(behind('11.8.5')).toBe(true);
  expect(behind('11.8.6')).toBe(false);
});

it('counts the last day as supported', () => {
  const ended = (moment: string) => standingOf(table, '15.18', moment)?.ended;
  expect(ended('2027-11-11T23:59:59.000Z')).toBe(false);
  expect(ended('2027-11-12T00:00:00.000Z')).toBe(true);
  expect(standingOf(table, '10.11.9', '2099-01-01T00:00:00.000Z')?.ended).toBe(false);
});

it('is outdated after a year', () => {
  expect(isOutdated(table, '2027-05-14T23:00:00.000Z')).toBe(false);
  expect(isOutdated(table, '2027-05-15T00:00:00.000Z')).toBe(true);
});

it('has a latest release of the right series for each PostgreSQL version', () => {
  for (const { series, latest, end_of_life } of postgresReleases.series) {
    expect(standingOf(postgresReleases, latest!, on)?.series.series).toBe(series);
    expect(end_of_life).toMatch(/^\d{4}-\d\d-\d\d$/);
  }
});
