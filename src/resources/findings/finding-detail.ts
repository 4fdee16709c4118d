import type { FindingDetail } from '../../contract/dashboard/findings.ts';
import type { ConnectionMode, SourceStatus } from '../../contract/sources.ts';
import { jsonTimestamp } from '../../database/json-text.ts';
import type { TenantSession, TenantStore } from '../../database/tenant-store.ts';
import { nameOfPerson } from '../people/person-name.ts';
import { hasCurrentProof } from '../sources/current-proof.ts';
import { listComments } from './comments.ts';
import { personWithName, workColumns } from './due-dates.ts';

type Stored = Omit<FindingDetail, 'check' | 'verification' | 'source'> & {
  readonly source: FindingDetail['source'] & {
    readonly status: SourceStatus;
    readonly connection_mode: ConnectionMode;
    readonly scan_authorized_at: string | null;
    readonly shield_on: boolean;
  };
  /** The running verification of this finding. */
  readonly verifying_scan: string | null;
  /** The proof of the source's domain is current. */
  readonly domain_proven: boolean;
};

/**
 * All stored data of a finding, or undefined if the organization has none with this id.
 *
 * @param personId who reads it
 */
export async function findFindingDetail(
  store: TenantStore,
  id: string,
  personId: string,
): Promise<Stored | undefined> {
  return store.read(async session => {
    const [findings, episodes, decisions, edits, comments] = await Promise.all([
      findRow(session, id),
      listEpisodes(session, id),
      listDecisions(session, id),
      listEdits(session, id),
      listComments(session, id, personId),
    ]);
    const [finding] = findings;
    return finding && { ...finding, reopened: episodes.length > 1, episodes, decisions, edits, comments };
  });
}

function findRow(
  session: TenantSession,
  id: string,
): Promise<Omit<Stored, 'episodes' | 'decisions' | 'edits' | 'comments' | 'reopened'>[]> {
  return session.query({
    text: `select f.id, f.severity, f.status, f.category, f.title, f.locator, f.subject, f.seen, f.remediation, f.created_at,
        f.updated_at, f.last_seen_at, f.accepted_until, ${workColumns},
        json_build_object('id', s.id, 'name', s.name, 'kind', s.kind, 'host', s.host, 'status', s.status,
          'connection_mode', s.connection_mode, 'scan_authorized_at', ${jsonTimestamp('s.scan_authorized_at')},
          'shield_on', exists (select from shields where source_id = s.id)) as source,
        json_build_object('id', y.id, 'name', y.name) as system,
        case when a.check_id is not null then json_build_object('outcome', a.outcome, 'reason', a.reason, 'looked_at',
          ${jsonTimestamp('a.looked_at')}) end as assessment,
        (select id from scans where finding_id = f.id and finished_at is null limit 1) as verifying_scan,
        ${hasCurrentProof('s.id')} as domain_proven
      from findings f join sources s on s.id = f.source_id join systems y on y.id = f.system_id cross join organizations o
        left join check_assessments a on a.source_id = f.source_id and a.check_id = f.category
      where f.id = $1`,
    values: [id],
  });
}

function listEpisodes(session: TenantSession, id: string): Promise<FindingDetail['episodes']> {
  return session.query({
    // Scans past their retention are deleted.
    text: `select e.number, e.opened_at, o.id as opened_by_scan, e.closed_at, c.id as closed_by_scan from finding_episodes e
        left join scans o on o.id = e.opened_by_scan left join scans c on c.id = e.closed_by_scan
      where e.finding_id = $1 order by e.number desc limit 100`,
    values: [id],
  });
}

function listDecisions(session: TenantSession, id: string): Promise<FindingDetail['decisions']> {
  return session.query({
    text: `select d.decision, d.reason, d.accepted_until, d.decided_at,
        ${nameOfPerson("d.actor_kind = 'person' and m.person_id::text = d.actor_id")} as by
      from finding_decisions d where d.finding_id = $1 order by d.number desc limit 100`,
    values: [id],
  });
}

function listEdits(session: TenantSession, id: string): Promise<FindingDetail['edits']> {
  return session.query({
    text: `select e.edit, ${personWithName('m.person_id = e.owner_id')} as owner,
        to_char(e.due_on, 'YYYY-MM-DD') as due_on, e.edited_at,
        ${nameOfPerson("e.actor_kind = 'person' and m.person_id::text = e.actor_id")} as by
      from finding_edits e where e.finding_id = $1 order by e.id desc limit 100`,
    values: [id],
  });
}
