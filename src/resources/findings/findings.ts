import type { Finding, ListFindingsQuery } from '../../contract/findings.ts';
import type { Severity } from '../../contract/severity.ts';
import { type Condition, givenConditions } from '../../database/conditions.ts';
import { type Page, readPage } from '../../database/page.ts';
import type { TenantSession, TenantStore } from '../../database/tenant-store.ts';

const columns = 'id, severity, category, title, remediation, status, created_at, updated_at, system_id';

export async function listFindings(store: TenantStore, query: ListFindingsQuery): Promise<Page<Finding>> {
  const conditions = conditionsOf(query);
  return readPage(statement => store.queryOnce<Finding>(statement), {
    organization: store.organizationId,
    table: 'findings',
    columns,
    query,
    conditions,
    ...(isPrefix(query.category) ? { around: mergeCategories } : {}),
  });
}

/** `hipaa` is a family of its own, across categories. */
function isPrefix(category: string | undefined): category is string {
  return category !== undefined && category !== 'hipaa';
}

/**
 * A prefix stands for a few dozen categories, which the index lists in as many steps; each gives its newest rows in order,
 * and of those the page is made. So a page costs the same however many findings there are. In the column's byte order,
 * '/' is what follows '.'.
 */
function mergeCategories(page: string): string {
  return `with recursive matching (category) as (
      (select category from findings where category >= $2 order by category limit 1)
      union all
      select (select category from findings where category > matching.category order by category limit 1)
      from matching where matching.category < $2 || '/')
    select newest.* from matching cross join lateral (${page}) as newest
    where matching.category = $2 or (matching.category > $2 || '.' and matching.category < $2 || '/')
    order by created_at desc, id desc limit $1`;
}

/** The finding, or undefined when the organization has none with this id. */
export async function findFinding(store: TenantStore, id: string): Promise<Finding | undefined> {
  const rows = await store.queryOnce<Finding>({
    name: 'find-finding',
    text: `select ${columns} from findings where id = $1`,
    values: [id],
  });
  return rows[0];
}

/** Severities of the findings that are open on these sources. */
export async function openSeverities(
  session: TenantSession,
  sourceIds: readonly string[],
): Promise<Severity[]> {
  const rows = await session.query<{ severity: Severity }>({
    // An acceptance ends by its date, whenever the worker gets to say so.
    text: `select distinct severity from findings where source_id = any($1)
      and (status = 'open' or (status = 'accepted' and accepted_until <= now()))`,
    values: [sourceIds],
  });
  return rows.map(row => row.severity);
}

function conditionsOf(query: ListFindingsQuery): Condition[] {
  return [
    // First, so that its value is $2 where categories are merged.
    ...givenConditions([
      'category = matching.category',
      isPrefix(query.category) ? query.category : undefined,
    ]),
    ...givenConditions(
      ['severity = $', query.severity],
      ['status = $', query.status],
      ['system_id = $', query.system_id],
      ['source_id = $', query.source_id],
    ),
    ...(query.category === 'hipaa' ? [{ sql: 'hipaa' }] : []),
  ];
}
