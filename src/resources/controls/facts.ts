import type { TenantSession } from '../../database/tenant-store.ts';
import { type CheckFacts, noFacts } from '../../domain/control-states.ts';
import { checkCounts, ofAssessments, ofFindings } from '../findings/check-counts.ts';
import { isFreshDay, isSeenSource, outOfScope, sourceCounts } from './what-counts.ts';

type ResultCounts = Pick<CheckFacts, 'passed' | 'assessed' | 'not_assessed' | 'not_applicable' | 'outdated'>;
type Findings = Pick<CheckFacts, 'open' | 'accepted' | 'false_positives'>;

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
