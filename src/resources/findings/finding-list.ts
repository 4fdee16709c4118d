import type { FindingFilters, ListFindings } from '../../contract/dashboard/finding-filters.ts';
import type { FindingCounts, FindingPage, FindingRow } from '../../contract/dashboard/findings.ts';
import type { FindingStatus } from '../../contract/findings.ts';
import { anyOf, countOfRows } from '../../database/expressions.ts';
import { idsOf, newest, type PageRows, pageOf, readPage } from '../../database/page.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantSession, TenantStore } from '../../database/tenant-store.ts';
import { dueOrder, pageByDueDate } from './due-date-pages.ts';
import { workColumns } from './due-dates.ts';
import {
  conditionsOf,
  type FindingConditions,
  isByCheck,
  matches,
  matchingFindings,
  severityOf,
} from './finding-conditions.ts';
import { placesOf, type SearchPlaces } from './finding-search.ts';
import { countOfChecks, pageOfChecks, type StateCount } from './findings-of-checks.ts';
import { findFixFirst } from './fix-first.ts';

/** Findings per page. */
const pageLength = '50';

/** The columns of each order, all descending. */
const orders = {
  worst: { severity_rank: 'smallint', ...newest },
  newest,
  last_seen: { last_seen_at: 'timestamptz', id: 'uuid' },
} as const;

/** A page of the findings that match, in the order of an index, or found in one pass over an index with all filtered columns. */
function pageOfMatching(
  session: TenantSession,
  filters: FindingConditions,
  order: keyof typeof orders,
  page: PageRows<(typeof orders)[typeof order]>,
  inOnePass: boolean,
  places?: SearchPlaces,
) {
  const matching = db
    .with(
      cte => (inOnePass ? cte('matching').materialized() : cte('matching').notMaterialized()),
      query =>
        query
          .selectFrom('findings')
          .select(['id', 'severity_rank', 'created_at', 'last_seen_at'])
          .where(eb => matches(eb, filters))
          .where(({ and, or, eb }) =>
            places?.sources
              ? or([
                  eb('source_id', '=', anyOf(places.sources)),
                  eb('category', '=', anyOf([...places.whole, ...places.partial])),
                ])
              : and([]),
          ),
    )
    .selectFrom('matching')
    .selectAll();
  return session.query(pageOf(matching, orders[order], page));
}

/** A page of the findings that are due in a period, from the indexes of due dates. */
function pageOfDue(
  session: TenantSession,
  filters: FindingConditions,
  order: keyof typeof orders,
  page: PageRows<(typeof orders)[typeof order]>,
) {
  const columns = ['id', 'severity_rank', 'created_at', 'last_seen_at'] as const;
  const read = columns.filter(column => column !== 'last_seen_at' || order === 'last_seen');
  const due = db.selectFrom(matchingFindings(filters, read).as('due')).select(read);
  return session.query(pageOf(due, orders[order], page));
}

async function readRows(
  session: TenantSession,
  filters: FindingConditions,
  order: keyof typeof orders,
  page: PageRows<(typeof orders)[typeof order]>,
) {
  const { severity, status, category, search } = filters;
  if (filters.due) return pageOfDue(session, filters, order, page);
  if (!isByCheck(filters)) return pageOfMatching(session, filters, order, page, isFewest(filters));
  const places = search === undefined ? undefined : await placesOf(session, search);
  if (order === 'last_seen') return pageOfMatching(session, filters, order, page, false, places);
  if (places) {
    if (!places.sources) return pageOfMatching(session, filters, order, page, false);
    return pageOfChecks(session, filters, places, order, page);
  }
  // Without a category, the newest of all are found sooner by their own index.
  const isSelective = (category ?? (order === 'worst' ? (severity ?? status) : undefined)) !== undefined;
  if (!isSelective) return pageOfMatching(session, filters, order, page, false);
  return pageOfChecks(session, filters, undefined, order, page);
}

/** Whether few findings match a filter that no order has. */
function isFewest({
  search,
  reopened,
  new_since,
  reopened_since,
  changed_since,
}: FindingConditions): boolean {
  return (search ?? reopened ?? new_since ?? reopened_since ?? changed_since) !== undefined;
}

/**
 * One page of the organization's findings. Throws `invalid_cursor`.
 *
 * @param query with a person's ID instead of `me`
 */
export async function listFindingRows(store: TenantStore, query: ListFindings): Promise<FindingPage> {
  const { order = 'worst', cursor: _cursor, ...filters } = query;
  return store.read(async session => {
    const conditions = await conditionsOf(session, filters);
    const { rows, next_cursor } = await (order === 'due'
      ? readPage(listOf(store, dueOrder), { ...query, limit: pageLength }, page =>
          pageByDueDate(session, conditions, page),
        )
      : readPage(listOf(store, orders[order]), { ...query, limit: pageLength }, page =>
          readRows(session, conditions, order, page),
        ));
    return { findings: await findFindingRows(session, idsOf(rows)), next_cursor };
  });
}

const listOf = <O>(store: TenantStore, order: O) => ({
  organization: store.organizationId,
  name: 'findings',
  order,
});

/**
 * In the order of the ids. `offset 0` makes the planner fetch each row by id, instead of joining by other means when
 * the table has grown since it was last analyzed.
 */
function findFindingRows(session: TenantSession, ids: readonly string[]): Promise<FindingRow[]> {
  return session.query<FindingRow>({
    text: `select f.id, f.severity, f.status, f.category, f.title, f.locator, f.created_at, f.last_seen_at, f.accepted_until,
        ${workColumns},
        exists (select from finding_episodes e where e.finding_id = f.id and e.number > 1) as reopened,
        json_build_object('id', f.source_id, 'name', s.name) as source,
        json_build_object('id', f.system_id, 'name', y.name) as system
      from unnest($1::uuid[]) with ordinality as page (id, place)
        cross join lateral (select * from findings where findings.id = page.id offset 0) as f
        join sources s on s.id = f.source_id join systems y on y.id = f.system_id cross join organizations o
      order by page.place`,
    values: [ids],
  });
}

/** The number of findings that match the filters, by severity and by status, and what to fix first of them. */
export async function countFindings(store: TenantStore, filters: FindingFilters): Promise<FindingCounts> {
  const { severity, status, ...others } = filters;
  const chosen = (list: string | undefined, word: string) =>
    list === undefined || list.split(',').includes(word);
  const isListed = (row: StateCount) => chosen(severity, severityOf(row)) && chosen(status, row.status);
  const [rows, fix_first] = await store.read(async session => {
    const rows = await countRows(session, await conditionsOf(session, others));
    return [rows, await findFixFirst(session, rows.filter(isListed))] as const;
  });
  const counts = {
    fix_first,
    total: 0,
    by_severity: { critical: 0, high: 0, medium: 0, low: 0, info: 0 },
    by_status: { open: 0, resolved: 0, accepted: 0, false_positive: 0 },
  };
  for (const row of rows) {
    const word = severityOf(row);
    if (chosen(status, row.status)) counts.by_severity[word] += row.count;
    if (chosen(severity, word)) counts.by_status[row.status as FindingStatus] += row.count;
    if (isListed(row)) counts.total += row.count;
  }
  return counts;
}

async function countRows(session: TenantSession, filters: FindingConditions): Promise<StateCount[]> {
  if (isByCheck(filters)) {
    if (filters.search === undefined) return countOfChecks(session, filters, undefined);
    const places = await placesOf(session, filters.search);
    if (places.sources) return countOfChecks(session, filters, places);
  }
  return session.query(
    db
      .selectFrom(matchingFindings(filters, ['category', 'severity_rank', 'status']).as('finding'))
      .select(['category', 'severity_rank', 'status', countOfRows.as('count')])
      .groupBy(['category', 'severity_rank', 'status']),
  );
}
