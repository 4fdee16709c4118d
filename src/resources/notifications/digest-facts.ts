import type { TenantSession } from '../../database/tenant-store.ts';
import type { DigestFacts, FindingFact, Named } from '../../domain/notification-facts.ts';
import { readFixFirst } from '../findings/fix-first.ts';

const most = 8;
const mostFixes = 5;

/** What changed from one moment to now, and how it is now. */
export async function readDigestFacts(session: TenantSession, from: string): Promise<DigestFacts> {
  const [[now], [counts], [before], newest, fixed, fixFirst, failing] = await Promise.all([
    session.query<DigestFacts['open'] & { score: number | null; at: string; not_scanned: number }>({
      text: `select now()::timestamptz(3) as at, p.score, coalesce(p.critical, 0) as critical, coalesce(p.high, 0) as high,
          coalesce(p.medium, 0) as medium, coalesce(p.low, 0) as low, coalesce(p.info, 0) as info,
          (select count(*) from sources where status <> 'disconnected')::int - coalesce(p.sources, 0) as not_scanned
        from (select 1) as one left join lateral (select * from posture_scores order by day desc limit 1) as p on true`,
    }),
    session.query<Pick<DigestFacts, 'opened' | 'reopened' | 'resolved' | 'accepted'>>({
      text: `select
          (select count(*) from finding_episodes where opened_at > $1 and number = 1)::int as opened,
          (select count(*) from finding_episodes where opened_at > $1 and number > 1)::int as reopened,
          (select count(*) from finding_episodes where closed_at > $1)::int as resolved,
          (select count(*) from finding_decisions where decided_at > $1 and decision = 'accepted')::int as accepted`,
      values: [from],
    }),
    session.query<{ score: number | null }>({
      text: `select score from posture_scores where day < ($1::timestamptz at time zone 'UTC')::date order by day desc limit 1`,
      values: [from],
    }),
    session.query<FindingFact>({
      text: `select f.id, f.severity, f.title, f.category, f.locator, s.name as source
        from findings f join sources s on s.id = f.source_id
        where f.status = 'open' and f.id = any(array(select finding_id from finding_episodes where opened_at > $1))
        order by f.severity_rank desc, f.created_at desc, f.id limit ${most}`,
      values: [from],
    }),
    session.query<FindingFact>({
      text: `select f.id, f.severity, f.title, f.category, f.locator, s.name as source
        from findings f join sources s on s.id = f.source_id
        where f.status = 'resolved' and f.id = any(array(select finding_id from finding_episodes where closed_at > $1))
        order by f.severity_rank desc, f.updated_at desc, f.id limit ${most}`,
      values: [from],
    }),
    readFixFirst(session),
    session.query<Named>({
      text: `select id, name from sources where status = 'failing' order by lower(name), id limit ${most}`,
    }),
  ]);
  const { at, score, not_scanned, ...open } = now!;
  return {
    from,
    until: at,
    score,
    scoreBefore: before?.score ?? null,
    open,
    ...counts!,
    newest,
    fixed,
    fixFirst: fixFirst.slice(0, mostFixes),
    failing,
    notScanned: Math.max(0, not_scanned),
  };
}
