import type { TenantSession } from '../../database/tenant-store.ts';
import type { DigestFacts, FindingFact, Named } from '../../domain/notification-facts.ts';
import { countOverdue } from '../findings/due-policy.ts';
import { readFixFirst } from '../findings/fix-first.ts';

const most = 8;
const mostFixes = 5;
/** The ID of no person. */
const noPerson = '00000000-0000-0000-0000-000000000000';

/** What changed from one moment to another, and how it is now. @param personId whose findings are counted as well; null for a channel */
export async function readDigestFacts(
  session: TenantSession,
  { from, until }: { readonly from: string; readonly until: string },
  personId: string | null,
): Promise<DigestFacts> {
  const [[now], [counts], [before], newest, fixed, fixFirst, failing, late] = await Promise.all([
    session.query<DigestFacts['open'] & { score: number | null; not_scanned: number }>({
      text: `select p.score, coalesce(p.critical, 0) as critical, coalesce(p.high, 0) as high,
          coalesce(p.medium, 0) as medium, coalesce(p.low, 0) as low, coalesce(p.info, 0) as info,
          (select count(*) from sources where status <> 'disconnected')::int - coalesce(p.sources, 0) as not_scanned
        from (select 1) as one left join lateral (select * from posture_scores order by day desc limit 1) as p on true`,
    }),
    session.query<Pick<DigestFacts, 'opened' | 'reopened' | 'resolved' | 'accepted'>>({
      text: `select
          (select count(*) from finding_episodes where opened_at > $1 and opened_at <= $2 and number = 1)::int as opened,
          (select count(*) from finding_episodes where opened_at > $1 and opened_at <= $2 and number > 1)::int as reopened,
          (select count(*) from finding_episodes where closed_at > $1 and closed_at <= $2)::int as resolved,
          (select count(*) from finding_decisions where decided_at > $1 and decided_at <= $2 and decision = 'accepted')::int as accepted`,
      values: [from, until],
    }),
    session.query<{ score: number | null }>({
      text: `select score from posture_scores where day < ($1::timestamptz at time zone 'UTC')::date order by day desc limit 1`,
      values: [from],
    }),
    session.query<FindingFact>({
      text: `select f.id, f.severity, f.title, f.category, f.locator, s.name as source
        from findings f join sources s on s.id = f.source_id
        where f.status = 'open' and f.id = any(array(select finding_id from finding_episodes where opened_at > $1 and opened_at <= $2))
        order by f.severity_rank desc, f.created_at desc, f.id limit ${most}`,
      values: [from, until],
    }),
    session.query<FindingFact>({
      text: `select f.id, f.severity, f.title, f.category, f.locator, s.name as source
        from findings f join sources s on s.id = f.source_id
        where f.status = 'resolved' and f.id = any(array(select finding_id from finding_episodes where closed_at > $1 and closed_at <= $2))
        order by f.severity_rank desc, f.updated_at desc, f.id limit ${most}`,
      values: [from, until],
    }),
    readFixFirst(session),
    session.query<Named>({
      text: `select id, name from sources where status = 'failing' order by lower(name), id limit ${most}`,
    }),
    countOverdue(session, personId ?? noPerson),
  ]);
  const { score, not_scanned, ...open } = now!;
  return {
    from,
    until,
    score,
    scoreBefore: before?.score ?? null,
    open,
    ...counts!,
    overdue: late.overdue,
    mineOverdue: personId === null ? null : late.mine_overdue,
    newest,
    fixed,
    fixFirst: fixFirst.slice(0, mostFixes),
    failing,
    notScanned: Math.max(0, not_scanned),
  };
}
