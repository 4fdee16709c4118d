import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { FindingFilters } from '../../contract/dashboard/findings.ts';
import { type Severity, severities } from '../../contract/severity.ts';
import { contains, isOneOf, isOneOfNumbers, when } from '../../database/expressions.ts';
import type { Given } from '../../database/prepared.ts';
import type { Schema } from '../../database/schema.ts';

/** How the column `severity_rank` counts: the worst highest. */
export function severityRank(severity: string): number {
  return severities.length - 1 - severities.indexOf(severity as Severity);
}

/** The category `name`, and those from `first` to `end` in the column's byte order: all that begin with `name.`. */
export interface FamilyPlaces {
  readonly name: Expression<string>;
  readonly first: Expression<string>;
  readonly end: Expression<string>;
}

export function familyOf(name: string): Given<FamilyPlaces> {
  // '/' is what follows '.'.
  return { name, first: `${name}.`, end: `${name}/` };
}

/** What a statement about the findings that filters leave is built with. */
export interface FilterPlaces {
  readonly ranks?: Expression<string> | undefined;
  readonly status?: Expression<string> | undefined;
  readonly family?: FamilyPlaces | undefined;
  readonly system_id?: Expression<string> | undefined;
  readonly source_id?: Expression<string> | undefined;
  readonly search?: Expression<string> | undefined;
  readonly hipaa: boolean;
  readonly reopened: boolean;
}

/** What such a statement is given. */
export function givenFilters(filters: FindingFilters): Given<FilterPlaces> {
  const { severity, category, status, system_id, source_id, search } = filters;
  const hipaa = category === 'hipaa';
  return {
    ranks: severity?.split(',').map(severityRank).join(','),
    status,
    family: hipaa || category === undefined ? undefined : familyOf(category),
    system_id,
    source_id,
    search,
    hipaa,
    reopened: filters.reopened === 'yes',
  };
}

/** What filters ask of a row of `findings`. All of it is answered by the index `findings_worst`. */
export function matches(
  { and, or, eb, ref, exists, selectFrom }: ExpressionBuilder<Schema, 'findings'>,
  { ranks, status, family, system_id, source_id, search, hipaa, reopened }: FilterPlaces,
): Expression<SqlBool> {
  const again = selectFrom('finding_episodes as e')
    .whereRef('e.finding_id', '=', 'findings.id')
    .where('e.number', '>', 1);
  return and([
    ...when(ranks, words => isOneOfNumbers(ref('severity_rank'), words)),
    ...when(status, words => isOneOf(ref('status'), words)),
    ...when(family, ({ name, first, end }) =>
      or([eb('category', '=', name), eb('category', '>=', first).and('category', '<', end)]),
    ),
    ...when(system_id, id => eb('system_id', '=', id)),
    ...when(source_id, id => eb('source_id', '=', id)),
    ...when(search, part => contains(ref('search_text'), part)),
    ...(hipaa ? [eb('hipaa', '=', true)] : []),
    ...(reopened ? [exists(again)] : []),
  ]);
}
