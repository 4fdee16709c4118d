import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { migrate } from '../../src/database/migrate.ts';
import { openPrivatePostgres, type PrivatePostgres } from '../../src/private-postgres/open.ts';
import { olderPostgres } from '../support/older-postgres.ts';
import { operate, ParapetProcess, parapet } from '../support/parapet-process.ts';
import { poll } from '../support/poll.ts';
import { urlOf } from '../support/postgres.ts';
import { DataFolders } from '../support/private-postgres/data-folders.ts';
import { ServingProcess } from '../support/serving-process.ts';
import { type ClientKey, call, send, signRequest } from '../support/signing-client.ts';

/** The private PostgreSQL is 18. */
const folders = new DataFolders();
const PARAPET_MASTER_KEY = randomBytes(32).toString('base64');
const base = {
  PATH: process.env.PATH!,
  HOME: process.env.HOME!,
  PARAPET_MASTER_KEY,
  PARAPET_MANAGEMENT_PORT: 'off',
};
let data: string;
let key: ClientKey;
/** A request that the former installation has admitted. */
let spent: ReturnType<typeof signRequest>;

const open17 = async (): Promise<PrivatePostgres> =>
  openPrivatePostgres({ directory: data, programs: await olderPostgres(17) });
const run = (...parameters: string[]) => parapet([...parameters, '--data', data], base);
const entries = async () =>
  (await readdir(join(data, 'postgres'))).filter(name => /cluster|making/.test(name));

async function systems(service: ServingProcess): Promise<string[]> {
  const { json } = await call(service.url, key, 'GET', '/api/v1/systems');
  return json.systems.map(({ name }: { name: string }) => name);
}

/** An installation as a release with PostgreSQL 17 would have left it. */
beforeEach(async () => {
  data = await folders.make();
  const server = await open17();
  await migrate(server.connection);
  const env = { ...base, DATABASE_URL: urlOf(server.connection) };
  const { id } = await operate(env, 'organizations', 'create', '--name', 'Acme');
  key = await operate(env, 'keys', 'mint', '--organization', id);
  const service = await ServingProcess.serve(env);
  const system = { name: 'Shop', environment: 'test', kind: 'api' };
  expect((await call(service.url, key, 'POST', '/api/v1/systems', system)).status).toBe(201);
  spent = signRequest(key, 'GET', '/api/v1/systems');
  expect((await send(service.url, spent)).status).toBe(200);
  await service.kill('SIGTERM');
  await server.close();
}, 120_000);
afterAll(() => folders.remove());

it('copies the database of an older PostgreSQL by one command, and nothing that was acknowledged is missing', async () => {
  const refused = await run('serve');
  expect(refused.errors).toMatch(
    /^parapet: .*cluster-17 needs PostgreSQL 17, and this release has 18: stop Parapet and run parapet migrate/,
  );
  const { status, output } = await run('migrate');
  expect([status, output]).toEqual([
    0,
    expect.stringMatching(/^Copied the database from PostgreSQL 17 to 18\. .*replaced-cluster-17/),
  ]);
  expect((await entries()).toSorted()).toEqual(['cluster-18', 'replaced-cluster-17']);
  const service = await ServingProcess.serve({ ...base, PARAPET_DATA: data });
  expect(await systems(service)).toEqual(['Shop']);
  // A copy without the used nonces would admit it again.
  expect((await send(service.url, spent)).status).toBe(401);
  await service.kill('SIGTERM');
  expect((await run('doctor')).output).toMatch(/^ok +database: PostgreSQL 18/);
  expect((await run('migrate')).output).toBe('The database is up to date\n');
});

it('leaves the old database in use if it is killed, and succeeds when it is repeated', async () => {
  const copying = () => ['migrate', '--data', data];
  const moments: Record<string, (process: ParapetProcess) => Promise<unknown>> = {
    'the new cluster is being created': () =>
      poll('a new folder', async () => (await entries()).some(name => name.startsWith('making-'))),
    'rows are being copied': running => poll('it copies', () => running.errors.includes('Copying')),
  };
  for (const [moment, reached] of Object.entries(moments)) {
    const running = new ParapetProcess(copying(), base);
    await reached(running);
    running.signal('SIGKILL');
    expect(await running.end(), moment).toBe('SIGKILL');
    expect(await entries(), moment).toContain('cluster-17');
    expect(await entries(), moment).not.toContain('cluster-18');
    const old = await open17();
    expect(old.version, moment).toMatch(/^17\./);
    await old.close();
  }
  expect((await run('migrate')).status).toBe(0);
  expect((await entries()).toSorted()).toEqual(['cluster-18', 'replaced-cluster-17']);
  const service = await ServingProcess.serve({ ...base, PARAPET_DATA: data });
  expect(await systems(service)).toEqual(['Shop']);
  await service.kill('SIGTERM');
});

it('refuses while the old database is in use, and when its programs are missing', async () => {
  const old = await open17();
  const used = await run('migrate');
  expect([used.status, used.errors]).toEqual([
    1,
    expect.stringMatching(/cluster-17 is in use: stop every Parapet/),
  ]);
  await old.close();
  expect(await entries()).toEqual(['cluster-17']);
  const programs = (await readdir(join(data, 'postgres'))).find(name => name.startsWith('bin-17'))!;
  await rm(join(data, 'postgres', programs), { recursive: true });
  const missing = await run('migrate');
  expect(missing.errors).toMatch(/^parapet: the programs of PostgreSQL 17 are missing/);
  expect(await entries()).toEqual(['cluster-17']);
});
