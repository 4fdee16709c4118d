import { expect, it } from 'vitest';
import { type JudgedLog, judgeLog } from './judge-log.ts';

const log = (records: number, malformed: number) => ({
  lag_bytes: 0,
  records,
  malformed,
  too_long: 0,
  last_record_at: null,
});
/** Whether the log is understood after each of the counts of successive heartbeats. */
function judgments(...counts: readonly (readonly [number, number])[]): boolean[] {
  let judged: JudgedLog | undefined;
  return counts.map(([records, malformed]) => {
    judged = judgeLog(log(records, malformed), judged);
    return judged.understood;
  });
}

it('judges by the last records, however many were read before', () => {
  expect(judgments([50_000, 0], [50_005, 5], [50_010, 10], [50_020, 10])).toEqual([true, true, false, true]);
  expect(judgments([50_007, 50_000], [51_007, 51_000], [51_020, 51_000])).toEqual([false, false, true]);
});

it('judges by ten records or more, and keeps the judgment until then', () => {
  expect(judgments([100, 0], [109, 9], [109, 9], [110, 9])).toEqual([true, true, true, false]);
  expect(judgments([100, 100], [101, 100], [109, 100], [110, 100])).toEqual([false, false, false, true]);
});

it('counts a log as understood if half of its records are', () => {
  expect(judgments([20, 10], [40, 21])).toEqual([true, false]);
});

it('does not wait for ten records if none was ever understood', () => {
  expect(judgments([0, 0], [1, 1], [2, 2], [3, 2])).toEqual([true, false, false, true]);
});

it('begins again when the position of the log was lost', () => {
  expect(judgments([50_000, 0], [3, 0], [13, 10])).toEqual([true, true, false]);
});

it('knows nothing of what is no log', () => {
  expect(judgeLog(null, { records: 5, malformed: 5, understood: false }).understood).toBe(true);
});
