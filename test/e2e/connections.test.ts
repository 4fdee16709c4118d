import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { leastConnections } from '../../src/resources/pool-sizes.ts';
import { operate, parapet } from '../support/parapet-process.ts';
import { asOwner, createDatabase, type TestDatabase } from '../support/postgres.ts';
import { ServingProcess } from '../support/serving-process.ts';
import { type ClientKey, call } from '../support/signing-client.ts';

let database: TestDatabase;
let env: Record<string, string>;
let service: ServingProcess;
let keys: ClientKey[];
beforeAll(async () => {
  database = await createDatabase(inject('postgres'));
  env = {
    DATABASE_URL: database.url,
    PARAPET_MASTER_KEY: randomBytes(32).toString('base64'),
    PARAPET_DATABASE_CONNECTIONS: String(leastConnections),
    PARAPET_MANAGEMENT_PORT: 'off',
    PARAPET_PROCESSES: '1',
  };
  service = await ServingProcess.serve(env);
  const { id } = await operate(env, 'organizations', 'create', '--name', 'Crowded');
  keys = await Promise.all([1, 2, 3].map(() => operate(env, 'keys', 'mint', '--organization', id)));
});
afterAll(async () => {
  await service?.kill('SIGTERM');
  await database?.drop();
});

const sql = (text: string) => asOwner(database.connection, async owner => (await owner.query(text)).rows);

const connected = async () => {
  const [row] = await sql(
    `select count(*)::int as connections from pg_stat_activity
      where datname = current_database() and application_name like 'parapet%'`,
  );
  return row.connections as number;
};

/** Of requests that are sent at once; each key may send 60 a minute. */
const answersOf = async (count: number) => {
  const requests = Array.from({ length: count }, (_, index) =>
    call(service.url, keys[index % keys.length]!, 'GET', '/api/v1/systems'),
  );
  return (await Promise.all(requests)).map(({ status }) => status);
};

const limitTo = (connections: number) =>
  sql(`alter database ${new URL(database.url).pathname.slice(1)} connection limit ${connections}`);

const isReady = async () => (await fetch(`${service.url}/readyz`)).status === 200;

it('answers with the connections that it has if the database permits no more, and says so', async () => {
  expect(await connected()).toBeGreaterThanOrEqual(8);
  // Others have all.
  await limitTo(1);
  expect(new Set(await answersOf(100))).toEqual(new Set([200]));
  expect(await isReady()).toBe(true);
  const limited = service.log.filter(line => line.includes('"database.connections_limited"'));
  expect(limited.map(line => JSON.parse(line))).toContainEqual(
    expect.objectContaining({
      level: 40,
      pool: 'organizations',
      connections: 1,
      reason: expect.stringContaining('too many connections'),
    }),
  );
  expect(service.log.filter(line => line.includes('database.unavailable'))).toEqual([]);
});

it('does not start without a connection for each purpose, and takes none', async () => {
  await limitTo(1);
  const before = await connected();
  const second = await parapet(['serve'], { ...process.env, ...env, PORT: '0' });
  expect(second.status).toBe(1);
  expect(second.errors).toMatch(
    /^parapet: the database is not available: too many connections .*: raise max_connections of PostgreSQL, or lower PARAPET_DATABASE_CONNECTIONS .*\n$/,
  );
  expect(await connected()).toBe(before);
});

it('warns if all nodes may use more connections than the database permits', async () => {
  await limitTo(2 * leastConnections - 1);
  const second = await ServingProcess.serve(env);
  const overcommitted = second.log.filter(line => line.includes('"database.connections_overcommitted"'));
  await second.kill('SIGTERM');
  const most = 2 * leastConnections;
  expect(overcommitted.map(line => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 40, nodes: 2, most, permitted: most - 1 }),
  ]);
});

it('uses as few processes as its connections permit', async () => {
  await limitTo(-1);
  const few = { ...process.env, ...env, PARAPET_PROCESSES: '4' };
  const { errors, status } = await parapet(['serve'], few);
  expect(errors).toBe(
    `parapet: 4 processes need 97 database connections, and PARAPET_DATABASE_CONNECTIONS permits ${leastConnections}: raise it, or set PARAPET_PROCESSES to 1\n`,
  );
  expect(status).toBe(1);
});
