import { organizationLock } from '../../database/organization-lock.ts';
import type { TenantSession, TenantTransaction } from '../../database/tenant-store.ts';
import { half, type OpenFindings, roundedScore, weights } from '../../domain/posture-score.ts';
import { isOwn } from '../own-checks.ts';

/**
 * Recounts the open findings of sources and updates today's score of the organization. Called, with the sources' rows
 * locked, by every transaction that opens, resolves or triages findings; disconnected sources do not count.
 */
export async function recordPosture(transaction: TenantTransaction, ...sourceIds: string[]): Promise<void> {
  const [, , , posture] = await Promise.all([
    countSources(transaction, sourceIds),
    // One update of the organization at a time, so that each includes the earlier ones.
    transaction.query(organizationLock('posture', transaction.organizationId)),
    transaction.query({ name: 'fold-check-counts', text: 'select fold_check_counts()' }),
    readPosture(transaction),
  ]);
  const { score, sources, open } = posture;
  await transaction.query({
    name: 'update-posture',
    // The day of this moment, not of the start of the transaction: an update that began before midnight and ends after another one of the
    // new day must be the newest.
    text: `insert into posture_scores (day, score, sources, critical, high, medium, low, info, recorded_at)
        values ((clock_timestamp() at time zone 'UTC')::date, $1, $2, $3, $4, $5, $6, $7, now())
      on conflict (organization_id, day) do update set score = excluded.score, sources = excluded.sources,
        critical = excluded.critical, high = excluded.high, medium = excluded.medium, low = excluded.low, info = excluded.info,
        recorded_at = excluded.recorded_at`,
    values: [score, sources, open.critical, open.high, open.medium, open.low, open.info],
  });
}

interface Posture {
  /** 0 to 100; see `organizationScore`. Null if no source has been assessed. */
  readonly score: number | null;
  /** Sources with a score. */
  readonly sources: number;
  readonly open: OpenFindings;
}

/** Scored by the database, which has the rows of thousands of sources. */
async function readPosture(session: TenantSession): Promise<Posture> {
  const [row] = await session.query<OpenFindings & { sources: number; mean: number | null }>({
    name: 'read-posture',
    text: `select count(*)::int as sources, avg(100 * $1::float8 / ($1 + $2 * critical + $3 * high + $4 * medium + $5 * low)) as mean,
        coalesce(sum(critical), 0)::int as critical, coalesce(sum(high), 0)::int as high, coalesce(sum(medium), 0)::int as medium,
        coalesce(sum(low), 0)::int as low, coalesce(sum(info), 0)::int as info
      from source_postures`,
    values: [half, weights.critical, weights.high, weights.medium, weights.low],
  });
  const { sources, mean, ...open } = row!;
  return { score: mean === null ? null : roundedScore(mean), sources, open };
}

/** A source has no score while nothing but its probe or firewalls is known. */
async function countSources(transaction: TenantTransaction, sourceIds: readonly string[]): Promise<void> {
  await transaction.query({
    name: 'count-sources',
    // The offset keeps the findings of each source apart: with statistics of an empty table, all open findings would be read.
    text: `with counted as (
        select s.id, open.* from sources s cross join lateral (
          select
            count(*) filter (where f.severity = 'critical') as critical,
            count(*) filter (where f.severity = 'high') as high,
            count(*) filter (where f.severity = 'medium') as medium,
            count(*) filter (where f.severity = 'low') as low,
            count(*) filter (where f.severity = 'info') as info
          from (select severity from findings where source_id = s.id and status = 'open' offset 0) as f) as open
        where s.id = any($1) and s.status <> 'disconnected'
          and (exists (select from findings f where f.source_id = s.id and not ${isOwn('f.category')})
            or exists (select from check_assessments a where a.source_id = s.id and a.outcome in ('passed', 'observed')
              and not ${isOwn('a.check_id')}))
      ), gone as (
        delete from source_postures where source_id = any($1) and source_id not in (select id from counted)
      )
      insert into source_postures (source_id, critical, high, medium, low, info) select * from counted
      on conflict (organization_id, source_id) do update set critical = excluded.critical, high = excluded.high,
        medium = excluded.medium, low = excluded.low, info = excluded.info`,
    values: [sourceIds],
  });
}

/** SQL of the open findings in a row of `source_postures` by severity, as JSON. */
export const openOf = (posture: string) =>
  `json_build_object('critical', ${posture}.critical, 'high', ${posture}.high, 'medium', ${posture}.medium,
    'low', ${posture}.low, 'info', ${posture}.info)`;

/** An organization's posture at the end of a day, or the current one for today. */
export interface PostureScore {
  /** `2026-11-21`, UTC. */
  readonly day: string;
  /** 0 to 100; see `organizationScore`. Null if no source had been assessed. */
  readonly score: number | null;
  readonly sources: number;
  readonly critical: number;
  readonly high: number;
  readonly medium: number;
  readonly low: number;
  readonly info: number;
}

/** The last days with a change, newest first. A day without a row has the score of the day before. */
export async function listPostureScores(session: TenantSession, days: number): Promise<PostureScore[]> {
  return session.query<PostureScore>({
    text: `select to_char(day, 'YYYY-MM-DD') as day, score, sources, critical, high, medium, low, info
      from posture_scores order by posture_scores.day desc limit $1`,
    values: [days],
  });
}
