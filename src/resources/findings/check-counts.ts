import type { Statement } from '../../database/connection.ts';
import { familyOf } from './finding-conditions.ts';

/**
 * SQL of all counts of checks, with their changes since: `check_id`, `state`, `severity_rank`, `hipaa`, `day`, `count`.
 *
 * @param condition on a row
 */
export const checkCounts = (condition: string) =>
  `(select check_id, state, severity_rank, hipaa, day, count from check_counts where ${condition}
    union all select check_id, state, severity_rank, hipaa, day, count from check_count_changes where ${condition})`;

/** Findings have no day. */
export const ofFindings = `day = '-infinity'`;
export const ofAssessments = `day > '-infinity'`;

interface Count {
  readonly severity_rank: number;
  readonly status: string;
  readonly count: number;
}

/** The findings of a category, or all, by severity and status, without reading them. */
export function keptCounts(category: string | undefined): Statement<Count> {
  const isHipaa = category === 'hipaa';
  const { name, first, end } = familyOf(category ?? '');
  return {
    text: `select severity_rank, state as status, sum(count)::int as count from ${checkCounts(ofFindings)} as counted
      where case when $1::boolean then hipaa
        else $2::boolean or check_id = $3 or (check_id >= $4 and check_id < $5) end
      group by 1, 2 having sum(count) <> 0`,
    values: [isHipaa, category === undefined, name, first, end],
  };
}
