import type { TenantSession } from '../../database/tenant-store.ts';
import { isFresh, isSeen, sourceCounts } from '../controls/what-counts.ts';

/** A source that does not affect the states of controls. */
export interface UncoveredSource {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly host: string;
  readonly system: string;
  readonly why: 'draft' | 'disconnected' | 'never_scanned' | 'not_assessed';
  /** Above info, as of its last scan: controls do not count them. */
  readonly open_findings: number;
}

/**
 * Sources out of scope, and sources in scope that were never scanned or have no recent assessment, by name. At most
 * `limit`.
 */
export async function uncoveredSources(session: TenantSession, limit: number): Promise<UncoveredSource[]> {
  return session.query<UncoveredSource>({
    text: `select s.id, s.name, s.kind, s.host, y.name as system, case when s.status in ('draft', 'disconnected') then s.status when exists (select from check_assessments a where a.source_id = s.id)
          then 'not_assessed' else 'never_scanned' end as why,
        (select count(*) from findings f where f.source_id = s.id and f.status = 'open' and f.severity <> 'info')::int as open_findings
      from sources s join systems y on y.id = s.system_id
      where not (${sourceCounts}) or not exists (select from check_assessments a
        where a.source_id = s.id and ${isSeen})
      order by why desc, s.name, s.id limit $1`,
    values: [limit],
  });
}

/** The names of systems without a source in scope. At most `limit`. */
export async function uncoveredSystems(session: TenantSession, limit: number): Promise<string[]> {
  const rows = await session.query<{ name: string }>({
    text: `select y.name from systems y
      where not exists (select from sources s where s.system_id = y.id and ${sourceCounts}) order by y.name, y.id limit $1`,
    values: [limit],
  });
  return rows.map(({ name }) => name);
}

/** A check without a decision for some sources in scope, with the reason. */
export interface UndecidedCheck {
  readonly check: string;
  readonly result: 'not_assessed' | 'outdated' | 'not_applicable';
  readonly reason: string | null;
  /** Names, sorted. */
  readonly sources: readonly string[];
}

/** Checks that were not assessed, are outdated or do not apply, by check and reason. At most `limit`. */
export async function undecidedChecks(session: TenantSession, limit: number): Promise<UndecidedCheck[]> {
  return session.query<UndecidedCheck>({
    text: `select check_id as check, result, reason, jsonb_agg(name order by name) as sources
      from (select a.check_id, s.name,
          case when a.outcome <> 'not_applicable' and not ${isFresh} then 'outdated' else a.outcome end as result,
          case when a.outcome = 'not_applicable' or ${isFresh} then a.reason end as reason
        from check_assessments a join sources s on s.id = a.source_id where ${sourceCounts}) as results
      where result in ('not_assessed', 'outdated', 'not_applicable')
      group by check_id, result, reason order by result desc, check_id, reason limit $1`,
    values: [limit],
  });
}

/** How many sources in scope have any result of each check. */
export async function resultsByCheck(session: TenantSession): Promise<ReadonlyMap<string, number>> {
  const rows = await session.query<{ check: string; sources: number }>({
    text: `select a.check_id as check, count(*)::int as sources from check_assessments a join sources s on s.id = a.source_id
      where ${sourceCounts} group by a.check_id`,
  });
  return new Map(rows.map(({ check, sources }) => [check, sources]));
}

/** Open findings of one check with severity info. */
export interface InformationalFindings {
  readonly category: string;
  readonly title: string;
  readonly findings: number;
  readonly sources: number;
}

export async function informationalFindings(session: TenantSession): Promise<InformationalFindings[]> {
  return session.query<InformationalFindings>({
    text: `select f.category, min(f.title) as title, count(*)::int as findings, count(distinct f.source_id)::int as sources
      from findings f join sources s on s.id = f.source_id
      where f.status = 'open' and f.severity = 'info' and ${sourceCounts}
      group by f.category order by findings desc, f.category`,
  });
}
