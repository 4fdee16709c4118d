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

async function fix(statements: string): Promise<void> {
  const login = { host: '127.0.0.1', port: server.port, user: 'admin', password: 'x', database: 'postgres' };
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
