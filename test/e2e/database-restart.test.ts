import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPrivatePostgres, type PrivatePostgres } from '../../src/private-postgres/open.ts';
import { DashboardClient } from '../support/dashboard-client.ts';
import { DatabaseRelay, socketOf } from '../support/database-relay.ts';
import { operate } from '../support/parapet-process.ts';
import { poll } from '../support/poll.ts';
import { asOwner, createDatabase, type TestDatabase } from '../support/postgres.ts';
import { DataFolders, serverPid } from '../support/private-postgres/data-folders.ts';
import { ServingProcess } from '../support/serving-process.ts';
import { type ClientKey, call } from '../support/signing-client.ts';

/** Long enough for the worker to need the database several times: it polls for due work every five seconds. */
const outageMs = 8_000;

const folders = new DataFolders();
let data: string;
let postgres: PrivatePostgres;
let database: TestDatabase;
let relay: DatabaseRelay;
let service: ServingProcess;
let dashboard: DashboardClient;
let keys: readonly [ClientKey, ClientKey];
let systemId: string;
let onLost = () => {};

const openDatabase = () => openPrivatePostgres({ directory: data, onLost: () => onLost() });

beforeAll(async () => {
  data = await folders.made();
  postgres = await openDatabase();
  database = await createDatabase(postgres.connection);
  relay = await DatabaseRelay.start(postgres.connection);
  const { user, password, database: name } = database.connection;
  const { host, port } = relay.connection;
  const env = {
    DATABASE_URL: `postgresql://${user}:${password}@${host}:${port}/${name}`,
    PARAPET_MASTER_KEY: randomBytes(32).toString('base64'),
  };
  service = await ServingProcess.serve({ ...env, PARAPET_MANAGEMENT_PORT: '0' });
  dashboard = new DashboardClient(service.url);
  const link = await poll('the set-up link', async () =>
    service.log.find(text => text.includes('/dashboard/set-up#token=')),
  );
  const { json } = await dashboard.post('/set-up', {
    token: link.split('#token=')[1]!.trim(),
    organization_name: 'Acme',
    name: 'Ada',
    email: 'ada@example.org',
    password: 'lantern orbit cactus 71',
  });
  const mint = () => operate(env, 'keys', 'mint', '--organization', json.organizations[0].id);
  keys = [await mint(), await mint()];
  const system = { name: 'S', environment: 'test', kind: 'site' };
  systemId = (await call(service.url, keys[0], 'POST', '/api/v1/systems', system)).json.system.id;
});
afterAll(async () => {
  await service?.kill('SIGTERM');
  await relay?.close();
  await postgres?.close();
  await folders.remove();
});

const sent: object[][] = [];
function newBatch(): object[] {
  const occurred_at = '2026-11-21T08:00:00.123Z';
  const batch = Array.from({ length: 10 }, () => ({ id: randomUUID(), kind: 'host.seen', occurred_at }));
  sent.push(batch);
  return batch;
}
const push = (events: object[]) =>
  call(service.url, keys[1], 'POST', '/functions/v1/events-ingest', { system_id: systemId, events });

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** Sends requests sequentially until stopped, and keeps the responses. */
function sendOn(request: () => Promise<Answer>) {
  const answers: Answer[] = [];
  let isStopped = false;
  const sending = (async () => {
    while (!isStopped) {
      const answer = await request();
      answers.push(answer);
      // Within the rate limit of a key, which counts only while the database is available.
      await pause(answer.status === 500 ? 10 : 250);
    }
  })();
  return {
    answers,
    /** Waits for this many further responses with the outcome. */
    further: (count: number, isOk: boolean) => {
      const from = answers.length;
      return poll(`${count} answers`, async () =>
        answers.slice(from).filter(({ status }) => status < 300 === isOk).length >= count ? true : undefined,
      );
    },
    stop: () => {
      isStopped = true;
      return sending;
    },
  };
}

async function statuses(path: string): Promise<number[]> {
  const { management } = service.log
    .map(line => (line.startsWith('{') ? JSON.parse(line) : {}))
    .find(({ msg }) => msg === 'ready');
  return Promise.all([service.url, management].map(async place => (await fetch(place + path)).status));
}

it('survives a restart of the database under requests of all kinds, with two lines in its log', async () => {
  const senders = [
    sendOn(() => call(service.url, keys[0], 'GET', '/api/v1/systems')),
    sendOn(() => push(newBatch())),
    sendOn(() => dashboard.get('/session')),
  ];
  const all = (count: number, isOk: boolean) =>
    Promise.all(senders.map(sender => sender.further(count, isOk)));
  await all(3, true);
  const from = service.log.length;

  const lost = new Promise<void>(resolve => {
    onLost = resolve;
  });
  process.kill(await serverPid(data), 'SIGINT');
  await lost;
  await Promise.all([all(50, false), pause(outageMs)]);
  expect(await statuses('/healthz')).toEqual([200, 200]);
  expect(await statuses('/readyz')).toEqual([503, 503]);
  await postgres.close();
  postgres = await openDatabase();
  relay.target = socketOf(postgres.connection);
  await all(3, true);
  await Promise.all(senders.map(sender => sender.stop()));
  expect(await statuses('/readyz')).toEqual([200, 200]);

  const answers = senders.flatMap(sender => sender.answers);
  const failed = answers.filter(({ status }) => status >= 300);
  for (const { status, text, headers } of failed) {
    expect({ status, text }).toEqual({ status: 500, text: '{"error":"Request failed"}' });
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  }
  const lines = () =>
    service.log
      .slice(from)
      .map(line => JSON.parse(line))
      .filter(({ msg }) => msg !== 'request');
  await poll('the end of the outage', async () => lines().find(({ msg }) => msg === 'database.available'));
  const [away, back, ...others] = lines();
  expect(others).toEqual([]);
  expect(away).toMatchObject({ level: 50, msg: 'database.unavailable' });
  expect(back).toMatchObject({ msg: 'database.available', failed_requests: failed.length });
  expect(back.seconds).toBeGreaterThan(outageMs / 1000 - 2);

  const events = sent.flat();
  while (events.length > 0) {
    const batch = events.splice(0, 500);
    const { accepted, duplicates } = (await push(batch)).json;
    expect(accepted + duplicates).toBe(batch.length);
  }
  const { rows } = await asOwner(
    { ...database.connection, ...postgres.connection, database: database.connection.database! },
    client => client.query('select count(*)::int as events from events'),
  );
  expect(rows[0].events).toBe(10 * sent.length);
});
