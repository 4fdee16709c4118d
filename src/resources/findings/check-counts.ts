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
