import type { FailedCheck } from '../../contract/dashboard/findings.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import { type CheckCount, rankChecks } from '../../domain/fix-first.ts';
import { severityOf } from './finding-conditions.ts';
import { countOfChecks, type StateCount } from './findings-of-checks.ts';

/** Checks that are listed. */
const most = 10;

/**
 * The checks of open findings to fix first. Findings of disconnected sources do not count: they are counted only for checks that would
 * be listed with them, until those that are listed remain without them.
 */
export async function readFixFirst(session: TenantSession): Promise<FailedCheck[]> {
  let counts = countsOf(await countOfChecks(session, { status: 'open' }, undefined));
  const corrected = new Set<string>();
  for (;;) {
    const first = rankChecks(counts).slice(0, most);
    const checks = first.map(({ check }) => check).filter(check => !corrected.has(check));
    if (checks.length === 0) return withTitles(session, first);
    const left = await countOfDisconnected(session, checks);
    counts = counts.map(one => ({
      ...one,
      count:
        one.count -
        (left.find(({ check, severity }) => check === one.check && severity === one.severity)?.count ?? 0),
    }));
    for (const check of checks) corrected.add(check);
  }
}

/** From an index with all these columns. */
function countOfDisconnected(session: TenantSession, checks: readonly string[]) {
  return session.query<CheckCount>({
    text: `select category as check, severity, count(*)::int as count from findings
      where category = any($1::text[]) and status = 'open'
        and source_id = any(array(select id from sources where status = 'disconnected')) group by 1, 2`,
    values: [checks],
  });
}

/** The checks to fix first of these findings. */
export function findFixFirst(session: TenantSession, counts: readonly StateCount[]): Promise<FailedCheck[]> {
  return withTitles(session, rankChecks(countsOf(counts)).slice(0, most));
}

const countsOf = (counts: readonly StateCount[]): readonly CheckCount[] =>
  counts.map(one => ({ check: one.category, severity: severityOf(one), count: one.count }));

/** Titles are those of a finding of each check, in the order of an index: a check may no longer exist. */
async function withTitles(session: TenantSession, first: readonly CheckCount[]): Promise<FailedCheck[]> {
  const rows = await session.query<{ check_id: string; title: string }>({
    text: `select check_id, title from unnest($1::text[]) as listed (check_id) cross join lateral (
      select title from findings where category = check_id order by status, severity_rank desc, created_at desc, id desc limit 1) as found`,
    values: [first.map(({ check }) => check)],
  });
  const titles = new Map(rows.map(({ check_id, title }) => [check_id, title]));
  return first.map(one => ({ ...one, title: titles.get(one.check) ?? one.check }));
}
