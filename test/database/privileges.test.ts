import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sessionOptions } from '../../src/database/connection.ts';
import { migrate } from '../../src/database/migrate.ts';
import type { Roles } from '../../src/database/roles.ts';
import { sessionSettings } from '../../src/database/session-settings.ts';
import { createFixture, type Fixture } from '../api/routes.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';
import { readPrivileges } from './catalog-privileges.ts';
import { expectedPrivileges } from './expected-privileges.ts';

// The attacker runs any SQL in a session of a service role, bound to the attacker's organization.

let service: TestService;
let roles: Roles;
let mine: Fixture;
let theirs: Fixture;
const sessions: Partial<Record<keyof Roles, pg.Client>> = {};
beforeAll(async () => {
  service = await startService();
  mine = await createFixture(service);
  theirs = await createFixture(service);
  ({ roles } = await migrate(service.database.connection));
  for (const role of ['app', 'system'] as const) sessions[role] = await logIn(role);
});
afterAll(async () => {
  for (const session of Object.values(sessions)) await session.end();
  await service?.close();
});

async function logIn(role: keyof Roles): Promise<pg.Client> {
  const client = new pg.Client(
    sessionOptions({ ...service.database.connection, ...roles[role] }, 'attacker'),
  );
  await client.connect();
  await client.query("select set_config('parapet.organization_id', $1, false)", [mine.organizationId]);
  return client;
}

const attack = (role: keyof Roles, sql: string, values: unknown[] = []) => sessions[role]!.query(sql, values);
const asAdministrator = async (sql: string, values: unknown[] = []) =>
  (await asOwner(service.database.connection, client => client.query(sql, values))).rows;

describe.each(['app', 'system'] as const)('the %s role', role => {
  it('has exactly the documented privileges', async () => {
    const found = await asOwner(service.database.connection, client =>
      readPrivileges(client, roles[role].user),
    );
    expect(found).toEqual(expectedPrivileges[role]);
  });

  it.each([
    ['move an audit head', "update audit_heads set sequence = 1, hash = '\\x00'"],
    ['insert an audit head', `insert into audit_heads values (gen_random_uuid(), 0, '\\x')`],
    [
      'insert a raw audit entry',
      `insert into audit_entries select organization_id, sequence + 100, occurred_at, actor_kind, actor_id, action,
        object_kind, object_id, detail, previous_hash, hash, address from audit_entries`,
    ],
    [
      'insert a pending audit entry',
      `insert into pending_audit_entries (actor_kind, actor_id, action, object_kind, object_id, detail)
        values ('service', 'x', 'a.b', 'o', '1', '{}')`,
    ],
    ['change a pending audit entry', "update pending_audit_entries set actor_id = 'somebody'"],
    ['delete a pending audit entry', 'delete from pending_audit_entries'],
    [
      'choose the time of an audit entry',
      "select chain_audit_entry(gen_random_uuid(), now(), 'service', 'x', 'a.b', 'o', '1', '{}', null)",
    ],
    ['change an audit entry', "update audit_entries set actor_id = 'somebody'"],
    ['delete an audit entry', 'delete from audit_entries'],
    ['empty the audit log', 'truncate audit_entries'],
    ['delete an audit head', 'delete from audit_heads'],
    ['set a data version back', 'update data_versions set version = 0'],
    ['remove a data version', 'delete from data_versions'],
    ['delete a used nonce', 'delete from request_nonces'],
    ['read the passwords of the roles', 'select * from role_logins'],
    ['read the hashes of database passwords', 'select * from pg_authid'],
    ['read files of the server', "select pg_read_file('postgresql.conf')"],
    ['run a program', "copy schema_migrations from program 'id'"],
    ['make a temporary table', 'create temporary table findings (id int)'],
    ['make a temporary view', 'create temporary view organizations_too as select 1'],
    ['make a table', 'create table public.findings_too (id int)'],
    ['make a function', "create function public.now() returns text language sql as 'select 1::text'"],
    ['make a schema', 'create schema attack'],
    ['disable row-level security', 'alter table findings disable row level security'],
    ['drop a policy', 'drop policy tenant on findings'],
    ['disable a trigger', 'alter table audit_entries disable trigger all'],
    ['run without triggers', "set session_replication_role = 'replica'"],
    ['truncate a table', 'truncate findings cascade'],
    ['become the owner', 'set role parapet_owner'],
    ['become a member of another role', `grant pg_read_all_data to current_user`],
    ['make a role', 'create role attacker superuser'],
    ['bypass row-level security', 'alter role current_user bypassrls'],
    ['change the list of queues', 'update pgboss.version set version = 0; delete from pgboss.queue'],
  ])('cannot %s', async (_what, sql) => {
    await expect(attack(role, `begin; ${sql}`)).rejects.toMatchObject({ code: '42501' });
    await attack(role, 'rollback');
  });

  it('cannot shadow a table for functions of the owner, or in its own sessions', async () => {
    const path = await attack(role, 'show search_path');
    expect(path.rows[0].search_path).toBe('public, pg_temp');
    const unpinned = await asAdministrator(
      // A parsed body is bound to what it names.
      `select proname from pg_proc where pronamespace = 'public'::regnamespace and prosqlbody is null
        and coalesce((select option from unnest(proconfig) as option where option ~ '^search_path='), '') !~ 'pg_temp$'`,
    );
    expect(unpinned).toEqual([]);
  });
});

describe('the app role', () => {
  it.each([
    ['jobs', 'select * from pgboss.job'],
    ['password hashes', 'select password_hash from people'],
    ['one-time secrets', 'select * from totp_factors'],
    ['sessions', 'select * from sessions'],
    ['passkeys', 'select * from passkeys'],
    ['backup codes', 'select * from backup_codes'],
    ['links that open an account', 'select * from one_time_links'],
    ['invitations', 'select * from invitations'],
    ["keys' token hashes", 'select token_hash from api_keys'],
    ['used nonces', 'select * from request_nonces'],
    ['data versions', 'select * from data_versions'],
  ])('cannot read %s', async (_what, sql) => {
    await expect(attack('app', sql)).rejects.toMatchObject({ code: '42501' });
  });

  it('gets no row of another organization without naming it', async () => {
    for (const table of Object.keys(expectedPrivileges.app).filter(name => /^public\.[a-z_]+$/.test(name))) {
      if (/organizations|people|person_preferences|backups/.test(table)) continue;
      const { rows } = await attack(
        'app',
        `select count(*)::int as others from ${table} where organization_id <> $1`,
        [mine.organizationId],
      );
      expect(rows, table).toEqual([{ others: 0 }]);
    }
  });

  it('sees preferences of members only', async () => {
    const [own, other] = await asAdministrator(
      `insert into people (email, name) values ('own@example.org', 'A'), ('other@example.org', 'B') returning id`,
    );
    await asAdministrator(
      `insert into memberships (organization_id, person_id, role) values ($1, $2, 'member'), ($3, $4, 'member')`,
      [mine.organizationId, own.id, theirs.organizationId, other.id],
    );
    await asAdministrator('insert into person_preferences (person_id) values ($1), ($2)', [own.id, other.id]);
    const { rows } = await attack('app', 'select person_id from person_preferences');
    expect(rows).toEqual([{ person_id: own.id }]);
  });

  it('sends jobs of its own organization only', async () => {
    const send = (organizationId: string | null) =>
      attack('app', 'select send_jobs($1, $2)', [
        'scan-plan',
        JSON.stringify(
          [mine.organizationId, organizationId].map(id => ({ organizationId: id, scanId: randomUUID() })),
        ),
      ]);
    expect((await send(mine.organizationId)).rowCount).toBe(2);
    await expect(send(theirs.organizationId)).rejects.toMatchObject({ code: '42501' });
    await expect(send(null)).rejects.toMatchObject({ code: '42501' });
    // With a repeated member, the last one counts, here and in the worker.
    const twice = `[{"organizationId":"${mine.organizationId}","organizationId":"${theirs.organizationId}"}]`;
    await expect(attack('app', 'select send_jobs($1, $2)', ['scan-plan', twice])).rejects.toMatchObject({
      code: '42501',
    });
    await expect(
      attack('app', 'select send_jobs($1, $2)', [
        'other-queue',
        `[{"organizationId":"${mine.organizationId}"}]`,
      ]),
    ).rejects.toThrow(/case not found/);
    await attack('app', "select set_config('parapet.organization_id', '', false)");
    await expect(send(mine.organizationId)).rejects.toMatchObject({ code: '42501' });
    await expect(send(null)).rejects.toMatchObject({ code: '42501' });
    await attack('app', "select set_config('parapet.organization_id', $1, false)", [mine.organizationId]);
  });

  it('sends the same job as pg-boss', async () => {
    const [job] = await asAdministrator(
      `select j.state, j.data, j.priority, j.retry_limit = q.retry_limit and j.retry_delay = q.retry_delay
          and j.retry_backoff = q.retry_backoff and j.retry_delay_max = q.retry_delay_max
          and j.expire_seconds = q.expire_seconds and j.deletion_seconds = q.deletion_seconds
          and j.heartbeat_seconds = q.heartbeat_seconds and j.dead_letter = q.dead_letter and j.policy = q.policy as as_queued
        from pgboss.job j join pgboss.queue q using (name) where data ->> 'organizationId' = $1 limit 1`,
      [mine.organizationId],
    );
    expect(job).toEqual({
      state: 'created',
      data: { organizationId: mine.organizationId, scanId: expect.any(String), sourceId: expect.any(String) },
      priority: 0,
      as_queued: true,
    });
  });

  it('appends to the audit chain of its transaction’s organization, and advances versions of what it changed', async () => {
    const version = async () =>
      (
        await asAdministrator(
          "select version::float from data_versions where organization_id = $1 and subject = 'systems'",
          [mine.organizationId],
        )
      )[0].version as number;
    const before = await version();
    await attack('app', 'begin');
    await attack('app', "update systems set name = 'changed'");
    await attack(
      'app',
      "select record_audit('service', 'x', 'a.b', 'o', '1', '{}', null), advance_data_version()",
    );
    await attack('app', 'commit');
    expect(await version()).toBeGreaterThan(before);
    expect(await service.storage.system.brokenAuditChains()).toEqual([]);
  });

  it('has a password and settings that the next start resets', async () => {
    const database = service.database.connection.database!;
    const user = pg.escapeIdentifier(roles.app.user);
    await attack('app', `alter role ${user} password 'taken'`);
    await attack('app', `alter role ${user} set synchronous_commit = off`);
    await attack('app', `alter role ${user} in database ${database} set search_path = pg_temp`);
    await migrate(service.database.connection);
    await (await logIn('app')).end();
    const settings = await asAdministrator(
      'select setconfig from pg_db_role_setting s join pg_roles r on r.oid = s.setrole where rolname = $1',
      [roles.app.user],
    );
    const own = Object.entries(sessionSettings).map(([name, value]) => `${name}=${value}`);
    expect(settings).toEqual([{ setconfig: own }]);
  });
});

describe('the audit log', () => {
  it.each([
    ['changing an entry', "update audit_entries set actor_id = 'somebody'"],
    ['deleting an entry', 'delete from audit_entries where sequence = 1'],
    ['truncating it', 'truncate audit_entries'],
    ['truncating pending entries', 'truncate pending_audit_entries'],
    ['deleting a head', 'delete from audit_heads'],
    ['truncating the heads', 'truncate audit_heads'],
    ['moving a head back', 'update audit_heads set sequence = sequence - 1'],
    ['changing a head in place', "update audit_heads set hash = '\\x00'"],
  ])('refuses %s even to the owner of the tables', async (_what, sql) => {
    await expect(asAdministrator(sql)).rejects.toThrow(/append-only/);
  });
});
