import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { openPool } from '../../src/database/connection.ts';
import { migrate } from '../../src/database/migrate.ts';
import { DatabaseUnavailable, Outages } from '../../src/database/outages.ts';
import { SharedConnections } from '../../src/database/shared-connections.ts';
import { whileReadsWait } from '../support/held-lock.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let organizations: string[];
beforeAll(async () => {
  service = await startService();
  organizations = [await service.createOrganization(), await service.createOrganization()];
});
afterAll(() => service?.close());

let pool: pg.Pool;
let outages: Outages;
let shared: SharedConnections;
/** The latest connection, and how many were opened. */
let connection: pg.PoolClient | undefined;
let connections: number;
beforeEach(async () => {
  const { roles } = await migrate(service.database.connection);
  outages = new Outages(async () => {}, { began() {}, ended() {} });
  pool = outages.watch(openPool({ ...service.database.connection, ...roles.app }, 'shared', 1));
  connections = 0;
  pool.on('connect', client => {
    connection = client;
    connections += 1;
  });
  shared = new SharedConnections(pool, outages);
});
afterEach(async () => {
  await shared.close();
  outages.close();
});

const visible = { text: 'select id from organizations' };

it('shows each statement only its organization, on one connection, whatever the statements before it', async () => {
  const send = (index: number) => {
    const organization = organizations[index % 2]!;
    const named = {
      name: `visible-${index % 3}`,
      text: `${visible.text} where id <> $1 or ${index % 3} > -1`,
    };
    const query = index % 5 === 0 ? visible : { ...named, values: ['00000000-0000-0000-0000-000000000000'] };
    return shared.query<{ id: string }>(organization, query).then(rows => [organization, rows]);
  };
  for (let round = 0; round < 6; round += 1) {
    const answers = await Promise.all(Array.from({ length: 16 }, (_, index) => send(index)));
    for (const [organization, rows] of answers) expect(rows).toEqual([{ id: organization }]);
  }
  expect((await connection!.query(visible)).rows, 'after them').toEqual([]);
});

it('rejects a statement that fails, and answers those around it', async () => {
  const [one, other] = organizations as [string, string];
  const failing = { name: 'divide', text: 'select 1 / $1::int as one', values: [0] };
  const outcomes = await Promise.allSettled([
    shared.query(one, visible),
    shared.query(one, failing),
    shared.query(other, visible),
    shared.query(one, { name: 'absent', text: 'select id from absent' }),
    shared.query(other, { ...failing, values: [1] }),
    shared.query(one, visible),
  ]);
  expect(outcomes).toMatchObject([
    { value: [{ id: one }] },
    { reason: { code: '22012' } },
    { value: [{ id: other }] },
    { reason: { code: '42P01' } },
    { value: [{ one: 1 }] },
    { value: [{ id: one }] },
  ]);
  // What could not be prepared is prepared the next time.
  await asOwner(service.database.connection, client =>
    client.query('create view absent as select id from organizations; grant select on absent to public'),
  );
  await expect(shared.query(one, { name: 'absent', text: 'select id from absent' })).resolves.toHaveLength(2);
  expect(connections, 'all on one connection').toBe(1);
});

it('rejects statements whose connection is lost, and opens another', async () => {
  const [one] = organizations as [string];
  await shared.query(one, visible);
  const { rows } = await connection!.query<{ pid: number }>('select pg_backend_pid() as pid');
  const waiting = Promise.allSettled(
    [{ text: 'select pg_sleep(60)' }, visible].map(query => shared.query(one, query)),
  );
  await asOwner(service.database.connection, client =>
    client.query('select pg_terminate_backend($1)', [rows[0]!.pid]),
  );
  for (const { reason } of (await waiting) as PromiseRejectedResult[]) {
    expect(reason).toBeInstanceOf(DatabaseUnavailable);
  }
  expect(await shared.query(one, visible)).toEqual([{ id: one }]);
  expect(connections).toBe(2);
});

it('opens another connection after one that could not be prepared', async () => {
  const [one] = organizations as [string];
  pool.once('connect', client => void client.query('prepare "bind-organization" as select 1'));
  await expect(shared.query(one, visible)).rejects.toMatchObject({ code: '42P05' });
  expect(await shared.query(one, visible)).toEqual([{ id: one }]);
  expect(connections).toBe(2);
});

it('waits for pending statements when it is closed', async () => {
  const [one] = organizations as [string];
  const pending = shared.query(one, { text: "select 'done' as state from pg_sleep(0.2)" });
  await shared.close();
  expect(await pending).toEqual([{ state: 'done' }]);
});

it('cancels statements of one name together, if the first could not be prepared in time', async () => {
  const [one, other] = organizations as [string, string];
  const locked = { name: 'locked', text: 'select id from findings' };
  const outcomes = await whileReadsWait(service.database.connection, 'findings', () =>
    Promise.allSettled([one, other, one, other].map(organization => shared.query(organization, locked))),
  );
  expect(outcomes).toEqual(Array.from({ length: 4 }, () => ({ status: 'fulfilled', value: undefined })));
  expect(await Promise.all([one, other].map(organization => shared.query(organization, locked)))).toEqual([
    [],
    [],
  ]);
  expect(connections).toBe(1);
});

it('cancels a statement that takes long, and answers those around it', async () => {
  const [one, other] = organizations as [string, string];
  const outcomes = await Promise.all([
    shared.query(one, { text: 'select pg_sleep(60)' }),
    shared.query(other, visible),
  ]);
  expect(outcomes).toEqual([undefined, [{ id: other }]]);
  expect(connections).toBe(1);
});

it('takes eight statements of one organization at a time', async () => {
  const [one, other] = organizations as [string, string];
  const many = await Promise.all([
    ...Array.from({ length: 20 }, () => shared.query(one, visible)),
    shared.query(other, visible),
  ]);
  expect(many.filter(rows => rows === undefined)).toHaveLength(12);
  expect(many.at(-1)).toEqual([{ id: other }]);
});

it('limits the time of its statements only, behind a pooler too', async () => {
  const [one] = organizations as [string];
  const setting = { text: "select current_setting('statement_timeout') as limit" };
  expect(await shared.query(one, setting)).toEqual([{ limit: '1s' }]);
  expect((await connection!.query(setting)).rows).toEqual([{ limit: '30s' }]);
});

it('reads with a connection of the organization what takes long', async () => {
  const [one] = organizations as [string];
  const store = service.storage.tenant(one, { kind: 'service', id: 'test' });
  const slow = { text: "select 'read' as state from pg_sleep(1.5)" };
  expect(await store.queryShared(slow)).toEqual([{ state: 'read' }]);
});
