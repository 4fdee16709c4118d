import { text } from 'node:stream/consumers';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exportPerson, personSections } from '../../src/backup/export-person.ts';
import { addPerson } from '../support/people.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());

/** The columns of each table that has one with a person: a reference to `people`, or an ID of people or of others. */
const tables = `with columns as (
    select c.oid::int as table_id, relname::text as table, attnum::int as number, attname::text as column,
      relname = 'people' or attname in ('person_id', 'actor_id', 'object_id') or attname ~ '_by$' and atttypid = 'uuid'::regtype
        or exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'f'
          and k.confrelid = 'people'::regclass and a.attnum = any(k.conkey)) as has_person
    from pg_class c join pg_attribute a on a.attrelid = c.oid and attnum > 0 and not attisdropped
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition)
  select table_id, "table", number, "column" from columns
  where "table" in (select "table" from columns where has_person) order by "table", number`;

interface Column {
  readonly table_id: number;
  readonly table: string;
  readonly number: number;
  readonly column: string;
}

const key = 'is how the person is found';
const secret = 'is a secret, its hash, or of use only with it';
const internal = 'says nothing about the person';
const content = 'is content of the organization, whose own export has it';

/** Why columns of these tables are not exported. */
const leftOut: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  attestation_evidence: { [key]: 'linked_by' },
  audit_entries: { 'is exported of entries about the person': 'detail', [internal]: 'previous_hash hash' },
  backup_codes: { [key]: 'person_id', [secret]: 'code_hash' },
  control_attestations: {
    [key]: 'attested_by withdrawn_by',
    [content]: 'applies statement valid_until withdrawal_reason',
  },
  control_notes: { [key]: 'written_by', [content]: 'note' },
  evidence: {
    [key]: 'created_by',
    [content]: 'media_type bytes sha256 scan_id retained_until',
    [secret]: 'master_key_id wrapped_key',
  },
  finding_decisions: { [key]: 'actor_kind actor_id', [content]: 'reason accepted_until severity_rank' },
  finding_edits: { [key]: 'actor_kind actor_id', [internal]: 'id' },
  finding_mentions: { [key]: 'person_id' },
  finding_views: { [key]: 'person_id', [internal]: 'id' },
  idempotent_requests: {
    'is deleted after an hour, and repeats what other tables have':
      'organization_id person_id key_hash request_hash status answer created_at',
  },
  invitations: { [internal]: 'id', [secret]: 'token_hash' },
  known_devices: { [key]: 'person_id', [secret]: 'token_hash' },
  memberships: { [key]: 'person_id' },
  one_time_links: { [key]: 'person_id', [internal]: 'purpose', [secret]: 'token_hash' },
  passkeys: { [key]: 'person_id', [internal]: 'id sign_count', [secret]: 'credential_id public_key' },
  pending_audit_entries: { 'is exported of entries about the person': 'detail', [internal]: 'id' },
  people: { 'is exported as whether there is one': 'password_hash' },
  person_identities: { [key]: 'person_id', [internal]: 'id followed_at' },
  sessions: {
    [key]: 'person_id',
    [internal]: 'id identity_id renewals',
    [secret]: 'token_hash challenge challenge_expires_at',
  },
  shields: { [key]: 'turned_on_by', [content]: 'assess_at outcome' },
  totp_factors: {
    [key]: 'person_id',
    [internal]: 'last_step',
    [secret]: 'master_key_id wrapped_key ciphertext',
  },
  watches: { [key]: 'turned_on_by', [content]: 'every_hours next_scan_at last_scan_id' },
};

it('exports every column of every table that names a person, or is left out for a reason', async () => {
  await asOwner(service.database.connection, async owner => {
    const { rows } = await owner.query<Column>(tables);
    const exported = new Set<string>();
    for (const query of Object.values(personSections)) {
      // PostgreSQL names the table and column of a result that is a column as it is stored.
      const { fields } = await owner.query(query.replaceAll('$1', 'gen_random_uuid()'));
      for (const { tableID, columnID } of fields as pg.FieldDef[]) exported.add(`${tableID} ${columnID}`);
    }
    const missing = rows.filter(({ table_id, number }) => !exported.has(`${table_id} ${number}`));
    const expected = Object.entries(leftOut).flatMap(([table, reasons]) =>
      Object.values(reasons).flatMap(columns => columns.split(' ').map(column => `${table}.${column}`)),
    );
    expect(missing.map(({ table, column }) => `${table}.${column}`).toSorted()).toEqual(expected.toSorted());
    expect(new Set(rows.map(({ table }) => table)).size).toBeGreaterThan(20);
  });
});

it('exports entries that are not in the log yet: those of the person, and details only about the person', async () => {
  const organizationId = await service.createOrganization();
  const [person, other] = [
    await addPerson(service, organizationId, 'admin'),
    await addPerson(service, organizationId, 'owner'),
  ];
  const document = await asOwner(service.database.connection, async owner => {
    for (const [actor, object, detail] of [
      [person.id, organizationId, 'by the person'],
      [other.id, person.id, 'about the person'],
      [other.id, other.id, 'of another'],
    ])
      await owner.query(
        `insert into pending_audit_entries (organization_id, actor_kind, actor_id, action, object_kind, object_id, detail)
          values ($1, 'person', $2, 'test.done', $3, $4, jsonb_build_object('note', $5::text))`,
        [organizationId, actor, object === organizationId ? 'organization' : 'person', object, detail],
      );
    return text(exportPerson(owner, person.id));
  });
  expect(JSON.parse(document).pending_audit_entries).toMatchObject([
    { organization_id: organizationId, actor_id: person.id, object_id: organizationId, detail: null },
    { actor_id: other.id, object_id: person.id, detail: { note: 'about the person' } },
  ]);
  expect(document).not.toContain('of another');
});
