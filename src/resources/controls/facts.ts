import type { TenantSession } from '../../database/tenant-store.ts';
import type { CheckFacts } from '../../domain/control-states.ts';
import { checkCounts, ofAssessments, ofFindings } from '../findings/check-counts.ts';
import { isFresh, isFreshDay, isSeen, isSeenSource, sourceCounts } from './what-counts.ts';

const stillAccepted = `status = 'accepted' and accepted_until > now()`;

type ResultCounts = Pick<CheckFacts, 'passed' | 'assessed' | 'not_assessed' | 'not_applicable' | 'outdated'>;
const resultCounts = `
  count(*) filter (where a.outcome = 'passed' and ${isFresh})::int as passed,
  count(*) filter (where ${isSeen})::int as assessed,
  count(*) filter (where a.outcome = 'not_assessed' and ${isFresh})::int as not_assessed,
  count(*) filter (where a.outcome = 'not_applicable')::int as not_applicable,
  count(*) filter (where a.outcome <> 'not_applicable' and not ${isFresh})::int as outdated`;

type Findings = Pick<CheckFacts, 'open' | 'accepted' | 'false_positives'>;
const findingCounts = `
  (count(*) filter (where status <> 'false_positive' and not (${stillAccepted})))::int as open,
  (count(*) filter (where ${stillAccepted}))::int as accepted,
  (count(*) filter (where status = 'false_positive'))::int as false_positives`;
const counted = `status in ('open', 'accepted', 'false_positive') and severity <> 'info'`;

const sumOf = (condition: string) => `coalesce(sum(count) filter (where ${condition}), 0)::int`;
const keptResults = `
  ${sumOf(`state = 'passed' and ${isFreshDay}`)} as passed,
  ${sumOf(`state in ('passed', 'observed') and ${isFreshDay}`)} as assessed,
  ${sumOf(`state = 'not_assessed' and ${isFreshDay}`)} as not_assessed,
  ${sumOf(`state = 'not_applicable'`)} as not_applicable,
  ${sumOf(`state <> 'not_applicable' and not ${isFreshDay}`)} as outdated`;
const keptFindings = `
  ${sumOf(`state = 'open'`)} as open,
  ${sumOf(`state = 'accepted'`)} as accepted,
  ${sumOf(`state = 'false_positive'`)} as false_positives`;

const noFacts: CheckFacts = {
  passed: 0,
  assessed: 0,
  not_assessed: 0,
  not_applicable: 0,
  outdated: 0,
  open: 0,
  accepted: 0,
  false_positives: 0,
};

/** Sources out of scope. There are few, whose rows are subtracted from the counts of all. */
const outOfScope = `(select s.id from sources s where not (${sourceCounts}))`;

/** The results of every check on the sources in scope, by stored check id. */
export async function factsByCheck(session: TenantSession): Promise<ReadonlyMap<string, CheckFacts>> {
  const [looks, findings] = await Promise.all([
    session.query<ResultCounts & { check: string }>({
      text: `select check_id as check, ${keptResults} from (
          select check_id, state, day, count from ${checkCounts(ofAssessments)} as kept
          union all select a.check_id, a.outcome, (a.looked_at at time zone 'UTC')::date, -1
            from ${outOfScope} as s cross join lateral (select * from check_assessments a where a.source_id = s.id offset 0) as a
        ) as counted group by check_id having sum(count) > 0`,
    }),
    session.query<Findings & { check: string }>({
      text: `select check_id as check, ${keptFindings} from (
          select check_id, state, severity_rank, count from ${checkCounts(ofFindings)} as kept
          union all select f.category, f.status, f.severity_rank, -1
            from ${outOfScope} as s cross join lateral (select * from findings f where f.source_id = s.id offset 0) as f
          -- An acceptance expires by its date, even before the worker updates its status.
          union all select f.category, change.state, f.severity_rank, change.count
            from findings f join sources s on s.id = f.source_id, (values ('accepted', -1), ('open', 1)) as change (state, count)
            where f.triage = 'accepted' and f.status = 'accepted' and f.accepted_until <= now() and ${sourceCounts}
        ) as counted where severity_rank > 0 group by check_id`,
    }),
  ]);
  const facts = new Map<string, CheckFacts>();
  for (const { check, ...counted } of [...looks, ...findings]) {
    facts.set(check, { ...noFacts, ...facts.get(check), ...counted });
  }
  return facts;
}

interface Scope {
  readonly sources: number;
  readonly unscanned: number;
  /** Of the unscanned, those in probe mode. */
  readonly unreported: number;
  readonly unseen: number;
}

/** By kind: the number of sources in scope, of those never scanned, and of those without a recent assessment. */
export async function sourceScope(session: TenantSession): Promise<ReadonlyMap<string, Scope>> {
  const rows = await session.query<Scope & { kind: string }>({
    text: `select kind, count(*)::int as sources, (count(*) filter (where n.source_id is null))::int as unscanned,
        (count(*) filter (where n.source_id is null and connection_mode = 'probe'))::int as unreported,
        (count(*) filter (where ${isSeenSource} is not true))::int as unseen
      from sources s left join source_assessments n on n.source_id = s.id
      where ${sourceCounts} group by kind order by kind`,
  });
  return new Map(rows.map(({ kind, ...numbers }) => [kind, numbers]));
}

/** SQL: a probe `p` with its version in an assessment `by`. */
const probeNames = `p.name || ' ' || by.probe_version`;

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
      from check_assessments a join sources s on s.id = a.source_id
        left join probe_assessments by on by.scan_id = a.scan_id left join probes p on p.id = by.probe_id
      where a.check_id = any($1) and a.outcome = 'passed' and ${isFresh} and ${sourceCounts}
      order by a.check_id, s.name, s.id limit $2`,
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

const resultFields = ['assessed', 'not_assessed', 'outdated']
  .map(name => `coalesce(results.${name}, 0) as ${name}`)
  .join(', ');

/**
 * The results of these checks on each source in scope of these kinds, most severe first. At most `limit`. All outcomes
 * and findings are counted in one pass each: a subquery per source could read all findings each time if most belong to
 * one source.
 */
export async function factsBySource(
  session: TenantSession,
  checks: readonly string[],
  kinds: readonly string[],
  limit: number,
): Promise<SourceFacts[]> {
  return session.query<SourceFacts>({
    text: `with results as materialized (select source_id, max(looked_at) as looked_at, ${resultCounts}
        from check_assessments a where check_id = any($1) group by source_id),
      flaws as materialized (select source_id, ${findingCounts}
        from findings where category = any($1) and ${counted} group by source_id)
      select rows.*, reporter.probe from (select * from (select s.id, s.name, s.kind, results.looked_at, ${resultFields}, coalesce(flaws.open, 0) as open,
          coalesce(flaws.accepted, 0) as accepted
        from sources s left join results on results.source_id = s.id left join flaws on flaws.source_id = s.id
        where ${sourceCounts} and s.kind = any($2)) as facts
        order by open desc, not_assessed desc, assessed + outdated, name, id limit $3) as rows
        left join lateral (select ${probeNames} as probe from check_assessments a
          join probe_assessments by on by.scan_id = a.scan_id join probes p on p.id = by.probe_id
          where a.source_id = rows.id and a.check_id = any($1) order by a.looked_at desc limit 1) as reporter on true
      order by open desc, not_assessed desc, assessed + outdated, name, id`,
    values: [checks, kinds, limit],
  });
}

/** Results with the outcome not assessed. At most `limit`, ordered by check and source. */
export async function gapsOf(
  session: TenantSession,
  checks: readonly string[],
  limit: number,
): Promise<{ check: string; source_id: string; source_name: string; reason: string }[]> {
  return session.query({
    text: `select a.check_id as check, a.source_id, s.name as source_name, a.reason
      from check_assessments a join sources s on s.id = a.source_id
      where a.check_id = any($1) and a.outcome = 'not_assessed' and a.reason is not null and ${isFresh} and ${sourceCounts}
      order by a.check_id, s.name, s.id limit $2`,
    values: [checks, limit],
  });
}
