import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { ShieldEvent } from '../../src/contract/shield-events.ts';
import { attacks, harmlessRequests } from '../support/attacks.ts';
import { type AuthorizedSource, authorizedSource } from '../support/authorized-source.ts';
import { FaultyRelay } from '../support/faulty-relay.ts';
import { type FirewalledSite, hasModsecurity3, send, startModsecurity3 } from '../support/firewalls.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { poll } from '../support/poll.ts';
import { startService, type TestService } from '../support/service.ts';
import { ServingProcess } from '../support/serving-process.ts';
import { ForwarderHome, startForwarder } from '../support/shield-forwarder.ts';

const program = fileURLToPath(new URL('../../dist/main/parapet.js', import.meta.url));
const host = 'www.example.com';

let service: TestService;
let worker: ServingProcess;
beforeAll(async () => {
  service = await startService();
  worker = await ServingProcess.work(service.database.url);
});
afterAll(async () => {
  await worker?.kill('SIGTERM');
  await service?.close();
});

const running: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).reverse()) await stop();
});

/** A folder with the configuration of the firewall as on its machine, and its log. */
function rootOf(site: FirewalledSite): string {
  const root = mkdtempSync(join(tmpdir(), 'parapet-root-'));
  running.push(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, 'etc/nginx'), { recursive: true });
  writeFileSync(
    join(root, 'etc/nginx/nginx.conf'),
    `http { server { modsecurity on; modsecurity_rules_file ${site.configuration}; } }\n`,
  );
  for (const path of ['/etc/modsecurity', '/usr/share/modsecurity-crs/rules', site.configuration]) {
    cpSync(path, join(root, path), { recursive: true, dereference: true });
  }
  mkdirSync(dirname(join(root, site.auditLog)), { recursive: true });
  symlinkSync(site.auditLog, join(root, site.auditLog));
  return root;
}

/** The settings file that `parapet shield init` writes, for this service. */
async function settingsFor(source: AuthorizedSource, site: FirewalledSite): Promise<string> {
  const root = rootOf(site);
  const file = join(root, 'shield.yaml');
  const { stderr } = await promisify(execFile)(process.execPath, [
    ...[program, 'shield', 'init', '--config', file, '--root', root],
  ]);
  expect(stderr).toContain('Found modsecurity3 in nginx');
  const { organizationId, systemId } = source;
  const key = await service.mint(organizationId, { kind: 'probe', systemId });
  writeFileSync(join(root, 'key.json'), JSON.stringify(key), { mode: 0o600 });
  const written = readFileSync(file, 'utf8')
    .replace('https://parapet.example.com', service.url)
    .replace('/etc/parapet/shield-key.json', join(root, 'key.json'))
    .replace('/var/lib/parapet-shield', join(root, 'spool'))
    .replace('heartbeat: 1m', 'heartbeat: 10s');
  writeFileSync(file, written);
  return file;
}

function forward(file: string): ChildProcess {
  const child = spawn(process.execPath, [program, 'shield', 'forward', '--config', file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  running.push(() => end(child, 'SIGKILL'));
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}

const shieldOf = async (person: TestPerson, { organizationId, sourceId }: AuthorizedSource) =>
  (await person.client.get(`/organizations/${organizationId}/sources/${sourceId}/shield?days=7`)).json.shield;

/** A website with Shield on. */
async function shielded() {
  const source = await authorizedSource(service, { host });
  const admin = await addPerson(service, source.organizationId, 'owner');
  const on = await admin.client.request(
    'PUT',
    `/organizations/${source.organizationId}/sources/${source.sourceId}/shield`,
    {},
  );
  expect(on.json).toEqual({ shield: { on: true } });
  return { source, admin };
}

async function prepared(site: FirewalledSite) {
  running.push(() => site.close());
  const shield = await shielded();
  return { ...shield, file: await settingsFor(shield.source, site) };
}

const everyAttack = Object.values(attacks).flat();

it.runIf(hasModsecurity3())(
  'shows exactly what the firewall blocked and detected, also when the forwarder is killed',
  async () => {
    const site = await startModsecurity3();
    const { source, admin, file } = await prepared(site);
    const answers = [
      await send(site.port, [...everyAttack.slice(0, 60), ...harmlessRequests.slice(0, 300)], host),
    ];
    const first = forward(file);
    await poll('a heartbeat', async () => (await shieldOf(admin, source)).firewalls.length > 0);
    answers.push(await send(site.port, everyAttack.slice(60, 90), host));
    await end(first, 'SIGKILL');
    answers.push(await send(site.port, everyAttack.slice(90, 100), host));
    const second = forward(file);
    answers.push(await send(site.port, [...everyAttack.slice(100), ...harmlessRequests.slice(300)], host));
    const refused = answers.reduce((sum, answer) => sum + answer.refused, 0);
    const { warned, denied } = await site.logged();
    expect(refused).toBe(denied.size);
    expect(refused).toBeGreaterThan(60);
    const detected = new Set([...warned, ...denied]).size - refused;
    // Ends with everything that was in the log stored and sent.
    await poll(
      'a heartbeat that has read everything',
      async () => (await shieldOf(admin, source)).firewalls[0]?.lag_bytes === 0,
    );
    await end(second, 'SIGTERM');
    await poll('all requests', async () => {
      const { total } = await shieldOf(admin, source);
      return total.blocked + total.detected >= refused + detected;
    });
    const shown = await shieldOf(admin, source);
    expect(shown.total).toEqual({ blocked: refused, detected });
    expect(shown).toMatchObject({
      state: 'on',
      firewalls: [{ engine: 'modsecurity3', mode: 'block', rule_set: 'OWASP_CRS', problem: null }],
    });
    for (const of of ['attacks', 'rules', 'paths', 'networks']) {
      const sum = (action: 'blocked' | 'detected') =>
        shown[of].reduce((total: number, counts: Record<string, number>) => total + counts[action]!, 0);
      expect([of, sum('blocked'), sum('detected')]).toEqual([of, refused, detected]);
    }
    const { text } = await admin.client.get(`/organizations/${source.organizationId}/shield`);
    expect(JSON.parse(text).sources).toMatchObject([{ blocked: refused, detected }]);
  },
);

it.runIf(hasModsecurity3())('opens a finding on a firewall that only detects', async () => {
  const site = await startModsecurity3({ mode: 'DetectionOnly' });
  const { source, admin, file } = await prepared(site);
  expect((await send(site.port, everyAttack, host)).refused).toBe(0);
  const { warned } = await site.logged();
  const forwarder = forward(file);
  await poll('a heartbeat', async () => (await shieldOf(admin, source)).firewalls.length > 0);
  await end(forwarder, 'SIGTERM');
  await poll('all requests', async () => (await shieldOf(admin, source)).total.detected >= warned.size);
  expect((await shieldOf(admin, source)).total).toEqual({ blocked: 0, detected: warned.size });
  await source.store.transaction(transaction =>
    transaction.query({ text: 'update shields set assess_at = now()' }),
  );
  const open = async () =>
    (
      await source.store.queryOnce<{ category: string }>({
        text: `select category from findings where status = 'open' order by category`,
      })
    ).map(({ category }) => category);
  await poll('the findings', async () => (await open()).includes('shield.detects_only'));
  expect(await open()).toEqual(['shield.detects_only', 'shield.rule_set_outdated']);
});

/** A log of ModSecurity 3 with a hundred different blocked requests in each of the last minutes, by a clock that is ahead. */
function floodedLog(minutes: number, aheadMs = 0): string {
  const records = Array.from({ length: minutes * 100 }, (_, index) => {
    const at = Math.floor((Date.now() + aheadMs) / 60_000 - minutes + Math.floor(index / 100)) * 60_000;
    return JSON.stringify({
      transaction: {
        ...{ client_ip: '192.0.2.7', time_stamp: new Date(at).toUTCString(), unique_id: `${at / 1_000}41.6` },
        request: {
          ...{ method: 'GET', uri: `/catalog/products/winter/jackets/page${index % 100}` },
          headers: { Host: host },
        },
        response: { http_code: 403 },
        producer: { modsecurity: 'ModSecurity v3.0.9', secrules_engine: 'Enabled', components: [] },
        messages: [{ details: { ruleId: '949110', severity: '2', tags: [] } }],
      },
    });
  });
  return `${records.join('\n')}\n`;
}

/** A website with Shield, a service behind a relay, and a forwarder that reads a log. */
async function behindRelay() {
  const { source, admin } = await shielded();
  const relay = await FaultyRelay.start(service.url);
  running.push(() => relay.close());
  const { organizationId, systemId } = source;
  const key = await service.mint(organizationId, { kind: 'probe', systemId });
  const log = join(mkdtempSync(join(tmpdir(), 'parapet-log-')), 'audit.log');
  running.push(() => rmSync(dirname(log), { recursive: true }));
  const makeHome = (options: { readonly spoolSize?: string; readonly heartbeat?: string } = {}) => {
    const settings = ['logs:', '  - engine: modsecurity3', `    path: ${log}`];
    const home = new ForwarderHome({ url: relay.url, key, settings, ...options });
    running.push(() => home.remove());
    return home;
  };
  return { source, admin, relay, log, makeHome };
}

it('reports what a full spool dropped, and sends the rest once', async () => {
  const { source, admin, relay, log, makeHome } = await behindRelay();
  const { organizationId, store } = source;
  // As many requests as are counted before they are stored: one event for each minute.
  const minutes = 20;
  writeFileSync(log, floodedLog(minutes));
  const home = makeHome({ spoolSize: '256 KB', heartbeat: '1h' });
  // The service is down.
  relay.always = 'cut';
  const first = startForwarder(home);
  running.push(() => first.end('SIGKILL'));
  const stateOf = (name: RegExp) => {
    const file = readdirSync(home.spool).find(one => name.test(one));
    return file && JSON.parse(readFileSync(join(home.spool, file), 'utf8'));
  };
  await poll('the log to be read', () => stateOf(/^state-.*\.json$/)?.state.records === minutes * 100);
  await poll('events to be dropped', () => stateOf(/^spool\.json$/)?.dropped.length > 0);
  await poll('the last step to end', () => stateOf(/^state-.*\.json$/)?.events.length === 0);
  await first.end('SIGKILL');
  const [dropped] = stateOf(/^spool\.json$/).dropped;
  const left = readdirSync(home.spool)
    .filter(name => name.startsWith('events-'))
    .flatMap(name => readFileSync(join(home.spool, name), 'utf8').trim().split('\n'))
    .map(line => JSON.parse(line).event);
  // One heartbeat.
  expect(dropped).toMatchObject({ reason: 'spool_full', count: minutes + 1 - left.length });
  expect(dropped.count).toBeGreaterThan(5);
  expect(left.length).toBeGreaterThan(2);

  relay.always = undefined;
  relay.faults.push('lose_answer', 503, 'lose_answer');
  const second = startForwarder(home);
  running.push(() => second.end('SIGKILL'));
  const forwarderOf = async () =>
    (await admin.client.get(`/organizations/${organizationId}/shield`)).json.forwarders[0];
  await poll('the report', async () => (await forwarderOf())?.dropped > 0);
  expect(await second.end('SIGTERM')).toBe(0);
  await poll('the events to be processed', async () => {
    return (await store.queryOnce({ text: 'select from event_inbox limit 1' })).length === 0;
  });
  expect(await forwarderOf()).toMatchObject({ name: 'edge', dropped: dropped.count, ignored: 0 });
  expect((await shieldOf(admin, source)).total).toEqual({ blocked: left.length * 100, detected: 0 });
  const stored = await store.queryOnce<{ id: string; kind: string; dropped: number | null }>({
    text: `select id, kind, (payload->>'count')::int as dropped from events`,
  });
  const ids = (kind: string) =>
    stored
      .filter(event => event.kind === kind)
      .map(({ id }) => id)
      .sort();
  expect(ids('shield.requests')).toEqual(left.map(({ id }) => id).sort());
  expect(ids('shield.dropped')).toEqual([dropped.id]);
  expect(stored.find(({ kind }) => kind === 'shield.dropped')?.dropped).toBe(dropped.count);
});

it('reports when requests occurred on a host whose clock is ahead', async () => {
  const { source, admin, relay, log, makeHome } = await behindRelay();
  const { store } = source;
  const home = makeHome();
  const aheadMs = 2 * 3_600_000;
  const minutes = 20;
  const startedAt = Date.now();
  writeFileSync(log, floodedLog(minutes, aheadMs));
  // The time of the service is not known yet.
  relay.always = 'cut';
  const first = startForwarder(home, 'forward', aheadMs);
  running.push(() => first.end('SIGKILL'));
  await poll('the log to be read', () => home.spooled().split('"shield.requests"').length > minutes);
  await first.end('SIGKILL');
  relay.always = undefined;
  const second = startForwarder(home, 'forward', aheadMs);
  running.push(() => second.end('SIGKILL'));
  await second.logs('events.sent');
  appendFileSync(log, floodedLog(minutes, aheadMs));
  const shown = async () => (await shieldOf(admin, source)).total;
  await poll('all requests', async () => (await shown()).blocked >= 2 * minutes * 100);
  expect(await second.end('SIGTERM')).toBe(0);
  expect(await shown()).toEqual({ blocked: 2 * minutes * 100, detected: 0 });
  const stored = await store.queryOnce<{ payload: ShieldEvent }>({ text: 'select payload from events' });
  const times = stored.flatMap(({ payload }) =>
    (JSON.stringify(payload).match(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)/g) ?? []).map(text =>
      Date.parse(text),
    ),
  );
  expect(times.length).toBeGreaterThan(1_000);
  // The `Date` header of answers has whole seconds.
  expect(Math.min(...times)).toBeGreaterThan(startedAt - (minutes + 1) * 60_000 - 2_000);
  expect(Math.max(...times)).toBeLessThan(Date.now() + 2_000);
});
