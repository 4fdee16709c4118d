import type { FailedCheck } from '../../contract/dashboard/findings.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import { severityOf, severityRank } from './finding-conditions.ts';
import { countOfChecks, type StateCount } from './findings-of-checks.ts';

/** Checks that are listed. */
const most = 10;

/** The checks of open findings to fix first. Disconnected sources do not count. */
export async function readFixFirst(session: TenantSession): Promise<FailedCheck[]> {
  const [all, ofDisconnected] = await Promise.all([
    countOfChecks(session, { status: 'open' }, undefined),
    session.query<StateCount>({
      text: `select category, severity_rank, status, count(*)::int as count from findings
        where source_id in (select id from sources where status = 'disconnected') and status = 'open' group by 1, 2, 3`,
    }),
  ]);
  const left = all.map(one => {
    const without = ofDisconnected.find(
      ({ category, severity_rank: rank }) => category === one.category && rank === one.severity_rank,
    );
    return { ...one, count: one.count - (without?.count ?? 0) };
  });
  return findFixFirst(
    session,
    left.filter(({ count }) => count > 0),
  );
}

/** The checks to fix first of these findings: most severe first, then by the number of findings. Info is nothing to fix. */
export async function findFixFirst(
  session: TenantSession,
  counts: readonly StateCount[],
): Promise<FailedCheck[]> {
  const byCheck = new Map<string, { severity_rank: number; count: number }>();
  for (const { category, severity_rank: rank, count } of counts) {
    if (rank === severityRank('info')) continue;
    const check = byCheck.get(category);
    byCheck.set(category, {
      severity_rank: Math.max(rank, check?.severity_rank ?? 0),
      count: count + (check?.count ?? 0),
    });
  }
  const first = [...byCheck]
    .sort(
      ([id, a], [otherId, b]) =>
        b.severity_rank - a.severity_rank || b.count - a.count || (id < otherId ? -1 : 1),
    )
    .slice(0, most);
  const titles = await readTitles(
    session,
    first.map(([id]) => id),
  );
  return first.map(([check, { count, ...worst }]) => ({
    check,
    title: titles.get(check) ?? check,
    severity: severityOf(worst),
    count,
  }));
}

/** From a finding of each check, in the order of an index: a check may no longer exist. */
async function readTitles(
  session: TenantSession,
  checks: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await session.query<{ check_id: string; title: string }>({
    text: `select check_id, title from unnest($1::text[]) as listed (check_id) cross join lateral (
      select title from findings where category = check_id order by status, severity_rank desc, created_at desc, id desc limit 1) as found`,
    values: [checks],
  });
  return new Map(rows.map(({ check_id, title }) => [check_id, title]));
}
