import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPool } from '../../src/database/connection.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());

/** Like a restart of the server. */
const endConnections = (condition: string) =>
  asOwner(service.database.connection, client =>
    client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and ${condition}`,
    ),
  );

it('survives the loss of a connection between two statements of a transaction', async () => {
  const pool = openPool(service.database.connection, 'lost', 2);
  const client = await pool.connect();
  await client.query('begin');
  const ended = new Promise(resolve => client.once('end', resolve));
  await endConnections("application_name = 'lost'");
  await ended;
  await expect(client.query('commit')).rejects.toThrow();
  client.release();
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await pool.end();
});

it('rejects a transaction whose connection is lost during other work, and the next one works', async () => {
  const organization = await service.createOrganization();
  const store = service.storage.tenant(organization, { kind: 'service', id: 'test' });
  const lost = store.transaction(async session => {
    await session.query({ text: 'select 1' });
    await endConnections('true');
    await session.query({ text: 'select 1' });
  });
  await expect(lost).rejects.toThrow();
  expect(await store.transaction(session => session.query({ text: 'select 1 as one' }))).toEqual([
    { one: 1 },
  ]);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
});
