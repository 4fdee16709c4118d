import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AuthorizedSource, authorizedSource } from '../support/authorized-source.ts';
import { testAuthority } from '../support/certificates.ts';
import { expectAbsent } from '../support/expect-absent.ts';
import { FaultyRelay } from '../support/faulty-relay.ts';
import { poll } from '../support/poll.ts';
import { type DatabaseServer, startPostgresServer } from '../support/postgres-server.ts';
import { builtProbe, ProbeHome, ProbeProcess } from '../support/probe-process.ts';
import { startService, type TestService } from '../support/service.ts';
import { ServingProcess } from '../support/serving-process.ts';
import type { ClientKey } from '../support/signing-client.ts';
import { Tap } from '../support/tap.ts';

const password = `p4ssword${randomBytes(12).toString('hex')}`;
const shiftedClock = fileURLToPath(new URL('../support/shifted-clock.cjs', import.meta.url));

const buildExecutable = fileURLToPath(
  new URL('../../maintenance/build-probe-executable.ts', import.meta.url),
);

/** Secrets in the database that no event may contain. */
const planted = {
  row: 'Mallory Mustermann 1970',
  roleId: 'r0le-password-4711',
  code: 'code-secret-in-a-function',
  view: 'secret-in-a-view-definition',
  columnDefault: 'secret-in-a-column-default',
  comment: 'secret-in-a-comment',
  policy: 'secret-in-a-policy-condition',
  setting: 'secret-in-a-setting',
};

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
    `insert into patients values (1, '${planted.row}')`,
    `create role clerk login password '${planted.roleId}'`,
    `create function login_as() returns text security definer language sql as $f$ select '${planted.code}' $f$`,
    `create view everyone as select '${planted.view}' as key from patients`,
    `alter table patients add column token text default '${planted.columnDefault}'`,
    `comment on table patients is '${planted.comment}'`,
    `create policy own on patients using (name = '${planted.policy}')`,
    `alter role clerk set my.setting = '${planted.setting}'`,
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

/** Runs SQL as a superuser. */
async function inDatabase(text: string): Promise<void> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port: database.port,
    user: 'careless',
    password: 'x',
    database: 'postgres',
  });
  await client.connect();
  await client.query(text);
  await client.end();
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

/** The ids of the events in the spool of a probe that was killed, and how many were dropped, by the id of their report. */
function spooledEvents({ spool }: ProbeHome) {
  const state = JSON.parse(readFileSync(join(spool, 'spool.json'), 'utf8'));
  const events = readdirSync(spool)
    .filter(name => Number(/^events-(\d+)/.exec(name)?.[1]) >= state.position.segment)
    // The last line may be incomplete.
    .flatMap(name => readFileSync(join(spool, name), 'utf8').split('\n').slice(0, -1))
    .map(line => JSON.parse(line).event);
  const reports = events.filter(({ kind }) => kind === 'probe.dropped');
  return {
    ids: events.map(({ id }): string => id),
    dropped: new Map<string, number>([...state.dropped, ...reports].map(({ id, count }) => [id, count])),
  };
}

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

it('exits with 2 if a target failed, tries it again after a restart, and reports an empty spool and its end', async () => {
  const source = await probed();
  const home = new ProbeHome({
    url: service.url,
    key: source.key,
    targets: targetOf(source),
    more: 'heartbeat: 1d',
  });
  const failing = new ProbeProcess(home, { parameters: ['--once'] });
  expect([await failing.end(), failing.errors]).toEqual([
    2,
    'parapet-probe: not assessed: orders (credential_missing)\n',
  ]);
  const probe = new ProbeProcess(home, { env });
  await probe.logs('target.assessed');
  const known = async () => {
    const [row] = await source.store.queryOnce<{ events: number; state: string }>({
      text: 'select spool_events as events, state from probes p join probe_targets t on t.probe_id = p.id',
    });
    return row;
  };
  // The next heartbeat is due in a day: another one follows when the events that the last one states are sent.
  await poll('a heartbeat without waiting events', async () => {
    const row = await known();
    return row?.state === 'ok' && row.events === 0 ? row : undefined;
  });
  const heartbeats = async () =>
    (await eventsOf(source)).filter(({ kind }) => kind === 'probe.heartbeat').length;
  const before = await heartbeats();
  expect(await probe.end('SIGTERM')).toBe(0);
  expect(await heartbeats()).toBe(before + 1);
});

it('sends, stores and logs no password, row, query or code, however it is encoded', async () => {
  const source = await probed();
  const tap = await Tap.start(service.url);
  const home = new ProbeHome({ url: tap.url, key: source.key, targets: targetOf(source) });
  // Everything waits in the spool.
  tap.isOpen = false;
  const cutOff = new ProbeProcess(home, { env });
  await cutOff.logs('target.assessed');
  await cutOff.end('SIGKILL');
  const spooled = home.spooled();
  expect(spooled).toContain('table public.patients');
  tap.isOpen = true;
  const probe = new ProbeProcess(home, { env, parameters: ['--once'] });
  expect([await probe.end(), probe.errors]).toEqual([0, '']);
  await tap.close();
  const { token, signing_key } = source.key;
  const authorization = `authorization: Bearer ${token}\r\n`;
  expect(tap.sent).toContain(authorization);
  // The rest can be read: it is neither compressed nor encrypted.
  const stored = await eventsOf(source);
  expect(stored.map(({ kind }) => kind)).toContain('probe.assessment');
  for (const { id } of stored) expect(tap.sent).toContain(id);
  expect(tap.sent).toContain('table public.patients');
  expectAbsent([password, ...Object.values(planted), token, signing_key], {
    sent: tap.sent.replaceAll(authorization, ''),
    spooled: `${spooled}${home.spooled()}`,
    logged: [...cutOff.output, cutOff.errors, ...probe.output].join('\n'),
  });
});

it('reports what changed in the database since the last assessment, without values', async () => {
  const source = await probed();
  const home = new ProbeHome({ url: service.url, key: source.key, targets: targetOf(source) });
  const once = async () => {
    const probe = new ProbeProcess(home, { env, parameters: ['--once'] });
    expect([await probe.end(), probe.errors]).toEqual([0, '']);
  };
  await once();
  await inDatabase(`create role newcomer login; alter role watcher set statement_timeout = '65s';
    create table public.rooms (id int, note text); grant select on public.rooms to newcomer`);
  await once();
  await poll('the events to be processed', () => inboxIsEmpty(source));
  const changes = await source.store.queryOnce({
    text: 'select area, name, change from source_changes order by area, name',
  });
  expect(changes).toEqual([
    { area: 'grant', name: 'table public.rooms', change: 'added' },
    { area: 'role', name: 'newcomer', change: 'added' },
    { area: 'setting', name: 'statement_timeout of watcher in all databases', change: 'added' },
  ]);
  await inDatabase('grant update (note) on public.rooms to newcomer');
  await once();
  await poll('the change to be processed', async () => {
    const newest = await source.store.queryOnce({
      text: `select name from source_changes where area = 'grant' and change = 'changed'`,
    });
    return newest.length > 0 ? newest : undefined;
  });
});

it('checks every target, and prints what it would send without sending it', async () => {
  const source = await probed();
  const relay = await FaultyRelay.start(service.url);
  const unreachable = `
  - name: away
    kind: mysql
    source: 00000000-0000-4000-8000-000000000001
    host: 127.0.0.1:1
    user: watcher
    password_env: MISSING`;
  const home = new ProbeHome({ url: relay.url, key: source.key, targets: targetOf(source) + unreachable });
  const probe = new ProbeProcess(home, { env, command: 'check' });
  expect(await probe.end()).toBe(1);
  const lines = probe.errors.split('\n');
  const reasons = lines.filter(line => line.startsWith(' '.repeat(10)));
  expect(reasons.length).toBeGreaterThan(0);
  expect(lines.filter(line => !reasons.includes(line))).toEqual([
    `ok      ${relay.url}: the key is valid`,
    'Assessing orders …',
    expect.stringMatching(/^ok {6}orders: 13 detectors, \d+ findings$/),
    expect.stringMatching(/^ {8}not assessed: \d+ checks, because:$/),
    'Assessing away …',
    '        the environment variable MISSING is not set, or not exported',
    'FAILED  away: credential_missing. The secret could not be read, for the reason above.',
    '',
  ]);
  expect(relay.bodies).toEqual(['{"events":[null]}']);
  expect(await eventsOf(source)).toEqual([]);
  const [orders, away, heartbeat] = probe.output.map(line => JSON.parse(line).events[0]);
  expect(orders).toMatchObject({ kind: 'probe.assessment', source_id: source.sourceId, schema: 1 });
  expect(away).toMatchObject({ error_code: 'credential_missing', results: [] });
  expect(heartbeat).toMatchObject({
    kind: 'probe.heartbeat',
    targets: [
      { name: 'orders', state: 'ok' },
      { name: 'away', state: 'failing' },
    ],
  });
  await relay.close();
});

it('says that a dashboard key is the wrong one, and keeps the events', async () => {
  const source = await probed();
  const key = await service.mint(source.organizationId, { scopes: ['ingest'] });
  const home = new ProbeHome({ url: service.url, key, targets: targetOf(source) });
  const check = new ProbeProcess(home, { env, command: 'check' });
  expect(await check.end()).toBe(1);
  expect(check.errors).toContain('the key is a dashboard key, which belongs to no system: use a probe key');
  const probe = new ProbeProcess(home, { env });
  await poll('the refusal', () => probe.output.find(line => line.includes('use a probe key')));
  await probe.end('SIGTERM');
  expect(probe.output.join()).not.toContain('set_aside');
});

it('reports what did not fit on the disk, and sends it the next time', async () => {
  const source = await probed();
  const home = new ProbeHome({ url: service.url, key: source.key, targets: targetOf(source) });
  // Files of at most 4 KB, by a limit of the system.
  const limited = ['/bin/sh', '-c', 'ulimit -f 8; exec "$@"', 'sh', process.execPath, builtProbe];
  const full = new ProbeProcess(home, { env, program: limited, parameters: ['--once'] });
  expect([await full.end(), full.errors]).toEqual([0, '']);
  await poll('the events to be processed', () => inboxIsEmpty(source));
  const kinds = async () => new Set((await eventsOf(source)).map(({ kind }) => kind));
  expect(await kinds()).toEqual(new Set(['probe.dropped', 'probe.heartbeat']));
  const [lost] = await source.store.queryOnce({
    text: `select payload->>'reason' as reason from events where kind = 'probe.dropped'`,
  });
  expect(lost).toEqual({ reason: 'disk_full' });
  expect(await findingsOf(source)).toEqual([]);
  const roomy = new ProbeProcess(home, { env, parameters: ['--once'] });
  expect([await roomy.end(), roomy.errors]).toEqual([0, '']);
  expect(await kinds()).toContain('probe.assessment');
});

it('runs from one file in an empty folder, with Node and without', async () => {
  const closed = mkdtempSync(join(tmpdir(), 'parapet-closed-'));
  const folder = mkdtempSync(join(tmpdir(), 'parapet-alone-'));
  // As root, sandbox processes run as another user.
  chmodSync(folder, 0o711);
  copyFileSync(builtProbe, join(folder, 'parapet-probe.cjs'));
  const executable = join(folder, 'parapet-probe');
  await promisify(execFile)(process.execPath, ['--import', 'tsx', buildExecutable, executable]);
  for (const program of [[process.execPath, join(folder, 'parapet-probe.cjs')], [executable]]) {
    const source = await probed();
    const home = new ProbeHome({ url: service.url, key: source.key, targets: targetOf(source) });
    // Without Node on the PATH.
    const probe = new ProbeProcess(home, {
      env: { ...env, PATH: '/usr/bin:/bin' },
      program,
      parameters: ['--once'],
    });
    expect([await probe.end(), probe.errors]).toEqual([0, '']);
    await poll('the events to be processed', () => inboxIsEmpty(source));
    expect((await findingsOf(source)).length, probe.output.join('\n')).toBeGreaterThan(50);
  }
  if (process.getuid?.() === 0) {
    renameSync(executable, join(closed, 'parapet-probe'));
    const run = promisify(execFile)(join(closed, 'parapet-probe'), ['--help']);
    await expect(run).rejects.toThrow(`${closed} is closed to other users`);
    renameSync(join(closed, 'parapet-probe'), executable);
  }
  expect(statSync(join(folder, 'parapet-probe.cjs')).size).toBeLessThan(6_000_000);
  expect(statSync(executable).size).toBeLessThan(150_000_000);
}, 300_000);

it('refuses a folder that another probe uses, and a configuration with mistakes', async () => {
  const source = await probed();
  const home = new ProbeHome({ url: service.url, key: source.key, targets: targetOf(source) });
  const first = new ProbeProcess(home, { env: { ...env, HTTPS_PROXY: 'socks5://127.0.0.1' } });
  await first.logs('target.assessed');
  const second = new ProbeProcess(home, { env });
  expect([await second.end(), second.errors]).toEqual([
    1,
    `parapet-probe: another process of Parapet uses ${home.spool}. Stop it, or set another spool folder\n`,
  ]);
  // A reload with a mistake, or with another spool, changes nothing; one without it applies.
  const good = readFileSync(home.configuration, 'utf8');
  writeFileSync(home.configuration, good.replace('kind: postgres', 'kind: oracle'));
  first.child.kill('SIGHUP');
  await first.logs('probe.not_reloaded');
  writeFileSync(home.configuration, good.replace(home.spool, `${home.spool}-other`));
  first.child.kill('SIGHUP');
  await first.logs('probe.not_reloaded', 2);
  writeFileSync(home.configuration, good.replace('http://127.0.0.1', 'https://127.0.0.1'));
  first.child.kill('SIGHUP');
  await first.logs('probe.not_reloaded', 3);
  expect(first.output.at(-1)).toContain('HTTPS_PROXY must be the URL of an HTTP proxy');
  writeFileSync(home.configuration, good);
  const keyFile = join(home.folder, 'key.json');
  chmodSync(keyFile, 0o644);
  first.child.kill('SIGHUP');
  await first.logs('probe.not_reloaded', 4);
  expect(first.output.at(-1)).toContain(`chmod 600 ${keyFile}`);
  expect([first.count('target.assessed'), first.count('probe.reloaded')]).toEqual([1, 0]);
  chmodSync(keyFile, 0o600);
  first.child.kill('SIGHUP');
  await first.logs('target.assessed', 2);
  expect(first.count('probe.reloaded')).toBe(1);
  expect(await first.end('SIGTERM')).toBe(0);
});

it.each(['run', 'check'])('does not %s with a key that all users can read', async command => {
  const source = await probed();
  const home = new ProbeHome({ url: service.url, key: source.key, targets: targetOf(source) });
  const keyFile = join(home.folder, 'key.json');
  chmodSync(keyFile, 0o644);
  const probe = new ProbeProcess(home, { env, command });
  expect([await probe.end(), probe.output, probe.errors]).toEqual([
    1,
    [],
    `parapet-probe: all users can read or change the key in ${keyFile}: run \`chmod 600 ${keyFile}\`\n`,
  ]);
});

it('states when its process started, with a wrong clock and after a reload', async () => {
  const source = await probed();
  const home = new ProbeHome({ url: service.url, key: source.key, targets: targetOf(source) });
  const program = [process.execPath, '--require', shiftedClock, builtProbe];
  const before = Date.now();
  const probe = new ProbeProcess(home, { program, env: { ...env, CLOCK_AHEAD_MS: '3600000' } });
  await probe.logs('target.assessed');
  const after = Date.now();
  probe.child.kill('SIGHUP');
  await probe.logs('target.assessed', 2);
  expect(await probe.end('SIGTERM')).toBe(0);
  const heartbeats = await source.store.queryOnce<{ started: string }>({
    text: "select payload->>'started_at' as started from events where kind = 'probe.heartbeat'",
  });
  expect(heartbeats.length).toBeGreaterThanOrEqual(3);
  // The service's time is known within two seconds.
  const isRight = (time: number) => time > before - 2_000 && time < after + 2_000;
  expect(heartbeats.filter(({ started }) => !isRight(Date.parse(started)))).toEqual([]);
});

it('ends with one line if its spool is removed', async () => {
  const source = await probed();
  const home = new ProbeHome({
    url: service.url,
    key: source.key,
    targets: targetOf(source),
    more: 'heartbeat: 10s',
  });
  const probe = new ProbeProcess(home, { env });
  await probe.logs('target.assessed');
  // The probe may write a file meanwhile.
  rmSync(home.spool, { recursive: true, maxRetries: 10, retryDelay: 20 });
  expect([await probe.end(), probe.errors]).toEqual([
    1,
    expect.stringMatching(
      /^parapet-probe: the spool folder .*\/spool can no longer be used: ENOENT[^\n]*\n$/,
    ),
  ]);
});

it('ends at once while a command for a password runs, and reports no failure', async () => {
  const source = await probed();
  const targets = targetOf(source).replace('password_env: ORDERS_PASSWORD', 'password_command: sleep 25');
  const home = new ProbeHome({ url: service.url, key: source.key, targets });
  const probe = new ProbeProcess(home, { env });
  await poll('the first heartbeat', async () => (await eventsOf(source)).length > 0);
  const asked = performance.now();
  expect(await probe.end('SIGTERM')).toBe(0);
  expect(performance.now() - asked).toBeLessThan(15_000);
  expect((await eventsOf(source)).map(({ kind }) => kind)).not.toContain('probe.assessment');
});

it('loses nothing and repeats nothing, whatever happens on the way', { timeout: 300_000 }, async () => {
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
  for (let times = 2; !home.spooled().includes('spool_full'); times++) {
    probe.child.kill('SIGHUP');
    await probe.logs('target.assessed', times);
  }

  // With more room, nothing more is dropped: what was sent in vain is sent again.
  await probe.end('SIGKILL');
  const waiting = spooledEvents(home);
  const configuration = readFileSync(home.configuration, 'utf8');
  writeFileSync(home.configuration, configuration.replace('max_size: 256 KB', 'max_size: 8 MB'));
  const whileDown = relay.bodies.length;
  probe = start();

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
  // With the same clock: times that were recorded before the service’s was known are corrected by its error.
  const last = new ProbeProcess(home, {
    program,
    env: { ...env, CLOCK_AHEAD_MS: '3600000' },
    parameters: ['--once'],
  });
  expect([await last.end(), last.errors]).toEqual([0, '']);
  await poll('the events to be processed', () => inboxIsEmpty(source));

  expect(await findingsOf(source)).toEqual(expected);
  const stored = await eventsOf(source);
  const ids = new Set(stored.map(({ id }) => id));
  expect(stored).toHaveLength(ids.size);
  const missing = (bodies: readonly string[]) =>
    [
      ...new Set(bodies.flatMap(body => JSON.parse(body).events.map((event: { id: string }) => event.id))),
    ].filter(id => !ids.has(id));
  expect(waiting.ids.filter(id => !ids.has(id))).toEqual([]);
  expect(missing(relay.bodies.slice(whileDown))).toEqual([]);
  // What the spool counted as dropped, and nothing else, is reported as such, each once.
  const dropped = stored.filter(({ kind }) => kind === 'probe.dropped');
  expect(new Map(dropped.map(({ id, dropped: count }) => [id, count]))).toEqual(waiting.dropped);
  const lost = [...waiting.dropped.values()].reduce((sum, count) => sum + count, 0);
  expect(lost).toBeGreaterThan(0);
  // The oldest events were sent in vain before they were dropped; of the others, only their number is known.
  expect(missing(relay.bodies).length).toBeLessThanOrEqual(lost);
  const late = await source.store.queryOnce({
    text: `select kind, occurred_at from events where occurred_at > now() + interval '1 minute'`,
  });
  expect(late).toEqual([]);
  await relay.close();
});
