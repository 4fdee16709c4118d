import type { TenantSession } from '../../database/tenant-store.ts';
import type { CheckFacts } from '../../domain/control-states.ts';
import { isFresh, isSeen, sourceCounts } from './what-counts.ts';

/** SQL: a probe `p` with its version in an assessment `by`. */
const probeNames = `p.name || ' ' || by.probe_version`;

/**
 * SQL: recent outcomes of the checks $1 on sources in scope, as `check_id` and columns of `check_assessments`. At most $2: those
 * of the first checks are read first.
 */
const newestOutcomes = (outcome: 'passed' | 'not_assessed') => `(
  select checks.check_id, a.* from unnest($1::text[]) as checks (check_id) cross join lateral (
    select a.* from check_sources i join source_checks k on k.source_id = i.source_id
      cross join lateral (select k.source_id, k.reasons[place] as reason, k.scan_ids[place] as scan_id, k.looked_at[place] as looked_at
        from array_position(k.check_ids, checks.check_id) as place) as a
    where i.check_id = checks.check_id and i.outcome = '${outcome}' and ${isFresh}
      and exists (select from sources s where s.id = i.source_id and ${sourceCounts} offset 0)
    order by i.source_id limit $2) as a
  limit $2)`;

/** A passed check, which shows a safeguard working. */
export interface Pass {
  readonly check: string;
  readonly source_id: string;
  readonly source_name: string;
  readonly passed_at: string;
  /** The probe that assessed it, with its version then, such as `office 1.2.0`; null if this service did. */
  readonly probe: string | null;
}

/** Recent passes of these checks, ordered by check and source. At most `limit`. */
export async function passesOf(session: TenantSession, checks: readonly string[], limit: number) {
  return session.query<Pass>({
    text: `select a.check_id as check, a.source_id, s.name as source_name, a.looked_at as passed_at,
        ${probeNames} as probe
      from ${newestOutcomes('passed')} as a join sources s on s.id = a.source_id
        left join probe_assessments by on by.scan_id = a.scan_id left join probes p on p.id = by.probe_id
      order by a.check_id, s.name, s.id`,
    values: [checks, limit],
  });
}

/** Where a check was not assessed recently, and why. */
export interface Gap {
  readonly check: string;
  readonly source_id: string;
  readonly source_name: string;
  readonly reason: string;
}

/** Recent results with the outcome not assessed, ordered by check and source. At most `limit`. */
export async function gapsOf(session: TenantSession, checks: readonly string[], limit: number) {
  return session.query<Gap>({
    text: `select a.check_id as check, a.source_id, s.name as source_name, a.reason
      from ${newestOutcomes('not_assessed')} as a join sources s on s.id = a.source_id
      where a.reason is not null
      order by a.check_id, s.name, s.id`,
    values: [checks, limit],
  });
}

export interface SourceFacts extends Omit<CheckFacts, 'passed' | 'not_applicable' | 'false_positives'> {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  /** When one of the checks last ran; null if never. */
  readonly looked_at: string | null;
  /** The newest probe with results of these checks, with its version then; null if there is none. */
  readonly probe: string | null;
}

const stillAccepted = `f.status = 'accepted' and f.accepted_until > now()`;

/**
 * The results of these checks on sources in scope of these kinds: of the given ones, those that were never assessed, and any others, at most
 * `limit`, most open findings first. Only their rows are read: to count for all sources takes seconds if there are thousands. Findings are
 * counted in one pass: a subquery for each source could read all findings each time if most belong to one source.
 */
export async function resultsBySource(
  session: TenantSession,
  checks: readonly string[],
  kinds: readonly string[],
  given: readonly string[],
  limit: number,
): Promise<SourceFacts[]> {
  return session.query<SourceFacts>({
    text: `with chosen as materialized (
        select id from (
          select id, 0 as place from unnest($3::uuid[]) as id
          union all (select id, 1 from (
            select s.id from sources s where cardinality($3) < $4 and ${sourceCounts} and s.kind = any($2)
            except select source_id from source_assessments where cardinality($3) < $4) as unassessed limit $4)
          union all (select s.id, 2 from sources s where cardinality($3) < $4 and ${sourceCounts} and s.kind = any($2)
            order by s.id limit $4)) as found
        group by id order by min(place), id limit $4),
      flaws as materialized (select f.source_id, (count(*) filter (where not (${stillAccepted})))::int as open,
          (count(*) filter (where ${stillAccepted}))::int as accepted
        from chosen join findings f on f.source_id = chosen.id
        where f.category = any($1) and f.severity <> 'info' and f.status in ('open', 'accepted') group by f.source_id)
      select s.id, s.name, s.kind, r.looked_at, r.assessed, r.not_assessed, r.outdated, coalesce(flaws.open, 0) as open,
        coalesce(flaws.accepted, 0) as accepted, r.probe
      from chosen join sources s on s.id = chosen.id left join flaws on flaws.source_id = chosen.id
        cross join lateral (
          select max(a.looked_at) as looked_at, (count(*) filter (where ${isSeen}))::int as assessed,
            (count(*) filter (where a.outcome = 'not_assessed' and ${isFresh}))::int as not_assessed,
            (count(*) filter (where a.outcome <> 'not_applicable' and not ${isFresh}))::int as outdated,
            (array_agg(${probeNames} order by a.looked_at desc) filter (where p.id is not null))[1] as probe
          from check_assessments a left join probe_assessments by on by.scan_id = a.scan_id left join probes p on p.id = by.probe_id
          where a.source_id = chosen.id and a.check_id = any($1) offset 0) as r
      order by open desc, r.not_assessed desc, r.assessed + r.outdated, s.name, s.id`,
    values: [checks, kinds, given, limit],
  });
}
