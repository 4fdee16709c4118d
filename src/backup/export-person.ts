import { Readable } from 'node:stream';
import pg from 'pg';
import { beginOwner, oneSnapshot } from '../database/with-owner.ts';
import { copyJson } from './copy-json.ts';

/** Entries of an audit log that the person made, or that are about the person. The detail of others is about the organization. */
const entriesOf = (
  table: string,
  position: string,
) => `select organization_id, ${position} occurred_at, actor_kind, actor_id, action, object_kind, object_id, address,
    case when object_kind = 'person' and object_id = $1::text then detail end as detail
  from ${table} where actor_kind = 'person' and actor_id = $1::text or object_kind = 'person' and object_id = $1::text
  order by occurred_at`;

/** What a person's account has, without secrets, and where records of organizations name the person. `$1` is the person's ID. */
export const personSections: Readonly<Record<string, string>> = {
  account: `select id, email, name, created_at, email_verified_at, password_hash is not null as has_password, password_changed_at, invited_by
    from people where id = $1`,
  memberships: `select organization_id, o.name as organization, role, joined_at, left_at, former_name, visited_at, previous_visit_at
    from memberships m join organizations o on o.id = m.organization_id where person_id = $1 order by joined_at`,
  sessions: `select created_at, last_seen_at, ended_at, expires_at, address, user_agent, second_factor_at, stepped_up_at, vouched_email
    from sessions where person_id = $1 order by created_at`,
  identities: `select issuer, subject, email, created_at from person_identities where person_id = $1 order by created_at`,
  passkeys: `select name, transports, origin, created_at, last_used_at from passkeys where person_id = $1 order by created_at`,
  authenticator_apps: `select confirmed, created_at from totp_factors where person_id = $1`,
  backup_codes: `select used_at from backup_codes where person_id = $1`,
  known_browsers: `select created_at, last_used_at from known_devices where person_id = $1 order by created_at`,
  password_links: `select created_at, expires_at, used_at from one_time_links where person_id = $1 order by created_at`,
  finding_views: `select organization_id, name, filters, shared, created_at from finding_views where person_id = $1 order by created_at`,
  preferences: `select time_zone, quiet_from, quiet_until, quiet_except_critical, confirmed_email, code_email, code_expires_at
    from person_preferences where person_id = $1`,
  notification_settings: `select organization_id, kinds, severity, digest, digested_until, next_digest_at
    from notification_settings where person_id = $1`,
  view_alerts: `select organization_id, view_id from view_alerts where person_id = $1`,
  messages: `select organization_id, purpose, state, error, created_at, sent_at from outbox where person_id = $1 order by created_at`,
  invitations: `select organization_id, email, role, invited_by, created_at, expires_at, accepted_at, declined_at, revoked_at
    from invitations where invited_by = $1
      or lower(email collate "C") = (select lower(email collate "C") from people where id = $1) order by created_at`,
  attestations: `select organization_id, id, control, attested_at, withdrawn_at from control_attestations
    where $1 in (attested_by, withdrawn_by) order by attested_at`,
  attestation_evidence: `select organization_id, attestation_id, evidence_id, linked_at from attestation_evidence where linked_by = $1`,
  control_notes: `select organization_id, id, control, written_at from control_notes where written_by = $1 order by written_at`,
  evidence: `select organization_id, id, kind, name, created_at from evidence where created_by = $1 order by created_at`,
  triage: `select organization_id, finding_id, number, decision, decided_at from finding_decisions
    where actor_kind = 'person' and actor_id = $1::text order by decided_at`,
  finding_owners: `select organization_id, id as finding_id from findings where owner_id = $1`,
  finding_edits: `select organization_id, finding_id, edit, owner_id, due_on, edited_at from finding_edits
    where owner_id = $1 or actor_kind = 'person' and actor_id = $1::text order by edited_at`,
  comments: `select organization_id, id, finding_id, body, created_at, edited_at from finding_comments where author_id = $1 order by created_at`,
  mentions: `select organization_id, comment_id, mentioned_at from finding_mentions where person_id = $1 order by mentioned_at`,
  watches: `select organization_id, source_id, turned_on_at from watches where turned_on_by = $1`,
  shields: `select organization_id, source_id, turned_on_at from shields where turned_on_by = $1`,
  audit_entries: entriesOf('audit_entries', 'sequence,'),
  // They have no place in the log yet.
  pending_audit_entries: entriesOf('pending_audit_entries', ''),
};

/**
 * A JSON document with all that the service has of a person, in one snapshot. However much it is, it is not in memory as a whole.
 *
 * @param owner a connection to be closed afterwards
 */
export function exportPerson(owner: pg.ClientBase, personId: string): Readable {
  return Readable.from(documentOf(owner, personId));
}

async function* documentOf(owner: pg.ClientBase, personId: string): AsyncGenerator<string | Buffer> {
  await beginOwner(owner, oneSnapshot);
  const { rows } = await owner.query<{ now: string }>('select now() as now');
  yield `{ "format": "parapet person export 1", "exported_at": ${JSON.stringify(rows[0]!.now)}`;
  for (const [name, query] of Object.entries(personSections)) {
    const person = `${pg.escapeLiteral(personId)}::uuid`;
    yield `,\n"${name}": [`;
    let before = '\n';
    for await (const line of linesOf(copyJson(owner, query.replaceAll('$1', person)))) {
      yield `${before}${line}`;
      before = ',\n';
    }
    yield ']';
  }
  await owner.query('commit');
  yield '\n}\n';
}

async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let rest = '';
  stream.setEncoding('utf8');
  for await (const chunk of stream as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
}
