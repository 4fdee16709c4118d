import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPrivatePostgres } from '../../src/private-postgres/open.ts';
import { operate } from '../support/parapet-process.ts';
import { poll } from '../support/poll.ts';
import { asOwner } from '../support/postgres.ts';
import { DataFolders } from '../support/private-postgres/data-folders.ts';
import { ServingProcess } from '../support/serving-process.ts';
import { type ClientKey, call } from '../support/signing-client.ts';
import { httpServer, type TestServer } from '../support/website.ts';

const kills = 20;

const folders = new DataFolders();
let data: string;
let site: TestServer;
const nodes = new Map<string, ServingProcess>();

beforeAll(async () => {
  data = await folders.made();
  site = await httpServer((_request, response) => response.end('<!doctype html><title>Site</title>'));
});
afterAll(async () => {
  for (const node of nodes.values()) await node.kill('SIGTERM');
  await site?.close();
  await folders.remove();
});

const env = () => ({
  PARAPET_DATA: data,
  PARAPET_TARGET_ALLOWLIST: '127.0.0.0/8',
  PARAPET_LOG_LEVEL: 'error',
});

async function start(name: string): Promise<void> {
  const role = name.startsWith('api') ? 'api' : 'worker';
  nodes.set(name, await ServingProcess.serve({ ...env(), PARAPET_LOG_LEVEL: 'info' }, ['--role', role]));
}

/** Writes that the service has acknowledged. */
const acknowledged = { systems: new Set<string>(), events: new Set<string>(), scans: new Set<string>() };

interface Client {
  key: ClientKey;
  systemId: string;
  sourceId: string;
}

async function createClient(): Promise<Client> {
  const { id } = await operate(env(), 'organizations', 'create', '--name', 'Load');
  const key: ClientKey = await operate(env(), 'keys', 'mint', '--organization', id);
  const url = nodes.get('api-1')!.url;
  const post = async (path: string, body: object) => (await call(url, key, 'POST', path, body)).json;
  const { system } = await post('/api/v1/systems', { name: 'S', environment: 'test', kind: 'site' });
  const host = `http://127.0.0.1:${site.port}/`;
  const { source } = await post('/api/v1/sources', {
    system_id: system.id,
    name: 'W',
    kind: 'website',
    host,
  });
  await post(`/api/v1/sources/${source.id}/risk-accept`, {});
  await post(`/api/v1/sources/${source.id}/authorize-scan`, {});
  return { key, systemId: system.id, sourceId: source.id };
}

/** One write of each kind; acknowledged ones are recorded, failed ones are not. */
async function write({ key, systemId, sourceId }: Client, turn: number): Promise<void> {
  const node = nodes.get(turn % 2 ? 'api-1' : 'api-2');
  if (!node) return;
  const [externalId, eventId] = [randomUUID(), randomUUID()];
  const event = { id: eventId, kind: 'load.event', occurred_at: new Date().toISOString() };
  const post = (path: string, body: object) => call(node.url, key, 'POST', path, body).catch(() => undefined);
  const [system, events, scan] = await Promise.all([
    post('/api/v1/systems', { name: 'L', environment: 'test', kind: 'api', external_id: externalId }),
    post('/functions/v1/events-ingest', { system_id: systemId, events: [event] }),
    turn % 10 === 0
      ? post('/api/v1/scans', { source_id: sourceId, idempotency_key: randomUUID() })
      : undefined,
  ]);
  if (system?.status === 201) acknowledged.systems.add(externalId);
  if (events?.status === 202) acknowledged.events.add(eventId);
  if (scan?.status === 201) acknowledged.scans.add(scan.json.scan.id);
}

/** Kills one kind of process, and restarts what has ended. */
async function killAndRestart(turn: number): Promise<void> {
  // Without the database all four end and are restarted, which is done in each half.
  const victim = turn % 10 === 2 ? 'postgres' : ['api-1', 'worker-1', 'api-2', 'worker-2'][turn % 4]!;
  if (victim === 'postgres') {
    const [pid] = (await readFile(join(data, 'postgres/cluster-18/postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(pid), 'SIGKILL');
    // Nodes cannot continue without the database, and end by themselves.
    for (const [name, node] of nodes) {
      await poll(`${name} to end`, async () => (node.child.exitCode === null ? undefined : true));
    }
    await Promise.all([...nodes.keys()].map(start));
  } else {
    await nodes.get(victim)!.kill('SIGKILL');
    await start(victim);
  }
}

it(`keeps every acknowledged write and leaves no scan stuck when processes are killed ${kills} times under load`, {
  timeout: 600_000,
}, async () => {
  for (const name of ['api-1', 'api-2', 'worker-1', 'worker-2']) await start(name);
  const clients = await Promise.all(Array.from({ length: 4 }, createClient));
  let writing = true;
  const load = clients.map(async (client, offset) => {
    for (let turn = offset; writing; turn++) {
      await write(client, turn);
      // Below the limit of 60 requests a minute per key, in bursts that it allows.
      await setTimeout(400);
    }
  });
  for (let turn = 0; turn < kills; turn++) {
    const before = acknowledged.events.size;
    await killAndRestart(turn);
    await poll('writes to be acknowledged again', async () =>
      acknowledged.events.size > before + 1 ? true : undefined,
    );
  }
  // Their number depends on the machine.
  await poll(
    'enough writes of each kind to be acknowledged',
    async () => (acknowledged.systems.size > kills && acknowledged.scans.size > 5 ? true : undefined),
    90,
  );
  writing = false;
  await Promise.all(load);

  const server = await openPrivatePostgres({ directory: data });
  try {
    const ask = async (text: string, values: unknown[] = []) =>
      (await asOwner(server.connection, client => client.query(text, values))).rows;
    const missing = (table: string, column: string, ids: Set<string>) =>
      ask(
        `select wanted from unnest($1::text[]) as wanted where not exists (select from ${table} t where t.${column}::text = wanted)`,
        [[...ids]],
      );
    expect(await missing('systems', 'external_id', acknowledged.systems)).toEqual([]);
    expect(await missing('events', 'id', acknowledged.events)).toEqual([]);
    expect(await missing('scans', 'id', acknowledged.scans)).toEqual([]);
    await poll(
      'all scans to end',
      async () =>
        (await ask('select id from scans where finished_at is null')).length === 0 ? true : undefined,
      90,
    );
    expect(await ask("select status from scan_runs where status in ('queued', 'running')")).toEqual([]);
    expect(
      await ask('select source_id from findings group by source_id, category, locator having count(*) > 1'),
    ).toEqual([]);
  } finally {
    await server.close();
  }
  const { checks } = await operate(env(), 'doctor');
  expect(checks.every((check: { ok: boolean }) => check.ok)).toBe(true);
});
