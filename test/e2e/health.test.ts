import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { DatabaseRelay } from '../support/database-relay.ts';
import { parapet } from '../support/parapet-process.ts';
import { poll } from '../support/poll.ts';
import { createDatabase, type TestDatabase } from '../support/postgres.ts';
import { ServingProcess } from '../support/serving-process.ts';
import { freePort, rawServer } from '../support/website.ts';

let database: TestDatabase;
let relay: DatabaseRelay;
let shared: Record<string, string>;
const running: ServingProcess[] = [];

beforeAll(async () => {
  database = await createDatabase(inject('postgres'));
  relay = await DatabaseRelay.start(database.connection);
  const { user, password, database: name } = database.connection;
  const { host, port } = relay.connection;
  shared = {
    DATABASE_URL: `postgresql://${user}:${password}@${host}:${port}/${name}`,
    PARAPET_MASTER_KEY: randomBytes(32).toString('base64'),
  };
});
afterAll(async () => {
  for (const service of running) await service.kill();
  await relay?.close();
  await database?.drop();
});

async function serve(role: string, env: Record<string, string>): Promise<ServingProcess> {
  const service = await ServingProcess.serve({ ...shared, ...env }, ['--role', role]);
  running.push(service);
  return service;
}

/** Runs `parapet health` with the environment of a service. */
async function health(env: Record<string, string>, ...options: string[]) {
  return parapet(['health', ...options], { PATH: process.env.PATH, ...shared, ...env });
}

const ready = { status: 0, output: 'ready\n', errors: '' };
const oneLine = (reason: RegExp) => ({
  status: 1,
  output: '',
  errors: expect.stringMatching(new RegExp(`^parapet: ${reason.source}\\n$`)),
});

it('reports whether the service with the same environment is ready, for each role', async () => {
  const ports = { PORT: String(await freePort()), PARAPET_MANAGEMENT_PORT: String(await freePort()) };
  const withoutManagement = {
    PORT: String(await freePort()),
    HOST: '0.0.0.0',
    PARAPET_MANAGEMENT_PORT: 'off',
  };
  const worker = { PARAPET_MANAGEMENT_PORT: String(await freePort()) };
  expect(await health(ports)).toEqual(
    oneLine(/not ready: http:\S+\/readyz cannot be reached \(ECONNREFUSED\)\..*/),
  );
  const started = [
    await serve('all', { ...ports, PARAPET_PROCESSES: '2' }),
    await serve('api', withoutManagement),
    await serve('worker', worker),
  ];
  for (const env of [ports, withoutManagement, worker]) expect(await health(env)).toEqual(ready);
  // The public port, whoever has the default management port.
  expect(await health({ PORT: ports.PORT })).toEqual(ready);
  expect(await health({}, '--port', ports.PORT)).toEqual(ready);
  expect(await health({}, '--url', `http://localhost:${worker.PARAPET_MANAGEMENT_PORT}`)).toEqual(ready);

  await relay.stop();
  for (const env of [ports, withoutManagement, worker]) {
    await poll('not ready', async () => (await health(env)).status === 1);
    expect(await health(env)).toEqual(
      oneLine(/not ready: http:\S+\/readyz answered 503: database unavailable/),
    );
  }
  for (const service of started) await service.kill('SIGTERM');
  expect(await health(worker)).toEqual(oneLine(/not ready: .* \(ECONNREFUSED\)\..*/));
});

it('fails if there is no answer in time', async () => {
  const silent = await rawServer(() => {});
  const { port } = silent;
  const { status, errors } = await health({ PORT: String(port) }, '--timeout', '1');
  await silent.close();
  expect({ status, errors }).toEqual({
    status: 1,
    errors: `parapet: not ready: http://127.0.0.1:${port}/readyz cannot be reached (no answer within 1 s)\n`,
  });
});

it.each([
  [{ PORT: '0' }, [], /parapet health requires a port: .*/],
  [{ PORT: 'http' }, [], /PORT must be a number .*/],
  [
    { DATABASE_URL: '', DATABASE_URL_FILE: '/a-secret' },
    [],
    /the file in DATABASE_URL_FILE cannot be read .ENOENT./,
  ],
  [{}, ['--url', 'localhost:9464'], /--url must be an http or https URL.*/],
  [{}, ['--url', 'http://u:p@localhost/'], /--url must be an http or https URL.*/],
  [{}, ['--timeout', '0'], /--timeout must be a number of seconds .*/],
])('refuses %j with %j', async (env: Record<string, string>, options, reason) => {
  expect(await health(env, ...options)).toEqual(oneLine(reason));
});
