import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { availableParallelism } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { dashboardScopes } from '../../src/contract/keys.ts';
import { migrate } from '../../src/database/migrate.ts';
import { openPrivatePostgres, type PrivatePostgres } from '../../src/private-postgres/open.ts';
import { givenKeyRing } from '../../src/resources/credentials/key-ring.ts';
import { parseMasterKey } from '../../src/resources/credentials/master-key.ts';
import { mintApiKey } from '../../src/resources/keys/mint-api-key.ts';
import { Storage } from '../../src/resources/storage.ts';
import { untilWaiting, whileReadsWait } from '../support/held-lock.ts';
import { parapet } from '../support/parapet-process.ts';
import { poll } from '../support/poll.ts';
import { asOwner, createDatabase } from '../support/postgres.ts';
import { DataFolders, isAlive, processesIn, serverPid } from '../support/private-postgres/data-folders.ts';
import { childrenOf } from '../support/sandbox.ts';
import { ServingProcess } from '../support/serving-process.ts';
import { type ClientKey, type SignedParts, signRequest } from '../support/signing-client.ts';

const folders = new DataFolders();
const list = '/api/v1/systems';
let data: string;
let keys: ClientKey[];
let serving: ServingProcess;
let management: string;

async function start(role: string, processes: number): Promise<void> {
  serving = await ServingProcess.serve(
    { PARAPET_DATA: data, PARAPET_MANAGEMENT_PORT: '0', PARAPET_TARGET_ALLOWLIST: '127.0.0.0/8' },
    ['--role', role, '--processes', String(processes)],
  );
  management = logged('ready')[0]!.management!;
}

beforeAll(async () => {
  data = await folders.made();
  await start('all', 4);
  keys = await withDatabase(mintKeys);
});
afterAll(async () => {
  await serving?.kill('SIGTERM');
  await folders.remove();
});

/** The database of `serving`, which would not stop before this share of it is returned. */
async function withDatabase<T>(work: (server: PrivatePostgres) => Promise<T>): Promise<T> {
  const server = await openPrivatePostgres({ directory: data });
  return work(server).finally(() => server.close());
}

/** Enough keys to stay below the limits. */
async function mintKeys({ connection }: PrivatePostgres): Promise<ClientKey[]> {
  const { roles } = await migrate(connection);
  const keyRing = givenKeyRing(parseMasterKey(randomBytes(32).toString('base64')));
  const storage = new Storage({ connection, roles, keyRing, works: false, onError: () => {} });
  const operator = { kind: 'operator', id: 'test' } as const;
  const options = { kind: 'dashboard', systemId: null, scopes: dashboardScopes } as const;
  const minted = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const { id } = await storage.system.createOrganization('Test', operator);
      return storage.tenant(id, operator).transaction(transaction => mintApiKey(transaction, options));
    }),
  );
  await storage.close(0);
  return minted;
}

interface Line {
  readonly msg: string;
  readonly pid: number;
  readonly management?: string;
  readonly status?: number;
}

function logged(msg: string): Line[] {
  const lines = serving.log.filter(line => line.startsWith('{')).map((line): Line => JSON.parse(line));
  return lines.filter(line => line.msg === msg);
}

/** Children of the supervisor, without PostgreSQL. */
function processes(): number[] {
  return childrenOf(serving.child.pid!).filter(pid =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('parapet.js'),
  );
}

/** Rejects if the connection fails: unlike other clients, this one never tries again. */
function exchange(
  { method, target, headers }: SignedParts,
  agent: Agent | false,
): Promise<{ status: number; connection: string | undefined }> {
  return new Promise((resolve, reject) => {
    const sending = request(serving.url + target, { method, headers, agent }, answer => {
      answer
        .resume()
        .on('end', () => resolve({ status: answer.statusCode!, connection: answer.headers.connection }));
    });
    sending.on('error', reject).end();
  });
}

const read = async (key: ClientKey, agent: Agent | false) =>
  (await exchange(signRequest(key, 'GET', list), agent)).status;

const count = (statuses: readonly number[], status: number) =>
  statuses.filter(each => each === status).length;

it('admits exactly 60 of 100 requests of a key, and a nonce once, on four processes', async () => {
  const key = keys.shift()!;
  const statuses = await Promise.all(Array.from({ length: 100 }, () => read(key, false)));
  expect([count(statuses, 200), count(statuses, 401)]).toEqual([60, 40]);

  const once = signRequest(keys.shift()!, 'GET', list);
  const repeated = await Promise.all(
    Array.from({ length: 40 }, async () => (await exchange(once, false)).status),
  );
  expect([count(repeated, 200), count(repeated, 401)]).toEqual([1, 39]);

  expect(processes().length).toBe(5);
  await poll('all admitted requests in the log', () => logged('request').length === 61);
  // Lines of refused ones are limited, but each process writes some.
  const answered = new Set([...logged('request'), ...logged('request.refused')].map(({ pid }) => pid));
  expect(answered.size).toBe(4);
  for (const pid of answered) expect(processes()).toContain(pid);
});

const readMetrics = async () => (await fetch(`${management}/metrics`)).text();

/** Requests answered with this status, of all processes. */
async function counted(status: number): Promise<number> {
  const lines = (await readMetrics()).matchAll(/^parapet_http_requests_total\{.*status="(\d+)".*\} (\d+)$/gm);
  return [...lines]
    .filter(([, of]) => Number(of) === status)
    .reduce((sum, [, , number]) => sum + Number(number), 0);
}

it('counts the requests of all processes in one /metrics', async () => {
  await expect.poll(() => counted(200)).toBe(61);
  expect(await counted(401)).toBe(40 + 39);
  // Of the supervisor, not the sum of all.
  const [, started] = /^process_start_time_seconds (\d+)$/m.exec(await readMetrics())!;
  expect(Number(started)).toBeGreaterThan(Date.now() / 1000 - 600);
  expect(Number(started)).toBeLessThanOrEqual(Date.now() / 1000);
});

/** Sends requests over kept and new connections until it is stopped. Returns their statuses, or what failed. */
function load(perSecond: number): () => Promise<unknown[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8, scheduling: 'fifo' });
  const results: Promise<unknown>[] = [];
  let isOn = true;
  const sending = (async () => {
    for (let turn = 0; isOn; turn++) {
      const kept = turn % 2 === 0 ? agent : false;
      results.push(read(keys[turn % keys.length]!, kept).catch((error: Error) => error.message));
      await setTimeout(1000 / perSecond);
    }
  })();
  return async () => {
    isOn = false;
    await sending;
    return Promise.all(results).finally(() => agent.destroy());
  };
}

it('replaces all processes on SIGHUP without a failed request', async () => {
  const before = processes();
  const stop = load(25);
  await setTimeout(500);
  serving.child.kill('SIGHUP');
  await poll('the restart', () => logged('restart.started').length === 1);
  serving.child.kill('SIGHUP');
  await poll('the end of the restart', () => logged('restart.finished').length === 1);
  await setTimeout(500);
  const statuses = await stop();
  expect(statuses.length).toBeGreaterThan(40);
  expect(statuses.filter(status => status !== 200)).toEqual([]);
  expect(logged('restart.ignored').length).toBe(1);
  const after = processes();
  expect(after.length).toBe(5);
  expect(after.filter(pid => before.includes(pid))).toEqual([]);
  // Counts of ended processes stay.
  await expect.poll(() => counted(200)).toBe(61 + statuses.length);
});

it('keeps the processes on SIGHUP if a new release would change the database under them', async () => {
  const before = processes();
  // As for a program with one more migration.
  const forget =
    'delete from schema_migrations where version = (select max(version) from schema_migrations) returning *';
  await withDatabase(async ({ connection }) => {
    const { rows } = await asOwner(connection, owner => owner.query(forget));
    serving.child.kill('SIGHUP');
    await poll('the failure', () => logged('restart.failed').length === 1);
    expect(logged('restart.failed')[0]).toMatchObject({
      reason: expect.stringMatching(/restart the service/),
    });
    const { version, name, checksum } = rows[0];
    await asOwner(connection, owner =>
      owner.query('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', [
        version,
        name,
        checksum,
      ]),
    );
  });
  expect(processes()).toEqual(before);
});

it('replaces a process that was killed; connections of the others stay open', async () => {
  const before = processes();
  const agents = Array.from({ length: 8 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const key = keys.shift()!;
  const seen = logged('request').length;
  const pids: number[] = [];
  for (const [index, agent] of agents.entries()) {
    expect(await read(key, agent)).toBe(200);
    await poll('the request in the log', () => logged('request').length > seen + index);
    pids.push(logged('request').at(-1)!.pid);
  }
  process.kill(pids[0]!, 'SIGKILL');
  await poll('a replacement', () => logged('process.replaced').length === 1);
  const sockets = agents.map(agent => Object.values(agent.freeSockets)[0]?.[0]);
  expect(sockets.map(socket => socket !== undefined)).toEqual(pids.map(pid => pid !== pids[0]));
  expect(new Set(pids).size).toBe(4);
  for (const agent of agents) agent.destroy();
  expect(processes().filter(pid => !before.includes(pid)).length).toBe(1);
  expect(processes().length).toBe(5);
});

it('reports a port in use in one line', async () => {
  const { port } = new URL(serving.url);
  const env = { ...process.env, PARAPET_DATA: data, PARAPET_MANAGEMENT_PORT: '0' };
  const second = await parapet(['serve', '--processes', '2', '--role', 'api', '--port', port], env);
  expect(second.errors).toBe(`parapet: port ${port} on 127.0.0.1 is in use. Choose another with --port\n`);
  expect(second.status).toBe(1);
});

it('leaves no process and no PostgreSQL when the supervisor is killed', async () => {
  const pids = [...processes(), await serverPid(data)];
  expect(pids.length).toBe(6);
  await serving.kill('SIGKILL');
  for (const pid of pids) await poll(`the end of ${pid}`, async () => !(await isAlive(pid)), 30);
  expect(await processesIn(data)).toEqual([]);
});

it('answers what is in flight when all processes get SIGTERM', async () => {
  await start('api', 2);
  const answers = await withDatabase(({ connection }) => {
    const inFlight = keys.slice(0, 6).map(key => exchange(signRequest(key, 'GET', list), false));
    // Single scans are not read on connections that several requests share.
    return whileReadsWait(connection, 'scans', async () => {
      const scan = `/api/v1/scans/${randomUUID()}`;
      const waiting = keys.slice(6, 10).map(key => exchange(signRequest(key, 'GET', scan), false));
      await untilWaiting(connection, waiting.length);
      for (const pid of [serving.child.pid!, ...processes()]) process.kill(pid, 'SIGTERM');
      await poll('the stop', () => logged('stopping').length === 1);
      return [...inFlight, ...waiting];
    });
  });
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([
    ...Array(6).fill(200),
    ...Array(4).fill(404),
  ]);
  await poll('the end', () => serving.child.exitCode !== null);
  expect(serving.child.exitCode).toBe(0);
});

it('starts no more processes than the database permits connections for', async () => {
  await serving.kill('SIGTERM');
  const database = await createDatabase(inject('postgres'));
  try {
    const name = new URL(database.url).pathname.slice(1);
    await asOwner(database.connection, owner => owner.query(`alter database ${name} connection limit 40`));
    const env = { DATABASE_URL: database.url, PARAPET_MASTER_KEY: randomBytes(32).toString('base64') };
    const chosen = await parapet(['serve', '--processes', '4', '--role', 'api'], { ...process.env, ...env });
    expect(chosen.errors).toBe(
      'parapet: 4 processes need 82 database connections, and PostgreSQL permits 40: raise its max_connections, or set PARAPET_PROCESSES to 1\n',
    );
    expect(chosen.status).toBe(1);
    // As many as cores.
    serving = await ServingProcess.serve({ ...env, PARAPET_PROCESSES: '' }, ['--role', 'api']);
    expect(processes()).toEqual([]);
    expect(logged('processes.limited').length).toBe(availableParallelism() > 1 ? 1 : 0);
    serving.child.kill('SIGHUP');
    await poll('the log', () => logged('restart.ignored').length === 1);
    expect((await fetch(`${serving.url}/readyz`)).status).toBe(200);
    await serving.kill('SIGTERM');
  } finally {
    await database.drop();
  }
});

it('runs a worker in one process', async () => {
  const { errors, status } = await parapet(['serve', '--role', 'worker', '--processes', '2'], process.env);
  expect(errors).toBe('parapet: --processes is for requests: --role worker has one process\n');
  expect(status).toBe(1);
});
