import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest';
import { migrate } from '../../src/database/migrate.ts';
import { version } from '../../src/domain/version.ts';
import { operate, parapet } from '../support/parapet-process.ts';
import { poll } from '../support/poll.ts';
import { asOwner, createDatabase, type TestDatabase } from '../support/postgres.ts';
import { ServingProcess } from '../support/serving-process.ts';

let database: TestDatabase;
let env: Record<string, string>;
const running: ServingProcess[] = [];

beforeAll(async () => {
  database = await createDatabase(inject('postgres'));
  await migrate(database.connection);
  env = { DATABASE_URL: database.url, PARAPET_MASTER_KEY: randomBytes(32).toString('base64') };
});
afterEach(async () => {
  for (const service of running.splice(0)) await service.kill();
  await sql('delete from nodes');
});
afterAll(() => database?.drop());

interface Row {
  readonly role: string;
  readonly host: string;
  readonly version: string;
  readonly ago: number;
}

const sql = (text: string) =>
  asOwner(database.connection, async client => (await client.query<Row>(text)).rows);
const nodes = () =>
  sql(
    `select role, host, version, extract(epoch from now() - seen_at)::float8 as ago from nodes order by role`,
  );
const roles = async () => (await nodes()).map(({ role }) => role);

async function serve(role: string, processes = 1): Promise<ServingProcess> {
  const parameters = ['--role', role, ...(role === 'worker' ? [] : ['--processes', String(processes)])];
  const service = await ServingProcess.serve(env, parameters);
  running.push(service);
  return service;
}

it('lists each node while it runs: one that ends in order is gone, one that was killed is no longer seen', async () => {
  const api = await serve('api', 2);
  const worker = await serve('worker');
  // One row per node, whatever its processes. They are noted before they are ready.
  const own = { host: hostname(), version, ago: expect.any(Number) };
  await poll('both nodes', async () => (await roles()).length === 2);
  expect(await nodes()).toEqual([
    { role: 'api', ...own },
    { role: 'worker', ...own },
  ]);
  expect(await api.kill('SIGTERM')).toBe(0);
  expect(await roles()).toEqual(['worker']);

  const other = await serve('api');
  await worker.kill('SIGKILL');
  await sql("update nodes set seen_at = seen_at - interval '10 minutes'");
  await poll('the node that runs is seen again', async () => (await nodes())[0]!.ago < 60);
  expect((await nodes()).map(({ role, ago }) => [role, ago > 300])).toEqual([
    ['api', false],
    ['worker', true],
  ]);
  expect(await other.kill('SIGTERM')).toBe(0);
  expect(await roles()).toEqual(['worker']);
});

it('shows the operator the nodes, the queue and the organizations, and what needs attention', async () => {
  const admin = (...parameters: string[]) => operate(env, 'admin', ...parameters);
  expect((await admin()).attention).toEqual([
    'no node runs that answers requests',
    'no node runs that scans',
  ]);
  for (const name of ['Acme', 'Clinic']) await operate(env, 'organizations', 'create', '--name', name);
  await serve('api');
  const worker = await serve('worker');
  const { attention, nodes, queues, organizations } = await admin();
  expect(attention).toEqual([]);
  expect(nodes).toMatchObject([
    { role: 'api', host: hostname(), version, silent: false },
    { role: 'worker', host: hostname(), version, silent: false },
  ]);
  expect(queues).toContainEqual({ queue: 'scan-inspect', waiting: 0, running: 0, oldest_seconds: 0 });
  expect(organizations).toMatchObject([
    { name: 'Clinic', people: 0, sources: 0, jobs: 0, deleted_at: null, last_activity: expect.any(String) },
    { name: 'Acme' },
  ]);
  const { organizations: first, has_more_organizations } = await admin('--limit', '1');
  expect([first.length, has_more_organizations]).toEqual([1, true]);

  await worker.kill('SIGKILL');
  await sql(
    "update nodes set seen_at = seen_at - interval '10 minutes', version = '0.0.1' where role = 'worker'",
  );
  const silent = `${hostname()} (worker) ended without notice, or cannot reach the database: silent for 10 min`;
  expect((await admin()).attention).toEqual(['no node runs that scans', silent]);
  const { output: text } = await parapet(['admin'], { PATH: process.env.PATH, ...env });
  for (const part of ['Needs attention:', silent, 'scan-inspect', 'Clinic', 'PostgreSQL', '10 min ago'])
    expect(text).toContain(part);
  await sql("update nodes set seen_at = now() where role = 'worker'");
  expect((await admin()).attention).toEqual([`${hostname()} (worker) runs 0.0.1, others run ${version}`]);
}, 240_000);

it('serves and stops when it cannot be noted', async () => {
  const service = await serve('api');
  await sql('alter table nodes rename to hidden_nodes');
  try {
    await poll('the failure in the log', () => service.log.some(line => line.includes('node.not_noted')));
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    expect(await service.kill('SIGTERM')).toBe(0);
  } finally {
    await sql('alter table hidden_nodes rename to nodes');
  }
});
