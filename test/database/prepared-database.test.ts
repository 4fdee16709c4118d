import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import type { ConnectionSettings } from '../../src/database/connection.ts';
import { migrate } from '../../src/database/migrate.ts';
import { asOwner, createDatabase, type TestDatabase } from '../support/postgres.ts';

/** As a node of several, which must not change the database. */
const instead = 'do something else';

let database: TestDatabase;
let owner: ConnectionSettings;
let node: ConnectionSettings;
const sql = (text: string) => asOwner(database.connection, client => client.query(text));

beforeEach(async () => {
  database = await createDatabase(inject('postgres'));
  const { database: name } = database.connection;
  const role = (kind: string) => ({
    ...database.connection,
    user: `${name}_${kind}`,
    password: 'a password',
  });
  [owner, node] = [role('owner'), role('node')];
  await sql(`create role ${owner.user} login createrole password 'a password';
    create role ${node.user} login password 'a password'; alter database ${name} owner to ${owner.user}`);
});
afterEach(async () => {
  await database.drop();
  await asOwner(inject('postgres'), client => client.query(`drop role ${owner.user}, ${node.user}`));
});

describe('a node whose role may create no roles', () => {
  it('starts with the logins of a database that its owner has prepared', async () => {
    const { roles } = await migrate(owner, { nodeRole: node.user });
    await expect(migrate(node)).resolves.toEqual({ roles, applied: [] });
  });

  it('says what prepares a database', async () => {
    await expect(migrate(node)).rejects.toThrow(
      'The database has no Parapet installation: run parapet migrate, with DATABASE_DIRECT_URL of a role that owns the database and may create roles',
    );
    await migrate(owner);
    await expect(migrate(node)).rejects.toThrow(
      /^The role of DATABASE_URL may not read .*: run parapet migrate/,
    );
    await migrate(owner, { nodeRole: node.user });
    await sql("update releases set version = '0.0.1'");
    await expect(migrate(node)).rejects.toThrow(
      /^The database is not prepared for release .*: run parapet migrate/,
    );
    await sql('delete from schema_migrations where version >= 54');
    await expect(migrate(node)).rejects.toThrow(
      /^This release changes the database \(0054_several_processes\)/,
    );
  });

  it('may do nothing else', async () => {
    await migrate(owner, { nodeRole: node.user });
    const attempt = (text: string) => asOwner(node, client => client.query(text));
    await expect(attempt('select from organizations')).rejects.toThrow(/permission denied/);
    await expect(attempt("update role_logins set password = 'x'")).rejects.toThrow(/permission denied/);
    await expect(attempt('create table x ()')).rejects.toThrow(/permission denied/);
  });

  it('does not start if a role has changed its settings', async () => {
    const { roles } = await migrate(owner, { nodeRole: node.user });
    const asApp = { ...database.connection, ...roles.app };
    const change = (text: string) => asOwner(asApp, client => client.query(text));
    await change(`alter role ${roles.app.user} in database ${node.database} set statement_timeout = 0`);
    await expect(migrate(node)).rejects.toThrow(
      /_app has other settings \(statement_timeout\) than Parapet gave it/,
    );
    await migrate(owner);
    await change(`alter role ${roles.app.user} set application_name = 'x'`);
    await expect(migrate(node)).rejects.toThrow(/_app has other settings \(application_name\)/);
  });

  it('is refused for a role that does not exist', async () => {
    await expect(migrate(owner, { nodeRole: 'no such role' })).rejects.toThrow(
      'DATABASE_URL names the role no such role, which PostgreSQL does not have',
    );
  });
});

describe('a migration', () => {
  it('has no effect if it does not end, on the job queue either', async () => {
    await expect(migrate(owner, { nodeRole: 'no such role' })).rejects.toThrow();
    const { rows } = await sql(
      "select to_regclass('organizations') as ours, to_regnamespace('pgboss') as jobs",
    );
    expect(rows).toEqual([{ ours: null, jobs: null }]);
  });

  it('reports that it waits for another node', async () => {
    const waits: string[] = [];
    await asOwner(database.connection, async client => {
      await client.query('begin; select pg_advisory_xact_lock(1347571796)');
      await new Promise<void>(resolve => {
        const onWait = () => {
          waits.push('another');
          resolve();
        };
        void migrate(owner, { onWait });
      });
      await client.query('commit');
    });
    expect(waits).toEqual(['another']);
    await migrate(owner);
  });

  it('leaves the verifiers of the passwords as they are, which poolers may have cached', async () => {
    const stored = async () =>
      (
        await sql(
          `select rolname, rolpassword from pg_authid where rolname like '${node.database}_%' order by 1`,
        )
      ).rows;
    await migrate(owner);
    const before = await stored();
    await migrate(owner);
    expect(await stored()).toEqual(before);
  });

  it('is left to another process if this one may not change the database', async () => {
    await expect(migrate(owner, { instead })).rejects.toThrow(
      'The database has no Parapet installation: do something else',
    );
    const { roles } = await migrate(owner);
    await expect(migrate(owner, { instead })).resolves.toEqual({ roles, applied: [] });
  });
});
