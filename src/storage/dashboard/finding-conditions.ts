import type { FindingFilters } from '../../contract/dashboard/findings.ts';
import { type Severity, severities } from '../../contract/severity.ts';
import type { Condition } from '../cursor.ts';

/** How the column `severity_rank` counts: the worst highest. */
export function severityRank(severity: string): number {
  return severities.length - 1 - severities.indexOf(severity as Severity);
}

const isReopened =
  'exists (select from finding_episodes e where e.finding_id = findings.id and e.number > 1)';

/** What filters ask of a row of `findings`. All of it is answered by the index `findings_worst`. */
export function findingConditions(filters: FindingFilters): Condition[] {
  const conditions: Condition[] = [];
  const ask = (sql: string, value: string | undefined) => {
    if (value !== undefined) conditions.push({ sql, value });
  };
  const ranks = filters.severity?.split(',').map(severityRank).join(',');
  ask(`severity_rank = any(string_to_array($, ',')::smallint[])`, ranks);
  ask(`status = any(string_to_array($, ','))`, filters.status);
  if (filters.category === 'hipaa') conditions.push({ sql: 'hipaa' });
  // In the column's byte order, '/' is what follows '.'.
  else ask(`(category = $ or category >= $ || '.' and category < $ || '/')`, filters.category);
  ask('system_id = $::uuid', filters.system_id);
  ask('source_id = $::uuid', filters.source_id);
  ask('strpos(search_text, lower($)) > 0', filters.search);
  if (filters.reopened) conditions.push({ sql: isReopened });
  return conditions;
}
