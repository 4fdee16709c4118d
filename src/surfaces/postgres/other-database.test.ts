import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DatabaseServer, startPostgresServer } from '../../../test/support/postgres-server.ts';
import { inspectionFrom, resolvedBy } from '../../../test/support/resolved-by.ts';
import { authority, scanPostgres } from '../../../test/support/scan-postgres.ts';

let server: DatabaseServer;
beforeAll(async () => {
  const leaf = authority.issue({ covers: ['127.0.0.1'] });
  server = await startPostgresServer(leaf, ["alter role admin password 'x'"], {
    fill: async client => {
      await client.query('grant create on schema public to public');
      await client.query('create role builder createdb login connection limit 1');
      await client.query('create database other');
    },
  });
});
afterAll(() => server?.close());

const scan = async (path: string) =>
  inspectionFrom((await scanPostgres(server.port, 'admin:x', path)).capture, 'postgres');

async function fix(statements: string, database = 'postgres'): Promise<void> {
  const login = { host: '127.0.0.1', port: server.port, user: 'admin', password: 'x', database };
  const client = new pg.Client(login);
  await client.connect();
  await client.query(statements).finally(() => client.end());
}

it('resolves no finding of a database by scanning another one of the server', async () => {
  const before = await scan('postgres');
  const seenOn = (check: string) =>
    before.seen.filter(({ category }) => category === check).map(({ subject }) => subject);
  expect(seenOn('postgres.public_schema_create')).toEqual(['postgres']);
  expect(seenOn('postgres.extra_createdb'), 'a finding of the server').toEqual([null]);
  expect(resolvedBy(before, await scan('other'))).not.toContain('postgres.public_schema_create');
  await fix('revoke create on schema public from public; alter role builder nocreatedb');
  const elsewhere = resolvedBy(before, await scan('other'));
  expect(elsewhere).toContain('postgres.extra_createdb');
  expect(elsewhere).not.toContain('postgres.public_schema_create');
  expect(resolvedBy(before, await scan('postgres'))).toContain('postgres.public_schema_create');
});

it('assesses what an API serves only in the database that names its schemas', async () => {
  const table = 'create table public.notes (id int); grant select on public.notes to anon';
  await fix(`create role anon; ${table}; alter database postgres set pgrst.db_schemas = 'public'`);
  await fix(table, 'other');
  const of = async (database: string) => {
    const { observations, notAssessed } = await scanPostgres(server.port, 'admin:x', database);
    return {
      found: observations.map(({ check, locator }) => `${check} ${locator}`),
      notAssessed: notAssessed.filter(({ inapplicable }) => !inapplicable).map(({ check }) => check),
    };
  };
  const served = await of('postgres');
  expect(served.found).toContain('postgres.rls_disabled table public.notes');
  expect(served.notAssessed).not.toContain('postgres.rls_disabled');
  // Its roles are those of the whole server.
  const other = await of('other');
  expect(other.found.filter(found => found.startsWith('postgres.rls_disabled'))).toEqual([]);
  expect(other.notAssessed).toContain('postgres.rls_disabled');
  expect(served.found).toContain('postgres.other_databases other databases');
});
