import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { FindingFilters } from '../../contract/dashboard/findings.ts';
import { type Severity, severities } from '../../contract/severity.ts';
import { anyOf, contains, isOneOf, when } from '../../database/expressions.ts';
import type { Schema } from '../../database/schema.ts';

/** The values of the column `severity_rank`: the most severe is highest. */
export function severityRank(severity: string): number {
  return severities.length - 1 - severities.indexOf(severity as Severity);
}

export function severityOf({ severity_rank: rank }: { readonly severity_rank: number }): Severity {
  return severities.at(-1 - rank)!;
}

/**
 * The category `name`, and those between `first` and `end` in byte order, where '/' follows '.': all that begin with
 * `name.`.
 */
export function familyOf(name: string) {
  return { name, first: `${name}.`, end: `${name}/` };
}

/** The filters as a condition on a row of `findings`, which the index `findings_worst` covers. */
export function matches(
  { and, or, eb, ref, exists, selectFrom }: ExpressionBuilder<Schema, 'findings'>,
  { severity, status, category, system_id, source_id, search, reopened }: FindingFilters,
): Expression<SqlBool> {
  const again = selectFrom('finding_episodes as e').whereRef('e.finding_id', '=', 'findings.id');
  const inFamily = ({ name, first, end }: ReturnType<typeof familyOf>) =>
    or([eb('category', '=', name), eb('category', '>=', first).and('category', '<', end)]);
  return and([
    ...when(severity, words => eb('severity_rank', '=', anyOf(words.split(',').map(severityRank)))),
    ...when(status, words => isOneOf(ref('status'), words)),
    ...when(category, name => (name === 'hipaa' ? eb('hipaa', '=', true) : inFamily(familyOf(name)))),
    ...when(system_id, id => eb('system_id', '=', id)),
    ...when(source_id, id => eb('source_id', '=', id)),
    ...when(search, part => contains(ref('search_text'), part)),
    ...when(reopened, () => exists(again.where('e.number', '>', 1))),
  ]);
}
