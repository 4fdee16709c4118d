/**
 * SQL that stores outcomes of checks of one organization, as scans do.
 *
 * @param rows SQL of rows with `organization_id`, `source_id`, `scan_id`, `looked_at`, `check_id`, `outcome` and `reason`
 */
export const storeAssessments = (rows: string) => `
  with a as materialized (select r.*, set_config('parapet.organization_id', organization_id::text, true) from (${rows}) as r)
  select record_outcomes(source_id, scan_id, looked_at, array_agg(check_id), array_agg(outcome), array_agg(reason))
  from a group by source_id, scan_id, looked_at`;

/** SQL of such rows for one source. @param assessments SQL of tuples: check, outcome, reason, time */
export const assessmentsOf = (
  organizationId: string,
  sourceId: string,
  scanId: string,
  assessments: string,
) => `
  select '${organizationId}'::uuid as organization_id, '${sourceId}'::uuid as source_id, '${scanId}'::uuid as scan_id, looked_at::timestamptz(3),
    check_id, outcome, reason::text
  from (values ${assessments}) as v (check_id, outcome, reason, looked_at)`;
