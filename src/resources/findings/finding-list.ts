import type {
  FindingCounts,
  FindingFilters,
  FindingOrder,
  FindingPage,
  FindingRow,
  ListFindings,
} from '../../contract/dashboard/findings.ts';
import type { FindingStatus } from '../../contract/findings.ts';
import { severities } from '../../contract/severity.ts';
import { whereClause } from '../../database/conditions.ts';
import { type CursorList, decodeCursor, encodeCursor, type KeyType } from '../../database/cursor.ts';
import type { TenantStore } from '../../database/tenant-store.ts';
import { findingConditions, severityRank } from './finding-conditions.ts';

/** Findings of a page. */
const pageLength = 50;

interface Key {
  readonly column: 'severity_rank' | 'created_at' | 'last_seen_at' | 'id';
  readonly type: KeyType;
}
const id: Key = { column: 'id', type: 'uuid' };
const createdAt: Key = { column: 'created_at', type: 'timestamptz' };

/** What each order goes by, all of it descending. */
const orders: Record<FindingOrder, readonly Key[]> = {
  worst: [{ column: 'severity_rank', type: 'smallint' }, createdAt, id],
  newest: [createdAt, id],
  last_seen: [{ column: 'last_seen_at', type: 'timestamptz' }, id],
};

const listed = `f.id, f.severity, f.status, f.category, f.title, f.locator, f.created_at, f.last_seen_at, f.accepted_until,
  exists (select from finding_episodes e where e.finding_id = f.id and e.number > 1) as reopened,
  json_build_object('id', f.source_id, 'name', s.name) as source,
  json_build_object('id', f.system_id, 'name', y.name) as system`;

/**
 * The findings whose ids `page` selects. Each row is fetched by its id: `offset 0` keeps the planner from joining by other
 * means, which it does where the table has grown since it was last analyzed.
 */
const around = (page: string, order: string) =>
  `with page as (${page}) select ${listed}
    from page cross join lateral (select * from findings where findings.id = page.id offset 0) as f
    join sources s on s.id = f.source_id join systems y on y.id = f.system_id order by ${order}`;

/** One page of the organization's findings. Throws `invalid_cursor`. */
export async function listFindingRows(store: TenantStore, query: ListFindings): Promise<FindingPage> {
  const conditions = findingConditions(query);
  const keys = orders[query.order ?? 'worst'];
  const values: unknown[] = [pageLength + 1];
  const matching = whereClause(conditions, values);
  const list = {
    organization: store.organizationId,
    name: `findings by ${keys.map(({ column }) => column).join()}`,
    conditions,
  };
  const after = afterCursor(query, keys, list, values);
  const order = (prefix: string) => keys.map(({ column }) => `${prefix}${column} desc`).join(', ');
  // Rows that are few, or that no index has in order, are found in one pass over the index that holds all that is
  // asked. Of rows that are many the first ones come soon in the order of an index.
  const inOnePass = query.search !== undefined || query.reopened !== undefined || query.order === 'last_seen';
  const from = inOnePass
    ? `(with matching as materialized (select id, severity_rank, created_at, last_seen_at from findings
        where ${matching}) select * from matching) as matching where ${after}`
    : `findings where ${matching} and ${after}`;
  const rows = await store.queryOnce<FindingRow>({
    text: around(`select id from ${from} order by ${order('')} limit $1`, order('f.')),
    values,
  });
  if (rows.length <= pageLength) return { findings: rows, next_cursor: null };
  const findings = rows.slice(0, pageLength);
  const last = findings[pageLength - 1]!;
  const position = { ...last, severity_rank: String(severityRank(last.severity)) };
  const cursor = encodeCursor(
    keys.map(({ column }) => position[column]),
    list,
  );
  return { findings, next_cursor: cursor };
}

function afterCursor(
  { cursor }: ListFindings,
  keys: readonly Key[],
  list: CursorList,
  values: unknown[],
): string {
  if (cursor === undefined) return 'true';
  const types = keys.map(({ type }) => type);
  const position = decodeCursor(cursor, types, list);
  const places = position.map((value, index) => `$${values.push(value)}::${types[index]}`);
  return `(${keys.map(({ column }) => column).join(', ')}) < (${places.join(', ')})`;
}

/** How many there are for the filters, by severity and by status. */
export async function countFindings(store: TenantStore, filters: FindingFilters): Promise<FindingCounts> {
  const { severity, status, ...others } = filters;
  const values: unknown[] = [];
  const where = whereClause(findingConditions(others), values);
  const rows = await store.queryOnce<{ severity_rank: number; status: FindingStatus; count: number }>({
    text: `select severity_rank, status, count(*)::int as count from findings where ${where} group by 1, 2`,
    values,
  });
  const chosen = (list: string | undefined, word: string) =>
    list === undefined || list.split(',').includes(word);
  const counts = {
    total: 0,
    by_severity: { critical: 0, high: 0, medium: 0, low: 0, info: 0 },
    by_status: { open: 0, resolved: 0, accepted: 0, false_positive: 0 },
  };
  for (const row of rows) {
    const word = severities.find(each => severityRank(each) === row.severity_rank)!;
    if (chosen(status, row.status)) counts.by_severity[word] += row.count;
    if (chosen(severity, word)) counts.by_status[row.status] += row.count;
    if (chosen(severity, word) && chosen(status, row.status)) counts.total += row.count;
  }
  return counts;
}
