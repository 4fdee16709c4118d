import type { FindingFilters } from '../../contract/dashboard/finding-filters.ts';
import {
  type FindingGroup,
  type FindingGroups,
  type FindingIds,
  mostGroups,
} from '../../contract/dashboard/finding-groups.ts';
import { findingsAtOnce } from '../../contract/dashboard/finding-limits.ts';
import { countOfRows, distinctCount, largest, sumOf } from '../../database/expressions.ts';
import { idsOf } from '../../database/page.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantSession, TenantStore } from '../../database/tenant-store.ts';
import { duePeriod, readDueTerms } from './due-dates.ts';
import { conditionsOf, type FindingConditions, matchingFindings, severityOf } from './finding-conditions.ts';

const keys = { check: 'category', system: 'system_id' } as const;
type Key = (typeof keys)[keyof typeof keys];

/**
 * The matching findings of each check or system, highest severity first, then the most findings. They are counted from an index that has
 * what most filters need, and overdue ones from the indexes of due dates.
 *
 * @param filters with a person's ID instead of `me`
 */
export async function groupFindings(
  store: TenantStore,
  filters: FindingFilters,
  by: keyof typeof keys,
): Promise<FindingGroups> {
  return store.read(async session => {
    const conditions = await conditionsOf(session, filters);
    const [counted, overdue] = await Promise.all([
      countGroups(session, conditions, keys[by]),
      countOverdueOf(session, conditions, keys[by]),
    ]);
    const groups = counted.slice(0, mostGroups);
    const titles = await (by === 'check' ? titlesOfChecks : namesOfSystems)(
      session,
      groups.map(({ key }) => key),
    );
    return {
      groups: groups.map(
        ({ severity_rank, ...group }): FindingGroup => ({
          ...group,
          title: titles.get(group.key) ?? group.key,
          severity: severityOf({ severity_rank }),
          overdue: overdue.get(group.key) ?? 0,
        }),
      ),
      has_more: counted.length > mostGroups,
    };
  });
}

/** In two steps: the findings of each check in each system, which are few, then those of each check or system. */
function countGroups(session: TenantSession, conditions: FindingConditions, key: Key) {
  const parts = db
    .selectFrom(matchingFindings(conditions, ['category', 'system_id', 'severity_rank']).as('finding'))
    .select(['category', 'system_id', countOfRows.as('findings')])
    .select(({ ref }) => largest(ref('severity_rank')).as('severity_rank'))
    .groupBy(['category', 'system_id']);
  return session.query(
    db
      .selectFrom(parts.as('part'))
      .select(({ ref }) => [
        ref(`part.${key}`).as('key'),
        largest(ref('severity_rank')).as('severity_rank'),
        sumOf(ref('findings')).as('findings'),
        distinctCount(ref('system_id')).as('systems'),
        distinctCount(ref('part.category')).as('checks'),
      ])
      .groupBy(`part.${key}`)
      .orderBy('severity_rank', 'desc')
      .orderBy('findings', 'desc')
      .orderBy('key')
      .limit(mostGroups + 1),
  );
}

async function countOverdueOf(
  session: TenantSession,
  { due, ...others }: FindingConditions,
  key: Key,
): Promise<Map<string, number>> {
  const period = duePeriod(await readDueTerms(session), 'overdue');
  // Nothing is overdue and due in the next days.
  if (due !== undefined && due.from !== period.from) return new Map();
  const rows = await session.query(
    db
      .selectFrom(matchingFindings({ ...others, due: period }, [key]).as('overdue'))
      .select(({ ref }) => [ref(key).as('key'), countOfRows.as('count')])
      .groupBy(key),
  );
  return new Map(rows.map(row => [row.key, row.count]));
}

/** The title of the most severe finding of each check, in the order of an index. */
async function titlesOfChecks(
  session: TenantSession,
  checks: readonly string[],
): Promise<Map<string, string>> {
  const rows = await session.query<{ key: string; title: string }>({
    text: `select key, title from unnest($1::text[]) as listed (key) cross join lateral (
      select title from findings where category = key order by status, severity_rank desc, created_at desc, id desc limit 1) as found`,
    values: [checks],
  });
  return new Map(rows.map(({ key, title }) => [key, title]));
}

async function namesOfSystems(session: TenantSession, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await session.query<{ id: string; name: string }>({
    text: 'select id, name from systems where id = any($1)',
    values: [ids],
  });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/**
 * The matching findings, most severe first, as far as one request can change them.
 *
 * @param filters with a person's ID instead of `me`
 */
export async function listFindingIds(store: TenantStore, filters: FindingFilters): Promise<FindingIds> {
  return store.read(async session => {
    const conditions = await conditionsOf(session, filters);
    const rows = await session.query(
      db
        .selectFrom(matchingFindings(conditions, ['id', 'severity_rank', 'created_at']).as('finding'))
        .select('id')
        .orderBy('severity_rank', 'desc')
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(findingsAtOnce + 1),
    );
    return { ids: idsOf(rows.slice(0, findingsAtOnce)), has_more: rows.length > findingsAtOnce };
  });
}
