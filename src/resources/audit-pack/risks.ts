import type { Severity } from '../../contract/severity.ts';
import { idsOf } from '../../database/page.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import { sourceCounts } from '../controls/what-counts.ts';
import type { ExportedFinding } from '../findings/finding-export.ts';
import { nameOfPerson } from '../people/person-name.ts';

/** Open findings of one check and severity. */
export interface OpenRisk {
  readonly severity: Severity;
  readonly category: string;
  readonly title: string;
  readonly remediation: string;
  readonly findings: number;
  readonly sources: number;
  /** The newest findings, up to a limit. */
  readonly places: readonly { readonly source: string; readonly seen: string }[];
}

/**
 * Open findings above info on sources in scope, grouped by severity and check, most severe first. Expired acceptances
 * count as open.
 */
export async function openRisks(session: TenantSession, placesOfEach: number): Promise<OpenRisk[]> {
  return session.query<OpenRisk>({
    text: `with open as materialized (
        select f.id, f.severity, f.severity_rank, f.category, f.source_id, f.created_at
        from findings f join sources s on s.id = f.source_id
        where (f.status = 'open' or f.status = 'accepted' and f.accepted_until <= now()) and f.severity <> 'info'
          and ${sourceCounts}),
      numbered as (select *, row_number() over (partition by severity_rank, category order by created_at desc, id) as number
        from open),
      grouped as (select severity_rank, category, count(*)::int as findings, count(distinct source_id)::int as sources
        from open group by 1, 2)
      select first.severity, g.category, first.title, first.remediation, g.findings, g.sources, places.places
      from grouped g
      cross join lateral (select f.severity, f.title, f.remediation from numbered n join findings f on f.id = n.id
        where n.severity_rank = g.severity_rank and n.category = g.category and n.number = 1) as first
      cross join lateral (select coalesce(jsonb_agg(jsonb_build_object('source', s.name, 'seen', f.seen) order by n.number), '[]') as places
        from numbered n join findings f on f.id = n.id join sources s on s.id = f.source_id
        where n.severity_rank = g.severity_rank and n.category = g.category and n.number <= $1) as places
      order by g.severity_rank desc, g.findings desc, g.category`,
    values: [placesOfEach],
  });
}

/** A triaged finding with the reason. */
export interface DecidedRisk {
  readonly finding_id: string;
  readonly decision: 'accepted' | 'false_positive';
  readonly severity: Severity;
  readonly category: string;
  readonly title: string;
  readonly source: string;
  readonly reason: string | null;
  /** A name; null for a key or the service. */
  readonly decided_by: string | null;
  readonly decided_at: string;
  readonly accepted_until: string | null;
}

const lastDecision = `lateral (select * from finding_decisions where finding_id = f.id order by number desc limit 1) as d`;

/**
 * The ids of findings on sources in scope that are accepted now or marked as false positives, most severe first. At
 * most `limit`.
 */
export async function decidedFindings(session: TenantSession, limit: number): Promise<string[]> {
  const rows = await session.query<{ id: string }>({
    text: `select f.id from findings f join sources s on s.id = f.source_id cross join ${lastDecision}
      where (f.status = 'false_positive' or f.status = 'accepted' and f.accepted_until > now()) and ${sourceCounts}
      order by f.triage, f.severity_rank desc, d.decided_at desc, f.id limit $1`,
    values: [limit],
  });
  return idsOf(rows);
}

/** The last triage of each finding, in the order of the ids. */
export async function decidedRisks(session: TenantSession, ids: readonly string[]): Promise<DecidedRisk[]> {
  return session.query<DecidedRisk>({
    text: `select f.id as finding_id, f.triage as decision, f.severity, f.category, f.title, s.name as source, d.reason,
        ${nameOfPerson("d.actor_kind = 'person' and m.person_id::text = d.actor_id")} as decided_by,
        d.decided_at, f.accepted_until
      from unnest($1::uuid[]) with ordinality as given (id, position)
      join findings f on f.id = given.id join sources s on s.id = f.source_id cross join ${lastDecision}
      where f.triage is not null order by given.position`,
    values: [ids],
  });
}

/** An open or accepted finding as exported. */
export type UnresolvedFinding = Omit<
  ExportedFinding,
  | ('last_seen_at' | 'source_kind' | 'source_host' | 'system_name')
  | ('owner' | 'due_on' | 'due_is_own' | 'overdue')
>;

/** All unresolved findings on sources in scope, newest first, in batches. */
export async function unresolvedBatch(
  session: TenantSession,
  after: UnresolvedFinding | undefined,
  limit: number,
): Promise<UnresolvedFinding[]> {
  return session.query<UnresolvedFinding>({
    text: `select f.id, f.severity, f.status, f.category, f.title, f.locator, f.seen, f.remediation, f.accepted_until,
        f.created_at, f.updated_at, f.source_id, s.name as source_name, f.system_id
      from findings f join sources s on s.id = f.source_id
      where f.status <> 'resolved' and ${sourceCounts}
        and ($1::timestamptz is null or (f.created_at, f.id) < ($1::timestamptz, $2::uuid))
      order by f.created_at desc, f.id desc limit $3`,
    values: [after?.created_at ?? null, after?.id ?? null, limit],
  });
}
