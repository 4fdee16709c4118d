import type { ShieldHeartbeat } from '../../contract/shield-events.ts';

/** Whether the records of a log are understood, and its counts when that was judged. */
export interface JudgedLog {
  readonly records: number;
  readonly malformed: number;
  readonly understood: boolean;
}

const unknown: JudgedLog = { records: 0, malformed: 0, understood: true };

/** Fewer are not judged alone: one malformed record says little. */
const leastRecords = 10;

/**
 * Judges by the records since the last judgment whether most are understood: a log's format can change after years. Before
 * the first judgment, all must be malformed.
 *
 * @param log as in a heartbeat; its counts begin again at zero when its position is lost
 * @param before the last judgment, if any
 */
export function judgeLog(log: ShieldHeartbeat['log'], before: JudgedLog = unknown): JudgedLog {
  if (!log) return unknown;
  const { records, malformed } = log;
  const { understood, ...base } = before;
  const start = records < base.records || malformed < base.malformed ? unknown : base;
  const added = records - start.records;
  if (added >= leastRecords)
    return { records, malformed, understood: (malformed - start.malformed) * 2 <= added };
  return { ...start, understood: start.records > 0 ? understood : records === 0 || malformed < records };
}
