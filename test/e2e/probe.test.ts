import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AuthorizedSource, authorizedSource } from '../support/authorized-source.ts';
import { testAuthority } from '../support/certificates.ts';
import { FaultyRelay } from '../support/faulty-relay.ts';
import { poll } from '../support/poll.ts';
import { type DatabaseServer, startPostgresServer } from '../support/postgres-server.ts';
import { builtProbe, ProbeHome, ProbeProcess } from '../support/probe-process.ts';
import { startService, type TestService } from '../support/service.ts';
import { ServingProcess } from '../support/serving-process.ts';
import type { ClientKey } from '../support/signing-client.ts';

const password = `p4ssword${randomBytes(12).toString('hex')}`;
const shiftedClock = fileURLToPath(new URL('../support/shifted-clock.cjs', import.meta.url));

let service: TestService;
let database: DatabaseServer;
let worker: ServingProcess;
beforeAll(async () => {
  service = await startService();
  const { chain, key } = testAuthority().issue();
  database = await startPostgresServer({ chain, key }, [
    `create role watcher login password '${password}'`,
    'grant pg_monitor to watcher',
    "create role careless login superuser password 'x'",
    'create table patients (id int primary key, name text)',
    'grant all on patients to public',
    // Many places, so that few assessments fill a small spool.
    `do $$ begin for n in 1..60 loop
      execute format('create role admin_of_department_%s login superuser createrole createdb bypassrls', n);
      execute format('create table records_of_department_%s (id int); grant all on records_of_department_%1$s to public', n);
      execute format('create function definer_of_department_%s() returns int security definer language sql as $f$ select 1 $f$', n);
    end loop; end $$`.replaceAll('\n', ' '),
  ]);
  worker = await ServingProcess.work(service.database.url);
});
afterAll(async () => {
  await worker?.kill('SIGTERM');
  await database?.close();
  await service?.close();
});

interface Probed extends AuthorizedSource {
  readonly key: ClientKey;
}

async function probed(): Promise<Probed> {
  const source = await authorizedSource(service, {
    kind: 'postgres',
    connection_mode: 'probe',
    host: `127.0.0.1:${database.port}`,
  });
  const { organizationId, systemId } = source;
  return { ...source, key: await service.mint(organizationId, { kind: 'probe', systemId }) };
}

const targetOf = (source: Probed) => `
  - name: orders
    kind: postgres
    source: ${source.sourceId}
    host: 127.0.0.1:${database.port}
    database: postgres
    user: watcher
    password_env: ORDERS_PASSWORD
    tls: off
    every: 30d`;

const env = { ORDERS_PASSWORD: password };

/** What the findings of a source say, apart from ids and times. */
const findingsOf = ({ store }: Probed) =>
  store.queryOnce({
    text: `select category, locator, severity, title, status, seen, remediation, subject from findings
      order by category, locator`,
  });
const eventsOf = ({ store }: Probed) =>
  store.queryOnce<{ id: string; kind: string; dropped: number | null }>({
    text: `select id, kind, (payload->>'count')::int as dropped from events order by id`,
  });
const inboxIsEmpty = async ({ store }: Probed) =>
  (await store.queryOnce({ text: 'select from event_inbox limit 1' })).length === 0;

/** Assesses once with the probe, and waits until the service has processed everything. */
async function undisturbed(): Promise<Probed> {
  const source = await probed();
  const home = new ProbeHome({ url: service.url, key: source.key, targets: targetOf(source) });
  const probe = new ProbeProcess(home, { env, parameters: ['--once'] });
  expect([await probe.end(), probe.errors]).toEqual([0, '']);
  await poll('the events to be processed', () => inboxIsEmpty(source));
  return source;
}

it('reports what a scan from the inside finds, and sends everything before it ends with --once', async () => {
  const source = await undisturbed();
  const findings = await findingsOf(source);
  expect(findings.length).toBeGreaterThan(50);
  expect(new Set(findings.map(({ status }: { status?: string }) => status))).toEqual(new Set(['open']));
  const [scan] = await source.store.queryOnce<{ status: string; verdict: string }>({
    text: 'select status, verdict, runs_planned = runs_succeeded as complete from scans',
  });
  expect(scan).toEqual({ status: 'completed', verdict: 'fail', complete: true });
  const [state] = await source.store.queryOnce({ text: 'select status from sources' });
  expect(state).toEqual({ status: 'connected' });
});

it('loses nothing and repeats nothing, whatever happens on the way', async () => {
  const expected = await findingsOf(await undisturbed());
  const source = await probed();
  const relay = await FaultyRelay.start(service.url);
  const home = new ProbeHome({
    url: relay.url,
    key: source.key,
    targets: targetOf(source),
    more: 'heartbeat: 10s',
  });
  const program = [process.execPath, '--require', shiftedClock, builtProbe];
  const start = () => new ProbeProcess(home, { program, env: { ...env, CLOCK_AHEAD_MS: '3600000' } });

  // The service is down, and the spool reaches its limit.
  relay.always = 'cut';
  let probe = start();
  await probe.logs('target.assessed');
  for (let times = 2; times <= 9; times++) {
    probe.child.kill('SIGHUP');
    await probe.logs('target.assessed', times);
  }
  expect(home.spooled().includes('spool_full')).toBe(true);

  const whileDown = relay.bodies.length;

  // Killed at any moment, while everything fails in turn.
  for (let kills = 0; kills < 10; kills++) {
    relay.always = undefined;
    relay.faults.push(500, 413, 'slow', 'lose_answer', 503, 'forward');
    const requests = relay.bodies.length;
    await poll('a request', () => relay.bodies.length > requests + (kills % 3));
    await probe.end('SIGKILL');
    probe = start();
  }
  relay.always = undefined;
  relay.faults.push(401, 'lose_answer', 413, 'slow');

  // The service is upgraded: another node takes over.
  const node = await service.addNode();
  await worker.kill('SIGTERM');
  relay.forwardTo(node.url);
  worker = await ServingProcess.work(service.database.url);
  probe.child.kill('SIGHUP');
  await probe.logs('probe.reloaded');
  await probe.logs('target.assessed');
  expect(await probe.end('SIGTERM')).toBe(0);
  const last = new ProbeProcess(home, { env, parameters: ['--once'] });
  expect([await last.end(), last.errors]).toEqual([0, '']);
  await poll('the events to be processed', () => inboxIsEmpty(source));

  expect(await findingsOf(source)).toEqual(expected);
  const stored = new Map((await eventsOf(source)).map(event => [event.id, event]));
  const missing = (bodies: readonly string[]) =>
    [
      ...new Set(bodies.flatMap(body => JSON.parse(body).events.map((event: { id: string }) => event.id))),
    ].filter(id => !stored.has(id));
  expect(missing(relay.bodies.slice(whileDown))).toEqual([]);
  const dropped = [...stored.values()].reduce((sum, event) => sum + (event.dropped ?? 0), 0);
  expect(missing(relay.bodies).length).toBeLessThanOrEqual(dropped);
  expect(dropped).toBeGreaterThan(0);
  const late = await source.store.queryOnce({
    text: `select kind, occurred_at from events where occurred_at > now() + interval '1 minute'`,
  });
  expect(late).toEqual([]);
  await relay.close();
});
