import type { Mutant } from '../mutant.ts';

const byCounts = {
  file: 'test/resources/check-counts.test.ts',
  test: 'counts and lists findings and results of checks exactly, whatever changes them, before and after they are added up',
};
const bySearch = {
  file: 'test/resources/finding-search.test.ts',
  test: 'are found by a title that a later scan gives them',
};
const byDays = {
  file: 'test/resources/shield-days.test.ts',
  test: 'sums the hours of a website by UTC day, whatever is added to them',
};

/** Counts, lists and texts that triggers keep, so that pages need not read all rows. */
export const keptRowMutants: readonly Mutant[] = [
  {
    name: 'Former outcomes of a check stay counted',
    file: 'migrations/0047_check_counts.sql',
    search: 'select check_id, outcome, at::date, -1',
    replacement: 'select check_id, outcome, at::date, 0',
    killedBy: byCounts,
  },
  {
    name: 'Former states of a finding stay counted',
    file: 'migrations/0047_check_counts.sql',
    search: 'severity_rank, hipaa, -1 from removed',
    replacement: 'severity_rank, hipaa, 0 from removed',
    killedBy: byCounts,
  },
  {
    name: 'A source stays listed under a former outcome',
    file: 'migrations/0052_sources_of_checks.sql',
    search: 'select * from unnest(old.check_ids, old.outcomes) except',
    replacement: 'select * from unnest(new.check_ids, new.outcomes) except',
    killedBy: byCounts,
  },
  {
    name: 'Outcomes that change are not listed',
    file: 'migrations/0052_sources_of_checks.sql',
    search: 'new.check_ids = old.check_ids and new.outcomes = old.outcomes',
    replacement: 'true',
    killedBy: byCounts,
  },
  {
    name: 'A new title is not searched',
    file: 'migrations/0050_findings_in_order.sql',
    search: 'when (old.title <> new.title or old.category <> new.category)',
    replacement: 'when (false)',
    killedBy: bySearch,
  },
  {
    name: 'A day of Shield sums former values of its hours',
    file: 'migrations/0051_shield_days.sql',
    search: 'hour, -blocked, -detected from removed',
    replacement: 'hour, 0, 0 from removed',
    killedBy: byDays,
  },
];
