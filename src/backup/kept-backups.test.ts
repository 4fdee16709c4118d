import { expect, it } from 'vitest';
import { notKept } from './kept-backups.ts';

const keep = { days: 7, weeks: 4, months: 12 };

/** Keeps what a backup each day leaves after so many days. */
function afterDays(days: number, first: string): string[] {
  let files: { madeAt: Date }[] = [];
  for (let day = 0; day < days; day += 1) {
    const madeAt = new Date(first);
    madeAt.setUTCDate(madeAt.getUTCDate() + day);
    files.push({ madeAt });
    const gone = new Set(notKept(files, keep));
    files = files.filter(file => !gone.has(file));
  }
  return files.map(({ madeAt }) => madeAt.toISOString().slice(0, 10)).toReversed();
}

it('keeps seven days, the last backups of four weeks and of twelve months', () => {
  // 28 November 2026 is a Saturday.
  expect(afterDays(800, '2024-09-20T02:00:00Z')).toEqual([
    '2026-11-28',
    '2026-11-27',
    '2026-11-26',
    '2026-11-25',
    '2026-11-24',
    '2026-11-23',
    '2026-11-22',
    // The Sundays before.
    '2026-11-15',
    '2026-11-08',
    '2026-10-31',
    '2026-09-30',
    '2026-08-31',
    '2026-07-31',
    '2026-06-30',
    '2026-05-31',
    '2026-04-30',
    '2026-03-31',
    '2026-02-28',
    '2026-01-31',
    '2025-12-31',
  ]);
});

it('begins weeks on Monday, also before 1970', () => {
  const on = (day: string) => ({ madeAt: new Date(`${day}T12:00:00Z`) });
  const [sunday, monday, tuesday] = [on('2026-11-22'), on('2026-11-23'), on('2026-11-24')];
  const weekly = { days: 0, weeks: 2, months: 0 };
  expect(notKept([sunday, monday, tuesday], weekly)).toEqual([monday]);
  const [before, after] = [on('1969-12-28'), on('1969-12-29')];
  expect(notKept([before, after], weekly)).toEqual([]);
});

it('keeps the newest in any case', () => {
  const one = { madeAt: new Date('2026-01-01') };
  const two = { madeAt: new Date('2026-01-02') };
  expect(notKept([one, two], { days: 0, weeks: 0, months: 0 })).toEqual([one]);
  expect(notKept([], keep)).toEqual([]);
});

it('counts days that have a backup, so that an outage deletes nothing', () => {
  const days = ['2026-01-01', '2026-01-02', '2026-06-01'].map(day => ({ madeAt: new Date(day) }));
  expect(notKept(days, { days: 3, weeks: 0, months: 0 })).toEqual([]);
});
