import type { FindingFilters } from '../../contract/dashboard/findings.ts';
import { type Severity, severities } from '../../contract/severity.ts';
import { type Condition, givenConditions } from '../../database/conditions.ts';

/** How the column `severity_rank` counts: the worst highest. */
export function severityRank(severity: string): number {
  return severities.length - 1 - severities.indexOf(severity as Severity);
}

const isReopened =
  'exists (select from finding_episodes e where e.finding_id = findings.id and e.number > 1)';

/** What filters ask of a row of `findings`. All of it is answered by the index `findings_worst`. */
export function findingConditions(filters: FindingFilters): Condition[] {
  const ranks = filters.severity?.split(',').map(severityRank).join(',');
  const category = filters.category === 'hipaa' ? undefined : filters.category;
  return [
    ...givenConditions(
      [`severity_rank = any(string_to_array($, ',')::smallint[])`, ranks],
      [`status = any(string_to_array($, ','))`, filters.status],
      // In the column's byte order, '/' is what follows '.'.
      [`(category = $ or category >= $ || '.' and category < $ || '/')`, category],
      ['system_id = $::uuid', filters.system_id],
      ['source_id = $::uuid', filters.source_id],
      ['strpos(search_text, lower($)) > 0', filters.search],
    ),
    ...(filters.category === 'hipaa' ? [{ sql: 'hipaa' }] : []),
    ...(filters.reopened ? [{ sql: isReopened }] : []),
  ];
}
