import type { FindingFilters } from '../../contract/dashboard/finding-filters.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import { checkCounts, ofFindings } from './check-counts.ts';
import { familyOf, severityRank } from './finding-conditions.ts';
import type { SearchPlaces } from './finding-search.ts';

/** The row of a finding in a list. */
interface FindingPlace {
  readonly id: string;
  readonly severity_rank: number;
  readonly created_at: string;
}

/** The rows of a page, after those up to a position. */
interface FindingPage {
  readonly limit: number;
  readonly after: { readonly [Column in keyof FindingPlace]?: string } | undefined;
}

/** Filters by what is counted for each check. */
export type CheckFilters = Pick<FindingFilters, 'severity' | 'status' | 'category' | 'search'>;

const isInCategory = (category: string) => `($1::text is null or case when $1 = 'hipaa' then hipaa
  else ${category} = $1 or (${category} >= $2 and ${category} < $3) end)`;
const isChosen = (severity: string, status: string) =>
  `($4::smallint[] is null or ${severity} = any($4)) and ($5::text[] is null or ${status} = any($5))`;
const hasText = 'strpos(search_text, lower($6)) > 0';

/** The first nine parameters: filters, and where findings with the text can be. */
function valuesOf({ category, severity, status, search }: CheckFilters, places: SearchPlaces | undefined) {
  const { first, end } = familyOf(category ?? '');
  return {
    category: category ?? null,
    first,
    end,
    ranks: severity?.split(',').map(severityRank) ?? null,
    statuses: status?.split(',') ?? null,
    search: search ?? null,
    whole: places?.whole ?? [],
    partial: places?.partial ?? [],
    sources: places?.sources ?? [],
  };
}

/** A severity whose findings all come after a whole page is not read. */
const isNeeded = `coalesce(sum(case when severity_rank >= $10 or $6 is not null and not check_id = any($7) then 0 else count end)
  over (order by severity_rank desc groups between unbounded preceding and 1 preceding), 0) < $13::int`;

const orders = {
  worst: {
    by: 'severity_rank desc, created_at desc, id desc',
    isAfter:
      '($10::smallint is null or (severity_rank, created_at, id) < ($10, $11::timestamptz, $12::uuid))',
    isNeeded: `($10::smallint is null or severity_rank <= $10) and ${isNeeded}`,
  },
  newest: {
    by: 'created_at desc, id desc',
    isAfter: '($10::smallint is null and $11::timestamptz is null or (created_at, id) < ($11, $12::uuid))',
    isNeeded: 'true',
  },
} as const;

const columns = 'id, severity_rank, created_at';

/**
 * One page of the findings that match. It is merged from the first ones of each check, status and severity, which an index has in order, so
 * that its cost does not depend on the number of findings.
 *
 * @param places of the search, with sources
 */
export function pageOfChecks(
  session: TenantSession,
  filters: CheckFilters,
  places: SearchPlaces | undefined,
  order: keyof typeof orders,
  { limit, after }: FindingPage,
): Promise<FindingPlace[]> {
  const { by, isAfter, isNeeded } = orders[order];
  const given = valuesOf(filters, places);
  return session.query<FindingPlace>({
    text: `with kept as (
        select check_id, state, severity_rank, sum(count) as count from ${checkCounts(ofFindings)} as counted
        where ${isInCategory('check_id')} and ${isChosen('severity_rank', 'state')}
          and ($6::text is null or check_id = any($7::text[]) or check_id = any($8::text[]))
        group by 1, 2, 3 having sum(count) > 0),
      parts as materialized (select check_id, state, severity_rank as rank
        from (select *, ${isNeeded} as is_needed from kept) as kept where is_needed)
      select ${columns} from (
        select ${columns} from parts cross join lateral (
          select ${columns} from findings
          where category = check_id and status = state and severity_rank = rank
            and ($1 is distinct from 'hipaa' or hipaa) and ($6 is null or check_id = any($7) or ${hasText}) and ${isAfter}
          order by ${by} limit $13) as of_check
        union
        select ${columns} from findings
        where source_id = any($9::uuid[]) and ${hasText} and ${isInCategory('category')} and ${isChosen('severity_rank', 'status')}
          and ${isAfter}) as found
      order by ${by} limit $13`,
    values: [
      given.category,
      given.first,
      given.end,
      given.ranks,
      given.statuses,
      given.search,
      given.whole,
      given.partial,
      given.sources,
      after?.severity_rank === undefined ? null : Number(after.severity_rank),
      after?.created_at ?? null,
      after?.id ?? null,
      limit,
    ],
  });
}

export interface StateCount {
  readonly category: string;
  readonly severity_rank: number;
  readonly status: string;
  readonly count: number;
}

/**
 * The findings that match, by check, severity and status, in any of these. Those of whole checks are counted already.
 *
 * @param places of the search, with sources
 */
export function countOfChecks(
  session: TenantSession,
  filters: CheckFilters,
  places: SearchPlaces | undefined,
): Promise<StateCount[]> {
  const given = valuesOf(filters, places);
  return session.query<StateCount>({
    text: `select check_id as category, severity_rank, state as status, sum(count)::int as count from (
        select check_id, severity_rank, state, count from ${checkCounts(ofFindings)} as kept
        where ${isInCategory('check_id')} and ${isChosen('severity_rank', 'state')} and ($6::text is null or check_id = any($7::text[]))
        union all
        select category, severity_rank, status, 1 from findings
        where (category = any($8::text[]) or source_id = any($9::uuid[])) and not category = any($7) and ${hasText}
          and ${isInCategory('category')} and ${isChosen('severity_rank', 'status')}) as counted
      group by 1, 2, 3 having sum(count) <> 0`,
    values: [
      given.category,
      given.first,
      given.end,
      given.ranks,
      given.statuses,
      given.search,
      given.whole,
      given.partial,
      given.sources,
    ],
  });
}
