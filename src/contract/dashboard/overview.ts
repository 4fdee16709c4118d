import { type Static, Type } from 'typebox';
import { closed, NullableTimestamp } from '../values.ts';
import { overdueFields } from './finding-work.ts';
import { FixFirst, SeverityCounts } from './findings.ts';
import { ScanRow } from './scans.ts';
import { SourceRow } from './sources.ts';
import { Score } from './systems.ts';

const Count = Type.Integer({ minimum: 0 });

const TrendDay = closed({
  day: Type.String({ description: '`2026-11-21`, UTC.' }),
  score: Score,
  ...SeverityCounts.properties,
});

/** Data of the overview page. */
export const Overview = closed({
  score: Score,
  open: SeverityCounts,
  fix_first: FixFirst,
  trend: Type.Array(TrendDay, {
    description: 'One entry per day, oldest first, starting with the first known day.',
  }),
  ...overdueFields,
  changes: closed({
    since: NullableTimestamp,
    opened: Count,
    resolved: Count,
    reopened: Count,
    decided: Count,
  }),
  running: Type.Array(ScanRow),
  attention: Type.Array(SourceRow),
  attention_total: Count,
  systems: Count,
  sources: Count,
  not_scanned: Type.Integer({ minimum: 0, description: 'Sources without any assessed check.' }),
  scans: Count,
  backup: Type.Union([closed({ last_at: NullableTimestamp }), Type.Null()], {
    description: 'When the installation was last backed up; null for everyone but owners.',
  }),
});
export type Overview = Static<typeof Overview>;
