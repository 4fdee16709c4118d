import { describe, expect, it } from 'vitest';
import { advisoryIds, contentDateOf, newestPublication } from '../../maintenance/advisories/content-date.ts';
import { publicationDates } from '../../maintenance/advisories/publication-dates.ts';
import { mariadbReleases } from '../../src/detectors/lexicon/end-of-life/mariadb.ts';
import { mysqlReleases } from '../../src/detectors/lexicon/end-of-life/mysql.ts';
import { postgresReleases } from '../../src/detectors/lexicon/end-of-life/postgres.ts';
import { advisories, advisoriesDate } from '../../src/detectors/website/libraries/advisories.ts';

describe('the table of library advisories', () => {
  it('has the publication date of its newest advisory, whatever the release date', () => {
    expect(newestPublication(advisoryIds(advisories), publicationDates)).toEqual({
      id: 'CVE-2025-13465',
      date: advisoriesDate,
    });
  });

  it('has valid publication dates of its own advisories only', () => {
    const ids = advisoryIds(advisories);
    for (const [id, date] of Object.entries(publicationDates)) {
      expect(ids, id).toContain(id);
      expect(new Date(date).toISOString().slice(0, 10), id).toBe(date);
    }
  });

  const bundled = { jquery: '..3.5.0 medium CVE-2020-11022' };
  const renewal = {
    table: { jquery: '..3.5.0 medium CVE-2020-11022, ..4.0.1 high CVE-2026-1+GHSA-1, ..1.0.0 low -' },
    bundled,
    bundledDate: '2026-01-21',
    dates: { 'CVE-2026-1': '2026-05-01', 'GHSA-1': '2026-05-02' },
    today: '2026-06-01T00:00:00.000Z',
  };
  it('can be updated with newer advisories', () => {
    expect(contentDateOf(renewal)).toEqual({ id: 'GHSA-1', date: '2026-05-02' });
  });

  it.each([
    ['a new advisory has no date', { dates: { 'CVE-2026-1': '2026-05-01' } }, /Add to .*: GHSA-1$/],
    [
      'the source is older than the bundled table',
      { bundledDate: '2026-05-03' },
      /lags: .* the bundled one from 2026-05-03/,
    ],
    [
      'no new advisory was published for half a year',
      { today: '2026-10-30T00:00:00.000Z' },
      /lags: .* is 181 days old \(at most 180\)/,
    ],
  ])('cannot be updated if %s', (_when, change, error) => {
    expect(() => contentDateOf({ ...renewal, ...change })).toThrow(error);
  });
});

it.each([postgresReleases, mysqlReleases, mariadbReleases])(
  'the table of $product claims only what it contains',
  table => {
    expect(table.as_of <= new Date().toISOString().slice(0, 10)).toBe(true);
    for (const { series, latest, known } of table.series) {
      for (const release of [latest, known].filter(Boolean))
        expect(release).toMatch(new RegExp(`^${series}\\.\\d+$`));
      // Either the newest release is known exactly, or only a release that was available.
      if (latest !== null) expect(known, series).toBeUndefined();
    }
  },
);
