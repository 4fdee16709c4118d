import { once } from 'node:events';
import net from 'node:net';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest';
import { PoolMeter } from '../../src/database/pool-meter.ts';
import { YieldingPool } from '../../src/database/yielding-pool.ts';
import { socketOf } from '../support/database-relay.ts';
import { poll } from '../support/poll.ts';
import { asOwner, createDatabase, type TestDatabase } from '../support/postgres.ts';

let database: TestDatabase;
const pools: YieldingPool[] = [];
beforeAll(async () => {
  database = await createDatabase(inject('postgres'));
  await permit(0);
});
afterEach(async () => {
  await Promise.all(pools.splice(0).map(pool => pool.end()));
  await poll('the end of all connections', async () => (await connected()) === 0);
});
afterAll(async () => {
  const { user } = limited();
  await asOwner(database.connection, owner => owner.query(`drop role if exists ${user}`));
  await database?.drop();
});

const limited = () => ({
  ...database.connection,
  user: `${new URL(database.url).pathname.slice(1)}_limited`,
  password: 'limited',
});

const sql = (text: string) => asOwner(database.connection, async owner => (await owner.query(text)).rows);

/** Lets the role have this many connections. */
async function permit(connections: number): Promise<void> {
  const { user, password } = limited();
  const [role] = await sql(`select from pg_roles where rolname = '${user}'`);
  await sql(
    `${role ? 'alter' : 'create'} role ${user} login password '${password}' connection limit ${connections}`,
  );
}

async function connected(): Promise<number> {
  const [row] = await sql(
    `select count(*)::int as connected from pg_stat_activity where usename = '${limited().user}'`,
  );
  return row.connected;
}

function openPool(max: number, yieldMs?: number) {
  const yields: [number, string][] = [];
  const onYield = (connections: number, { message }: Error) => void yields.push([connections, message]);
  const capacities: number[] = [];
  const onCapacity = (connections: number) => void capacities.push(connections);
  const pool = new YieldingPool(
    { ...limited(), max, connectionTimeoutMillis: 60_000 },
    { onYield, onCapacity, ...(yieldMs === undefined ? {} : { yieldMs }) },
  );
  pool.on('error', () => {});
  pools.push(pool);
  return { pool, yields, capacities };
}

/** Calls that each use a connection until `free` is called. */
function heldCalls(pool: pg.Pool, count: number) {
  const clients: pg.PoolClient[] = [];
  let isFree = false;
  const calls = Array.from({ length: count }, async () => {
    const client = await pool.connect();
    await client.query('select');
    if (isFree) client.release();
    else clients.push(client);
  });
  // They may reject before the test waits for them.
  for (const call of calls) call.catch(() => {});
  const free = () => {
    isFree = true;
    for (const client of clients) client.release();
  };
  return { clients, calls, free };
}

it('manages with the connections that it has, and leaves those that become free to others', async () => {
  await permit(2);
  const { pool, yields, capacities } = openPool(5);
  await pool.query('select');
  const { clients, calls, free } = heldCalls(pool, 8);
  await poll('two calls that have a connection', async () => clients.length === 2 && pool.totalCount === 2);
  expect(capacities.at(-1), 'what calls can count on').toBe(2);
  await permit(10);
  free();
  await Promise.all(calls);
  expect(pool.totalCount).toBe(2);
  expect(yields).toEqual([[expect.any(Number), expect.stringContaining('too many connections for role')]]);
});

it('manages also if only its last connection is refused', async () => {
  await permit(1);
  const { pool, yields } = openPool(2);
  const { clients, calls, free } = heldCalls(pool, 4);
  await poll('a call that has a connection', async () => clients.length === 1 && yields.length === 1);
  free();
  await Promise.all(calls);
});

it('opens more when time has passed', async () => {
  await permit(2);
  const { pool, capacities, yields } = openPool(5, 1);
  await pool.query('select');
  const few = heldCalls(pool, 4);
  await poll('two calls that have a connection', async () => few.clients.length === 2 && yields.length > 0);
  await permit(10);
  few.free();
  await Promise.all(few.calls);
  const many = heldCalls(pool, 5);
  await Promise.all(many.calls);
  expect(many.clients.length).toBe(5);
  many.free();
  expect(Math.min(...capacities), 'what calls can count on').toBeLessThanOrEqual(2);
  expect(capacities.at(-1)).toBe(5);
});

it('gets the one connection that PostgreSQL permits although all that it opens together are refused', async () => {
  await permit(1);
  for (let round = 0; round < 10; round += 1) {
    const { pool, capacities } = openPool(8);
    const settled = await Promise.allSettled(Array.from({ length: 8 }, () => pool.query('select 1 as one')));
    expect(settled.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(pool.totalCount).toBe(1);
    expect(Math.min(...capacities), 'calls that wait for a connection').toBeGreaterThan(0);
    await pool.end();
    pools.splice(0);
    await poll('the end of all connections', async () => (await connected()) === 0);
  }
});

it('rejects if it has none, however many calls wait', async () => {
  await permit(0);
  const { pool, yields } = openPool(3);
  const settled = await Promise.allSettled(Array.from({ length: 20 }, () => pool.query('select')));
  for (const result of settled) {
    expect(result).toMatchObject({ status: 'rejected', reason: { code: '53300' } });
  }
  expect(yields).toEqual([]);
});

it('rejects all calls if its last connection is lost and it gets no other', async () => {
  await permit(1);
  const { pool } = openPool(3);
  const { calls, clients } = heldCalls(pool, 6);
  await poll('a call that has a connection', async () => clients.length === 1);
  await permit(0);
  const [held] = clients;
  held!.on('error', () => {});
  await sql(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${limited().user}'`);
  await poll('the loss', async () => (await connected()) === 0);
  held!.release(new Error('lost'));
  const settled = await Promise.allSettled(calls);
  expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', ...Array(5).fill('rejected')]);
});

it('rejects if the connection that it has given up has not ended', async () => {
  await permit(1);
  // Like a server that vanished: nothing that is sent after the first answer arrives.
  const sockets = new Set<net.Socket>();
  let isGone = false;
  const relay = net.createServer({ allowHalfOpen: true }, client => {
    const isNew = isGone;
    const server = net.connect(socketOf(database.connection));
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from.on('error', () => {}));
      from.on('data', data => (isNew || !isGone) && to.write(data));
    }
    client.on('close', () => server.destroy());
  });
  await once(relay.listen(0, '127.0.0.1'), 'listening');
  const { port } = relay.address() as net.AddressInfo;
  const pool = new YieldingPool(
    { ...limited(), host: '127.0.0.1', port, max: 5, idleTimeoutMillis: 1, connectionTimeoutMillis: 60_000 },
    { onYield: () => {} },
  );
  pool.on('error', () => {});
  await pool.query('select');
  isGone = true;
  await permit(0);
  await poll('the idle connection is given up', async () => pool.totalCount === 0);
  await expect(pool.query('select')).rejects.toMatchObject({ code: '53300' });
  for (const socket of sockets) socket.destroy();
  relay.close();
  await pool.end();
});

it('lets calls count on all connections while PostgreSQL permits them', async () => {
  await permit(10);
  const { pool, capacities } = openPool(5);
  await pool.query('select');
  expect(capacities).toEqual([]);
});

it('is measured once for each call that waits', async () => {
  await permit(1);
  const { pool } = openPool(1);
  const meter = new PoolMeter('test', pool);
  const first = await pool.connect();
  expect(meter.use).toMatchObject({ waits: 1, waiting: 0 });
  const others = [pool.connect().then(client => client.release()), pool.query('select')];
  expect(meter.use).toMatchObject({ used: 1, waiting: 2, waits: 1 });
  first.release();
  await Promise.all(others);
  expect(meter.use).toMatchObject({ waiting: 0, waits: 3, longestWaitSeconds: 0 });
});
