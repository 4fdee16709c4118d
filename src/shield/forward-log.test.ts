import { randomUUID } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import {
  appendFile,
  copyFile,
  mkdir,
  mkdtemp,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { attacks, harmlessRequests } from '../../test/support/attacks.ts';
import {
  type FirewalledSite,
  type FirewallOptions,
  hasModsecurity2,
  hasModsecurity3,
  send,
  startModsecurity2,
  startModsecurity3,
} from '../../test/support/firewalls.ts';
import { poll } from '../../test/support/poll.ts';
import { MemorySink } from '../../test/support/shield-sink.ts';
import type { AuditLogEngine } from './audit-logs/read-record.ts';
import { ConfigurationFiles } from './configuration/configuration-files.ts';
import { readDirectives } from './configuration/read-directives.ts';
import { type ForwardLogOptions, forwardLog, initialLogState, type LogState } from './forward-log.ts';

import { RulesOfLog } from './rules-of-log.ts';

const running: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).reverse()) await stop();
});

const identity = { name: 'shop', version: '0.1.0', instance: randomUUID() };

/** Forwards the log of a site until it is stopped, which reads everything first. */
async function forwarding(
  engine: AuditLogEngine,
  site: FirewalledSite,
  sink: MemorySink<LogState>,
  changes: Partial<ForwardLogOptions> = {},
) {
  const { book } = await readDirectives(new ConfigurationFiles('/'), [{ file: site.configuration }]);
  const stopping = new AbortController();
  const done = forwardLog({
    ...{
      engine,
      path: site.auditLog,
      state: sink.state,
      book: async () => book,
      strip: { clients: 'network' },
      identity,
      sink,
    },
    ...{ flushSeconds: 0, heartbeatSeconds: 60, signal: stopping.signal },
    follow: { pollMilliseconds: 20, lingerMilliseconds: 300 },
    ...changes,
  });
  const stop = async () => {
    stopping.abort();
    await done;
  };
  running.push(stop);
  return { stop };
}

/** Requests in an order in which kinds are mixed. */
const everyAttack = Object.values(attacks).flat();
const mixed = [...everyAttack, ...harmlessRequests.slice(0, 200)].sort((a, b) => hash(a.path) - hash(b.path));
function hash(text: string): number {
  let value = 7;
  for (const letter of text) value = (Math.imul(value, 31) + letter.codePointAt(0)!) >>> 0;
  return value;
}

const products = [
  ['modsecurity3', hasModsecurity3(), startModsecurity3],
  ['modsecurity2', hasModsecurity2(), startModsecurity2],
] as const;

describe.each(products)('%s', (engine, isInstalled, start) => {
  const started = async (options: FirewallOptions = {}) => {
    const site = await start(options);
    running.push(() => site.close());
    return site;
  };
  const totalOf = (sink: MemorySink<LogState>) =>
    Object.values(sink.counts('action')).reduce((sum, count) => sum + count, 0);

  it.runIf(isInstalled)('counts what the firewall answered, across rotations and restarts', async () => {
    const site = await started();
    const sink = new MemorySink(initialLogState);
    const first = await forwarding(engine, site, sink);
    const third = Math.ceil(mixed.length / 3);
    const answers = [await send(site.port, mixed.slice(0, third))];
    await rename(site.auditLog, `${site.auditLog}.1`);
    // Still into the renamed file.
    answers.push(await send(site.port, everyAttack.slice(0, 10)));
    await site.logged();
    await site.reopen();
    answers.push(await send(site.port, mixed.slice(third, 2 * third)));
    const { ino } = await stat(site.auditLog);
    await poll('the new log', () => sink.state.position?.inode === ino);
    await first.stop();
    answers.push(await send(site.port, everyAttack.slice(10, 20)));
    await site.logged();
    await copyFile(site.auditLog, `${site.auditLog}.2`);
    await truncate(site.auditLog);
    const second = await forwarding(engine, site, sink);
    // To addresses: a rule matches these, which does not suffice to deny them.
    answers.push(await send(site.port, harmlessRequests.slice(0, 100), `127.0.0.1:${site.port}`));
    answers.push(await send(site.port, mixed.slice(2 * third)));
    const refused = answers.reduce((sum, answer) => sum + answer.refused, 0);
    expect(refused).toBeGreaterThan(100);
    const { warned, denied } = await site.logged();
    expect(denied.size).toBe(refused);
    const all = new Set([...warned, ...denied]).size;
    await poll('all requests', () => totalOf(sink) >= all);
    await second.stop();
    expect(sink.counts('action')).toEqual({ blocked: refused, detected: all - refused });
    expect(sink.counts('host')).toMatchObject({ '127.0.0.1': 100 });
    expect(sink.state).toMatchObject({ malformed: 0, tooLong: 0 });
    for (const kind of [
      'sqli',
      'xss',
      'lfi',
      'rfi',
      'rce',
      'php',
      'scanner',
      'protocol',
      'fixation',
      'method',
    ])
      expect(sink.counts('attack')).toHaveProperty(kind);
  });

  it.runIf(isInstalled)('counts what the firewall only detected', async () => {
    const site = await started({ mode: 'DetectionOnly' });
    const sink = new MemorySink(initialLogState);
    const forwarder = await forwarding(engine, site, sink);
    expect(await send(site.port, [...everyAttack, ...harmlessRequests.slice(0, 100)])).toMatchObject({
      refused: 0,
    });
    const { warned, denied } = await site.logged();
    expect(warned.size).toBeGreaterThan(100);
    expect(denied.size).toBe(0);
    await poll('all requests', () => totalOf(sink) >= warned.size);
    await forwarder.stop();
    expect(sink.counts('action')).toEqual({ detected: warned.size });
  });

  it.runIf(isInstalled)('reads a concurrent log', async () => {
    const site = await started({ log: 'Concurrent' });
    const sink = new MemorySink(initialLogState);
    const forwarder = await forwarding(engine, site, sink, { storage: site.storage });
    const { refused } = await send(site.port, everyAttack.slice(0, 24));
    await poll('all requests', () => totalOf(sink) >= refused);
    await forwarder.stop();
    expect(sink.counts('action')).toEqual({ blocked: refused });
    expect(sink.state.malformed).toBe(0);
  });

  it.runIf(isInstalled)('sends no secret of a request in any spelling', async () => {
    const site = await started();
    const sink = new MemorySink(initialLogState);
    const forwarder = await forwarding(engine, site, sink);
    const secretOf = (place: string) => `${place}-Sup3rS3cret-${randomUUID()}`;
    const names = [
      'query',
      'name',
      'form',
      'json',
      'cookie',
      'bearer',
      'basic',
      'path',
      'header',
      'agent',
      'referer',
    ];
    const secret = Object.fromEntries(names.map(name => [name, secretOf(name)]));
    const attack = "' OR 1=1-- <script>alert(1)";
    const encoded = (text: string) => encodeURIComponent(text).replaceAll("'", '%27');
    const headers = {
      cookie: `session=${secret.cookie}${encoded(attack)}`,
      authorization: `Bearer ${secret.bearer}${encoded(attack)}`,
      'user-agent': `sqlmap ${secret.agent}`,
      'x-api-version': `\u0024{jndi:ldap://${secret.header}}`,
      referer: `http://www.example.com/?token=${secret.referer}&q=${encoded(attack)}`,
    };
    const path = `/reset/${secret.path}/${encoded(`${attack}${secret.path}`)}`;
    const query = `${encoded(`${secret.name}<script>`)}=1&q=${encoded(`${secret.query}${attack}`)}`;
    const basic = Buffer.from(`alex:${secret.basic}`).toString('base64');
    const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
    const json = { ...headers, 'content-type': 'application/json', authorization: `Basic ${basic}` };
    const { refused } = await send(site.port, [
      { method: 'GET', path: `${path}?${query}`, headers },
      { method: 'POST', path, headers: form, body: `password=${encoded(`${secret.form}${attack}`)}` },
      { method: 'POST', path, headers: json, body: JSON.stringify({ password: `${secret.json}${attack}` }) },
    ]);
    expect(refused).toBe(3);
    await poll('all requests', () => totalOf(sink) >= 3);
    await forwarder.stop();
    const groups = sink.requests.flatMap(one => one.groups);
    expect(new Set(groups.map(({ path }) => path))).toEqual(new Set(['/reset/:id/:data']));
    expect(new Set(groups.map(({ authenticated }) => authenticated))).toEqual(new Set([true]));
    expect(groups[0]?.rule?.message).toBe('Found User-Agent associated with security scanner');
    const log = await readFile(site.auditLog, 'utf8');
    const sent = JSON.stringify([sink.events, sink.state]).toLowerCase();
    expect(log).toContain(secret.query);
    for (const value of [...Object.values(secret), basic]) {
      const bytes = Buffer.from(value);
      const spellings = [
        ...[value, encodeURIComponent(value), bytes.toString('hex'), value.replaceAll('-', '%2d')],
        ...[0, 1, 2].map(shift =>
          Buffer.concat([Buffer.alloc(shift), bytes])
            .toString('base64')
            .slice(4, -4),
        ),
        ...[value.slice(-12), 'sup3rs3cret'],
      ];
      for (const spelling of spellings) expect(sent).not.toContain(spelling.toLowerCase());
    }
  });
});

it.runIf(hasModsecurity3())('knows a rule that is added while it runs', async () => {
  const site = await startModsecurity3();
  running.push(() => site.close());
  const root = await mkdtemp(join(tmpdir(), 'forward-log-'));
  running.push(() => rm(root, { recursive: true, force: true }));
  await mkdir(join(root, 'etc/nginx'), { recursive: true });
  const nginx = 'http { modsecurity on; modsecurity_rules_file /rules.conf; }\n';
  await writeFile(join(root, 'etc/nginx/nginx.conf'), nginx);
  await writeFile(join(root, 'rules.conf'), 'SecRuleEngine On\n');
  const rules = new RulesOfLog('modsecurity3', root, { intervalMilliseconds: 0 });
  const sink = new MemorySink(initialLogState);
  await forwarding('modsecurity3', site, sink, { book: () => rules.current() });
  const { refused } = await send(site.port, everyAttack.slice(0, 4));
  await poll('the attacks', () => sink.counts('action').blocked === refused);
  const rule = `SecRule REQUEST_URI "@streq /closed" "id:100001,phase:1,deny,status:403,log,msg:'Closed'"\n`;
  for (const file of [site.configuration, join(root, 'rules.conf')]) await appendFile(file, rule);
  await site.reopen();
  expect(await send(site.port, [{ method: 'GET', path: '/closed' }])).toMatchObject({ refused: 1 });
  await poll('the request', () => sink.requests.flatMap(({ groups }) => groups).at(-1)?.path === '/closed');
  expect(sink.requests.flatMap(({ groups }) => groups).at(-1)).toMatchObject({
    ...{ action: 'blocked', rule: { id: '100001', message: 'Closed' } },
  });
});

it('states the firewall, the lag and the websites in heartbeats', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'forward-log-'));
  const path = join(folder, 'audit.log');
  const record = (host: string) => ({
    transaction: {
      ...{
        client_ip: '2001:db8:1:2::3',
        time_stamp: 'Thu Nov 26 09:09:33 2026',
        unique_id: '179568417341.621596',
      },
      request: { method: 'GET', uri: '/a?b=c', headers: { Host: host } },
      response: { http_code: 403 },
      producer: {
        ...{ modsecurity: 'ModSecurity v3.0.9 (Linux)', secrules_engine: 'Enabled' },
        components: ['OWASP_CRS/3.3.4"'],
      },
      messages: [{ message: 'a', details: { ruleId: '949110', severity: '2', tags: ['attack-generic'] } }],
    },
  });
  const hosts = ['a.example', 'B.example:8443', '-not a host-'];
  await writeFile(path, `${hosts.map(host => JSON.stringify(record(host))).join('\n')}\njunk\n`);
  const sink = new MemorySink(initialLogState);
  const stopping = new AbortController();
  const done = forwardLog({
    ...{
      engine: 'modsecurity3',
      path,
      state: sink.state,
      book: async () => new Map(),
      strip: { clients: 'network' },
    },
    ...{ identity, sink, signal: stopping.signal, flushSeconds: 0, heartbeatSeconds: 0 },
  });
  const beats = () => sink.events.filter(event => event.kind === 'shield.heartbeat');
  await poll('a heartbeat', () => beats().some(({ log }) => log?.records === 4));
  stopping.abort();
  await done;
  await rm(folder, { recursive: true, force: true });
  const at = '2026-11-26T09:09:33.000+00:00';
  expect(beats().find(({ log }) => log?.records === 4)).toMatchObject({
    schema: 1,
    forwarder: identity,
    firewall: {
      ...{ engine: 'modsecurity3', version: '3.0.9', mode: 'block' },
      rule_set: { name: 'OWASP_CRS', version: '3.3.4' },
    },
    log: { lag_bytes: 0, records: 4, malformed: 1, too_long: 0, last_record_at: at },
    hosts: [null, 'b.example', 'a.example'].map(host => ({ host, last_seen_at: at })),
  });
  expect(sink.requests[0]?.groups[0]).toMatchObject({
    ...{ network: '2001:db8:1::/48', path: '/a', authenticated: false },
    ...{ action: 'blocked', attack: 'generic', rule: { id: '949110', message: null, severity: 'critical' } },
  });
});

/** Forwards a file until a condition on what was stored is met. */
async function forwardUntil(
  path: string,
  sink: MemorySink<LogState>,
  isDone: () => boolean,
  options: Pick<ForwardLogOptions, 'onProblem'> = {},
): Promise<void> {
  const stopping = new AbortController();
  const done = forwardLog({
    ...{
      engine: 'modsecurity3',
      path,
      state: sink.state,
      book: async () => new Map(),
      strip: { clients: 'network' },
    },
    ...{ identity, sink, flushSeconds: 1, heartbeatSeconds: 0.1, signal: stopping.signal },
    follow: { pollMilliseconds: 5 },
    ...options,
  });
  await poll('what was to be stored', isDone);
  stopping.abort();
  await done;
}

it('repeats nothing after the sink failed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'forward-log-'));
  const path = join(folder, 'audit.log');
  await writeFile(path, 'junk\n'.repeat(10));
  const sink = new MemorySink(initialLogState);
  const failing = forwardLog({
    ...{
      engine: 'modsecurity3',
      path,
      state: sink.state,
      book: async () => new Map(),
      strip: { clients: 'none' },
    },
    ...{ identity, flushSeconds: 0, signal: AbortSignal.timeout(60_000) },
    sink: { put: () => Promise.reject(new Error('disk full')) },
  });
  await expect(failing).rejects.toThrow('disk full');
  await forwardUntil(path, sink, () => sink.state.records >= 10);
  expect(sink.state).toMatchObject({ records: 10, malformed: 10 });
  const { length } = sink.events;
  await forwardUntil(path, sink, () => sink.events.length > length + 2);
  expect(sink.state).toMatchObject({ records: 10, malformed: 10 });
  await rm(folder, { recursive: true, force: true });
});

it('states that the log cannot be read, until it can', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'forward-log-'));
  const path = join(folder, 'audit.log');
  await writeFile(path, 'junk\n');
  const sink = new MemorySink(initialLogState);
  await forwardUntil(path, sink, () => sink.state.records === 1);
  await rename(path, join(folder, 'other'));
  // Also for root, who may read everything.
  await symlink(path, path);
  const problems = () =>
    sink.events.flatMap(event => (event.kind === 'shield.heartbeat' ? [event.problem] : []));
  const noted: unknown[] = [];
  const onProblem = (problem: unknown) => void noted.push(problem);
  const isFound = () => {
    if (!problems().includes('log_missing')) return false;
    if (existsSync(join(folder, 'other'))) renameSync(join(folder, 'other'), path);
    return problems().lastIndexOf(null) > problems().lastIndexOf('log_missing');
  };
  await forwardUntil(path, sink, isFound, { onProblem });
  expect(noted).toEqual(['log_missing', null]);
  expect(sink.state).toMatchObject({ records: 1, malformed: 1 });
  await rm(folder, { recursive: true, force: true });
});

it('loses no request of a flood of different ones, and sends few events', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'forward-log-'));
  const path = join(folder, 'audit.log');
  const total = 6_000;
  const lines = Array.from({ length: total }, (_, index) =>
    JSON.stringify({
      transaction: {
        ...{
          client_ip: `10.1.${index % 250}.9`,
          time_stamp: 'Thu Nov 26 09:09:33 2026',
          unique_id: '1795684173',
        },
        request: {
          method: 'GET',
          uri: `/${'é'.repeat(90)}/page${index % 97}`,
          headers: { Host: `h${index}.example` },
        },
        response: { http_code: 403 },
        producer: { modsecurity: 'ModSecurity v3.0.9', secrules_engine: 'Enabled', components: [] },
        messages: [{ details: { ruleId: '949110', severity: '2', tags: [] } }],
      },
    }),
  );
  await writeFile(path, `${lines.join('\n')}\n`);
  const sink = new MemorySink(initialLogState);
  await forwardUntil(path, sink, () => sink.state.records >= total);
  expect(sink.counts('action')).toEqual({ blocked: total });
  // One event for each time that it stores what it has read.
  expect(sink.requests.length).toBeLessThan(total / 100);
  await rm(folder, { recursive: true, force: true });
});
