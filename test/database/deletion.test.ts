import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { deleteOrganization } from '../../src/backup/delete-organization.ts';
import { exportedTables, leftOutTables } from '../../src/backup/exported-tables.ts';
import { sessionOptions } from '../../src/database/connection.ts';
import { connectionFromUrl } from '../../src/database/connection-url.ts';
import { migrate } from '../../src/database/migrate.ts';
import type { Roles } from '../../src/database/roles.ts';
import { withOwner } from '../../src/database/with-owner.ts';
import { givenKeyRing } from '../../src/resources/credentials/key-ring.ts';
import { parseMasterKey } from '../../src/resources/credentials/master-key.ts';
import { storeEvidence } from '../../src/resources/evidence/evidence.ts';
import { closeOrganization, stopScans } from '../../src/resources/organizations/close-organization.ts';
import { createAccount } from '../../src/resources/people/accounts.ts';
import { addMember } from '../../src/resources/people/memberships.ts';
import { requestScan } from '../../src/resources/scans/request-scan.ts';
import { acceptRisk, authorizeScan, createSource } from '../../src/resources/sources/sources.ts';
import { turnWatchOn } from '../../src/resources/sources/watches.ts';
import { Storage } from '../../src/resources/storage.ts';
import { createSystem } from '../../src/resources/systems/systems.ts';
import { eventRow, storeEvents } from '../support/events.ts';
import { findOutsidePostgres, startOutsidePostgres } from '../support/outside-postgres.ts';
import { poll } from '../support/poll.ts';
import { createDatabase, urlOf } from '../support/postgres.ts';

const operator = { kind: 'operator', id: 'test' } as const;
const scanning = { privilegedConnections: true };
// An owner that is not a superuser, whom row-level security restricts, if there is a PostgreSQL to start with one.
const outside = await findOutsidePostgres();

let url: string;
let roles: Roles;
let storage: Storage;
let close: () => Promise<unknown>;
let gone: Filled;
let kept: Filled;
beforeAll(async () => {
  if (outside) ({ url, close } = await startOutsidePostgres(outside));
  else {
    const database = await createDatabase(inject('postgres'));
    [url, close] = [urlOf(database.connection), () => database.drop()];
  }
  const connection = connectionFromUrl(url);
  ({ roles } = await migrate(connection));
  const keyRing = givenKeyRing(parseMasterKey(randomBytes(32).toString('base64')));
  storage = new Storage({ connection, roles, keyRing, works: false, onError: () => {} });
  await storage.start();
  [gone, kept] = [await fill(), await fill()];
  await asOwner(owner => closeOrganization(owner, gone.id, operator));
});
afterAll(async () => {
  await storage?.close(0);
  await close?.();
});

interface Filled {
  readonly id: string;
  readonly personId: string;
  readonly sourceId: string;
  readonly scanId: string;
}

const asOwner = <T>(work: (owner: pg.ClientBase) => Promise<T>) =>
  withOwner(connectionFromUrl(url), 'test', work);

/** An organization with several rows in each of the tables that are deleted in the order of a key. */
async function fill(): Promise<Filled> {
  const { id } = await storage.system.createOrganization('Org', operator);
  const personId = await storage.people.transaction(async transaction => {
    const email = `${id}@example.org`;
    const person = (await createAccount(transaction, {
      email,
      name: 'P',
      passwordHash: null,
      invitedBy: id,
    }))!;
    await addMember(transaction, id, person, 'owner');
    return person;
  });
  const store = storage.tenant(id, { kind: 'person', id: personId });
  const { sourceId, systemId } = await store.transaction(async transaction => {
    const system = await createSystem(transaction, { name: 'S', environment: 'test', kind: 'site' });
    await createSystem(transaction, { name: 'T', environment: 'test', kind: 'site' });
    const source = await createSource(transaction, {
      ...{ system_id: system.id, name: 'W', kind: 'website', host: 'shop.example' },
    });
    await acceptRisk(transaction, source.id, '1');
    await authorizeScan(transaction, source.id);
    await turnWatchOn(transaction, source.id, 24, scanning);
    await transaction.query({
      text: `insert into findings (system_id, source_id, category, fingerprint, locator, severity, title, remediation, seen, hipaa,
          triage, accepted_until)
        select $1, $2, 'c' || n, 'f' || n, 'l', 'high', 't', 'r', 's', true, 'accepted', now() from generate_series(1, 3) as n`,
      values: [system.id, source.id],
    });
    await transaction.query({
      text: `insert into source_changes (source_id, event_id, place, occurred_at, area, name, change)
        select $1, gen_random_uuid(), n, now(), 'a', 'n', 'c' from generate_series(1, 3) as n`,
      values: [source.id],
    });
    await transaction.query({
      text: `insert into shield_hours (source_id, hour, attack, blocked, detected)
        select $1, date_trunc('hour', now()) - n * interval '1 hour', 'sqli', 1, 1 from generate_series(1, 3) as n`,
      values: [source.id],
    });
    const file = { kind: 'file', name: 'f', mediaType: 'text/plain', content: randomBytes(600_000) } as const;
    const evidence = await storeEvidence(transaction, storage.keyRing, file);
    const [attested] = await transaction.query<{ id: string }>({
      text: `insert into control_attestations (control, statement, attested_by, valid_until)
        values ('c', 's', $1, now() + interval '1 year') returning id`,
      values: [personId],
    });
    await transaction.query({
      text: 'insert into attestation_evidence (attestation_id, evidence_id, linked_by) values ($1, $2, $3)',
      values: [attested!.id, evidence.id, personId],
    });
    await transaction.query({
      text: `insert into control_notes (control, note, written_by) values ('c', 'n', $1), ('c', 'o', $1)`,
      values: [personId],
    });
    return { systemId: system.id, sourceId: source.id };
  });
  const { scan } = await store.transaction(transaction =>
    requestScan(transaction, { source_id: sourceId, idempotency_key: 'k' }, scanning),
  );
  await storeEvents(
    storage.events,
    { organizationId: id, systemId },
    [1, 2, 3].map(() => eventRow()),
  );
  await storage.sweep();
  await storeEvents(
    storage.events,
    { organizationId: id, systemId },
    [1, 2, 3].map(() => eventRow({ isPosture: true })),
  );
  return { id, personId, sourceId, scanId: scan.id };
}

/** Rows by table. */
function rowsOf(id: string): Promise<Record<string, number>> {
  return asOwner(async owner => {
    const counts: Record<string, number> = {};
    for (const table of [...Object.keys(exportedTables), ...Object.keys(leftOutTables)]) {
      const { rows } = await owner.query(
        `select count(*)::int as n from ${table} where organization_id = $1`,
        [id],
      );
      counts[table] = rows[0].n;
    }
    return counts;
  });
}

it('decides about every column of every table with rows of organizations', async () => {
  const { rows } = await asOwner(owner =>
    owner.query<{ name: string; columns: string[] }>(
      `select relname as name, array_agg(attname::text order by attname) as columns
        from pg_class c join pg_attribute a on a.attrelid = c.oid and attnum > 0 and not attisdropped
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
          and exists (select from pg_attribute o where o.attrelid = c.oid and o.attname = 'organization_id')
        group by 1 order by 1`,
    ),
  );
  const decided = (name: string) => {
    const { columns, leftOut } = exportedTables[name] ?? { columns: [], leftOut: [] };
    return [...columns, ...leftOut].sort();
  };
  expect(rows.map(({ name }) => name)).toEqual(
    [...Object.keys(exportedTables), ...Object.keys(leftOutTables)].sort(),
  );
  for (const { name, columns } of rows.filter(({ name }) => name in exportedTables)) {
    expect(decided(name), name).toEqual([...columns].sort());
  }
  const secret = /token_hash|wrapped_key|ciphertext|password|master_key/;
  expect(
    Object.values(exportedTables).flatMap(({ columns }) => columns.filter(name => secret.test(name))),
  ).toEqual([]);
});

describe('records that are kept', () => {
  const protectedTables = [
    'audit_entries',
    'audit_heads',
    'control_notes',
    'control_attestations',
    'attestation_evidence',
    'evidence',
    'evidence_pieces',
  ];

  it.each(protectedTables)(
    'can be deleted by the owner in an organization that is deleted alone: %s',
    async table => {
      await asOwner(async owner => {
        const remove = async (id: string) => {
          await owner.query('begin');
          await owner.query(`select set_config('parapet.organization_id', $1, true)`, [id]);
          try {
            return (await owner.query(`delete from ${table} where organization_id = $1`, [id])).rowCount;
          } finally {
            await owner.query('rollback');
          }
        };
        await expect(remove(kept.id)).rejects.toMatchObject({ code: '23514' });
        // Others refer to these: the trigger has let them through.
        const isReferred = ['control_attestations'].includes(table);
        if (isReferred) await expect(remove(gone.id)).rejects.toMatchObject({ code: '23503' });
        else expect(await remove(gone.id)).toBeGreaterThan(0);
      });
    },
  );

  it.each(['app', 'system'] as const)(
    'cannot be deleted by the %s role, even with the privilege',
    async role => {
      const user = pg.escapeIdentifier(roles[role].user);
      const grants = `grant select, delete on ${protectedTables.join(', ')} to ${user};
      grant execute on function may_erase to ${user}`;
      await asOwner(owner => owner.query(grants));
      const client = new pg.Client(sessionOptions({ ...connectionFromUrl(url), ...roles[role] }, 'attacker'));
      await client.connect();
      try {
        await client.query(`select set_config('parapet.organization_id', $1, false)`, [gone.id]);
        for (const table of protectedTables) {
          await expect(client.query(`delete from ${table}`), table).rejects.toMatchObject({ code: '23514' });
        }
        const mark = 'update organizations set deleted_at = now(), erasing_since = now()';
        await expect(client.query(mark)).rejects.toMatchObject({ code: '42501' });
      } finally {
        await client.end();
      }
    },
  );
});

it('finds nothing that is due in a closed organization, and starts no scan in it', async () => {
  const { system } = storage;
  await asOwner(async owner => {
    for (const { id } of [gone, kept]) {
      await owner.query('begin');
      await owner.query(`select set_config('parapet.organization_id', $1, true)`, [id]);
      await owner.query(`update watches set next_scan_at = now()`);
      await owner.query('commit');
    }
  });
  const due = await Promise.all([
    system.due.watches(9),
    system.due.acceptances(9),
    system.due.pendingEvents(9),
  ]);
  for (const items of due) {
    expect(items.length).toBeGreaterThan(0);
    expect(items.filter(({ organizationId }) => organizationId !== kept.id)).toEqual([]);
  }
  const store = storage.tenant(gone.id, { kind: 'service', id: 'worker' });
  const request = { source_id: gone.sourceId, idempotency_key: 'late' };
  await expect(
    store.transaction(transaction => requestScan(transaction, request, scanning)),
  ).rejects.toMatchObject({ code: '42501' });
  const scan = () => store.queryOnce<{ status: string }>({ text: 'select status from scans' });
  expect(await scan()).toContainEqual({ status: 'queued' });
  await stopScans(store);
  expect(new Set((await scan()).map(({ status }) => status))).toEqual(new Set(['canceled']));
  expect(
    await asOwner(owner => closeOrganization(owner, gone.id, operator)),
    'a second time',
  ).toBeUndefined();
});

it('deletes every row in batches of one, and none of another organization', async () => {
  const before = await rowsOf(kept.id);
  expect(before).toMatchObject({
    events: 6,
    findings: 3,
    source_changes: 3,
    shield_hours: 3,
    evidence_pieces: 3,
  });
  const deleted = await asOwner(async other => {
    await other.query('select pg_advisory_lock(1162170448)');
    const deletion = asOwner(owner => deleteOrganization(owner, gone.id, undefined, () => 1));
    await poll('the end waits for the sweep of events', async () => {
      const waiting = `select from pg_locks where locktype = 'advisory' and not granted and objid = 1162170448::oid`;
      return (await other.query(waiting)).rowCount === 1;
    });
    // The guard admits requests of all organizations together, and would wait for its lock.
    const guard = 'select pg_try_advisory_xact_lock(1346982465, hashtext($1::text)) as free';
    expect((await other.query(guard, [gone.id])).rows).toEqual([{ free: true }]);
    await other.query('select pg_advisory_unlock(1162170448)');
    return deletion;
  });
  expect(deleted).toMatchObject({
    events: 6,
    findings: 3,
    source_changes: 3,
    shield_hours: 3,
    evidence_pieces: 3,
  });
  expect(await rowsOf(gone.id)).toEqual(Object.fromEntries(Object.keys(before).map(name => [name, 0])));
  expect(await rowsOf(kept.id)).toEqual(before);
  const rest = await asOwner(async owner => {
    const { rows } = await owner.query(
      `select (select count(*)::int from organizations) as organizations,
        (select count(*)::int from pgboss.job where data ->> 'organizationId' = $1) as jobs,
        (select invited_by from people where id = $2) as "invitedBy"`,
      [gone.id, gone.personId],
    );
    return rows[0];
  });
  expect(rest).toEqual({ organizations: 1, jobs: 0, invitedBy: null });
  expect(await storage.system.brokenAuditChains()).toEqual([]);
  const again = asOwner(owner => deleteOrganization(owner, gone.id));
  await expect(again, 'by two commands at once').rejects.toThrow(
    'Another command has deleted the organization',
  );
});
