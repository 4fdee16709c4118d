import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { FindingFilters } from '../../contract/dashboard/finding-filters.ts';
import { type Severity, severities } from '../../contract/severity.ts';
import { anyOf, contains, isOneOf, when } from '../../database/expressions.ts';
import { db } from '../../database/query-builder.ts';
import type { Schema } from '../../database/schema.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import { type DuePeriod, duePeriod, dueRanges, readDueTerms } from './due-dates.ts';

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

/** Filters with the values of columns. An owner is a person's ID, or `none`. */
export type FindingConditions = Omit<FindingFilters, 'due'> & { readonly due?: DuePeriod };

/** The filters with the ID of the person who chose them instead of `me`. */
export function ownFilters<Filters extends FindingFilters>(personId: string, filters: Filters): Filters {
  return filters.owner === 'me' ? { ...filters, owner: personId } : filters;
}

/** @param filters with a person's ID instead of `me` */
export async function conditionsOf(
  session: TenantSession,
  filters: FindingFilters,
): Promise<FindingConditions> {
  const { due, ...others } = filters;
  const moments = Object.entries(others).flatMap(([name, since]) =>
    name.endsWith('_since') && since !== undefined ? [[name, momentOf(since)]] : [],
  );
  return {
    ...others,
    ...Object.fromEntries(moments),
    ...(due === undefined ? {} : { due: duePeriod(await readDueTerms(session), due) }),
  };
}

const dayMs = 86_400_000;

/** @param since a moment, a day, or days ago such as `7d` */
function momentOf(since: string): string {
  const [, days] = /^(\d+)d$/.exec(since) ?? [];
  return new Date(days === undefined ? since : Date.now() - Number(days) * dayMs).toISOString();
}

/** Whether all filters are by what is counted for each check. */
export function isByCheck({
  severity: _,
  status: __,
  category: ___,
  search: ____,
  ...others
}: FindingConditions): boolean {
  return Object.values(others).every(value => value === undefined);
}

/** The filters as a condition on a row of `findings`. */
export function matches(
  builder: ExpressionBuilder<Schema, 'findings'>,
  conditions: FindingConditions,
): Expression<SqlBool> {
  const { and, or, eb, ref, exists, selectFrom } = builder;
  const { severity, status, category, system_id, source_id, search, reopened, owner, due } = conditions;
  const { new_since, reopened_since, changed_since } = conditions;
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
    ...when(owner, person => (person === 'none' ? eb('owner_id', 'is', null) : eb('owner_id', '=', person))),
    ...when(due, period => or(dueRanges(period).map(range => range(builder)))),
    ...when(new_since, moment => eb('created_at', '>=', moment)),
    ...when(reopened_since, moment => eb('reopened_at', '>=', moment)),
    ...when(changed_since, moment => eb('id', 'in', changedSince(builder, moment))),
  ]);
}

type Column = 'id' | 'severity_rank' | 'status' | 'category' | 'system_id' | 'created_at' | 'last_seen_at';

/** Columns of the findings that match. Those of a period are read range by range, from the indexes of due dates. */
export function matchingFindings<C extends Column>(
  { due, ...others }: FindingConditions,
  columns: readonly C[],
) {
  const rows = db
    .selectFrom('findings')
    .select(columns)
    .where(eb => matches(eb, others));
  if (due === undefined) return rows;
  const [first, ...more] = dueRanges(due).map(range => rows.where(range));
  return more.reduce((all, range) => all.unionAll(range), first!);
}

/** Findings that scans or people changed. Scans that detect a finding again do not change it. */
function changedSince({ selectFrom }: ExpressionBuilder<Schema, 'findings'>, moment: string) {
  return selectFrom('finding_episodes')
    .select('finding_id')
    .where('opened_at', '>=', moment)
    .union(selectFrom('finding_episodes').select('finding_id').where('closed_at', '>=', moment))
    .union(selectFrom('finding_decisions').select('finding_id').where('decided_at', '>=', moment))
    .union(selectFrom('finding_edits').select('finding_id').where('edited_at', '>=', moment))
    .union(selectFrom('finding_comments').select('finding_id').where('created_at', '>=', moment));
}
