import { describe, expect, it } from 'vitest';
import { newestAddition, requireFresh } from '../../maintenance/advisories/content-date.ts';
import { baseScore } from '../../maintenance/advisories/cvss.ts';
import { retireRanges } from '../../maintenance/advisories/retire-ranges.ts';
import { idsOf } from '../../maintenance/advisories/table.ts';
import { mariadbReleases } from '../../src/detectors/lexicon/end-of-life/mariadb.ts';
import { mysqlReleases } from '../../src/detectors/lexicon/end-of-life/mysql.ts';
import { postgresReleases } from '../../src/detectors/lexicon/end-of-life/postgres.ts';
import { redisReleases, valkeyReleases } from '../../src/detectors/lexicon/end-of-life/redis.ts';
import { advisories } from '../../src/detectors/website/libraries/advisories.ts';
import { scores } from '../../src/detectors/website/libraries/advisory-scores.ts';
import { advisoriesFor } from '../../src/detectors/website/libraries/judge-version.ts';
import { compareVersions } from '../../src/detectors/website/libraries/version.ts';

describe('the table of library advisories', () => {
  it('flags every version that Retire.js flags', () => {
    const missed = Object.entries(retireRanges).flatMap(([library, ranges]) =>
      ranges
        .split(', ')
        .flatMap(range => endsOf(range))
        .filter(version => advisoriesFor(library, version).length === 0)
        .map(version => `${library} ${version}`),
    );
    expect(Object.keys(retireRanges).length).toBeGreaterThan(60);
    expect(missed).toEqual([]);
  });

  it('has a severity that fits the score, and scores that fit the vectors', () => {
    for (const [id, score] of Object.entries(scores)) {
      const [base = '', vector = ''] = score.split(' ');
      expect(baseScore(vector).toFixed(1), id).toBe(base);
    }
    expect(Object.keys(scores).filter(id => !idsOf(advisories).has(id))).toEqual([]);
    expect(
      advisoriesFor('dompurify', '3.1.2').find(({ ids }) => ids.includes('CVE-2024-47875')),
    ).toMatchObject({
      severity: 'critical',
      cvss: { score: 10 },
    });
  });

  it('has the date on which its newest advisory was added to the list', () => {
    const texts: Record<string, string> = {
      c3: 'CVE-2026-1001 CVE-2026-1002 pattern',
      c2: 'CVE-2026-1001 CVE-2026-1002',
      c1: 'CVE-2026-1001',
    };
    const repository = {
      read: (_: string, commit = 'c3') => texts[commit] ?? null,
      changesOf: () => ['c3', 'c2', 'c1'].map(commit => ({ commit, date: `2026-05-0${commit[1]}` })),
    };
    expect(newestAddition(repository, 'list.json')).toBe('2026-05-02');
    expect(() => newestAddition({ ...repository, read: () => '{}' }, 'list.json')).toThrow(/no advisory/);
  });

  const renewal = { bundledDate: '2026-01-21', today: '2026-06-01T00:00:00.000Z' };
  it('can be renewed from a newer list', () => {
    expect(() => requireFresh('2026-05-02', renewal)).not.toThrow();
  });

  it.each([
    [
      'the list is older than the bundled table',
      { bundledDate: '2026-05-03' },
      /the bundled one from 2026-05-03/,
    ],
    [
      'no advisory was added for half a year',
      { today: '2026-10-30T00:00:00.000Z' },
      /lags: .* is 181 days old \(at most 180\)/,
    ],
  ])('cannot be renewed if %s', (_when, change, error) => {
    expect(() => requireFresh('2026-05-02', { ...renewal, ...change })).toThrow(error);
  });
});

/** The first version of a range, and one just below its end. */
function endsOf(range: string): readonly string[] {
  const [from = '', below = ''] = range.split('..');
  // A range up to a release candidate may not contain the release that it starts with.
  const first = from === '' || compareVersions(from, below) > 0 ? '0.0.1' : from;
  const parts = below.split('.');
  const last = parts.findLastIndex(part => /^[1-9]\d*$/.test(part));
  if (last < 0 || !/^[\d.]+$/.test(below)) return [first];
  const before = parts.map((part, at) => (at < last ? part : at > last ? '9999' : String(Number(part) - 1)));
  return [first, before.join('.')];
}

it.each([postgresReleases, mysqlReleases, mariadbReleases, redisReleases, valkeyReleases])(
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
