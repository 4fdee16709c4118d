import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { untilWaiting } from '../support/held-lock.ts';
import { poll } from '../support/poll.ts';
import { asOwner, createDatabase, type TestDatabase } from '../support/postgres.ts';
import { sendLines } from '../support/raw-http.ts';
import { ServingProcess } from '../support/serving-process.ts';

let database: TestDatabase;
const running: ServingProcess[] = [];
beforeAll(async () => {
  database = await createDatabase(inject('postgres'));
});
afterAll(async () => {
  for (const service of running) await service.kill();
  await database?.drop();
});

const masterKey = randomBytes(32).toString('base64');

async function serve(role: string, env: Record<string, string> = {}): Promise<[ServingProcess, string]> {
  const service = await ServingProcess.serve(
    { DATABASE_URL: database.url, PARAPET_MASTER_KEY: masterKey, ...env },
    ['--role', role],
  );
  running.push(service);
  const ready = service.log
    .map(line => (line.startsWith('{') ? JSON.parse(line) : {}))
    .find(({ msg }) => msg === 'ready');
  return [service, ready.management];
}

it('serves metrics on a separate port, beside health, and a second service uses another', async () => {
  const [service, management] = await serve('api');
  const [, second] = await serve('worker');
  expect(new URL(management).hostname).toBe('127.0.0.1');
  expect(second).not.toBe(management);
  for (const url of [management, second]) {
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect((await fetch(url + path)).status, path).toBe(200);
    expect(await (await fetch(`${url}/metrics`)).text()).toContain('process_cpu_seconds_total');
    expect((await fetch(`${url}/api/v1/systems`)).status).toBe(404);
    expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(404);
  }
  for (const path of ['/healthz', '/readyz'])
    expect((await fetch(service.url + path)).status, path).toBe(200);
  expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
  // Computed at most once a second.
  await expect
    .poll(async () => (await fetch(`${management}/metrics`)).text())
    .toMatch(/parapet_http_requests_total\{.*status="404"\} 1/);
});

it('responds to its own addresses and names only, so that no page can rebind a name to it', async () => {
  const [, management] = await serve('api', { PARAPET_MANAGEMENT_PORT: '0' });
  const statusOf = async (...hosts: string[]) =>
    (await sendLines(management, ['GET /metrics HTTP/1.1', ...hosts.map(host => `Host: ${host}`)])).status;
  for (const host of ['localhost', 'LOCALHOST:9464', '127.0.0.1:1', '[::1]:9464', '10.1.2.3']) {
    expect(await statusOf(host), host).toBe(200);
  }
  for (const host of ['evil.example', 'localhost.evil.example:9464', '127.0.0.1.evil.example', '']) {
    expect(await statusOf(host), host).toBe(403);
  }
  expect(await statusOf()).toBe(403);
});

it('counts and logs a request that its client aborted', async () => {
  const [service, management] = await serve('api');
  const { hostname, port } = new URL(service.url);
  const body = JSON.stringify({ email: 'a@example.com', password: 'x' });
  await asOwner(database.connection, async holder => {
    await holder.query('begin');
    await holder.query('lock table people in access exclusive mode');
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST /dashboard/api/sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await untilWaiting(database.connection, 1);
    socket.destroy();
    await poll('the log', async () => service.log.find(line => /"status":499,.*"msg":"request"/.test(line)));
    await holder.query('rollback');
  });
  expect(await (await fetch(`${management}/metrics`)).text()).toMatch(
    /parapet_http_requests_total\{.*status="499"\} 1/,
  );
});

it('can be turned off, and reports which port or address is not available', async () => {
  const [, management] = await serve('api', { PARAPET_MANAGEMENT_PORT: 'off' });
  expect(management).toBeUndefined();
  const [, taken] = await serve('api', { PARAPET_MANAGEMENT_PORT: '0' });
  const env = { PARAPET_MANAGEMENT_PORT: new URL(taken).port };
  await expect(serve('api', env)).rejects.toThrow(
    /PARAPET_MANAGEMENT_PORT: cannot listen on 127.0.0.1, port \d+ \(EADDRINUSE\)/,
  );
  await expect(serve('api', { PARAPET_MANAGEMENT_HOST: '203.0.113.1' })).rejects.toThrow(
    /PARAPET_MANAGEMENT_HOST: cannot listen on 203.0.113.1, port \d+ \(EADDRNOTAVAIL\)/,
  );
});
