import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { networksOf } from '../../src/domain/client-network.ts';
import { attacks, harmlessRequests, type SiteRequest } from '../support/attacks.ts';
import { type AuthorizedSource, authorizedSource } from '../support/authorized-source.ts';
import { accessLog, type CrowdsecServer, hasCrowdsec, startCrowdsec } from '../support/crowdsec.ts';
import { FaultyRelay } from '../support/faulty-relay.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { poll } from '../support/poll.ts';
import { startService, type TestService } from '../support/service.ts';
import { ServingProcess } from '../support/serving-process.ts';
import { ForwarderHome, startForwarder } from '../support/shield-forwarder.ts';

const isInstalled = hasCrowdsec();

let service: TestService;
let worker: ServingProcess;
let crowdsec: CrowdsecServer;
beforeAll(async () => {
  if (!isInstalled) return;
  [service, crowdsec] = await Promise.all([startService(), startCrowdsec()]);
  worker = await ServingProcess.work(service.database.url);
});
afterAll(async () => {
  await worker?.kill('SIGTERM');
  await crowdsec?.close();
  await service?.close();
});

const running: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).reverse()) await stop();
});

it.runIf(isInstalled)('prints what would be sent of CrowdSec, and stores and sends nothing', async () => {
  const { organizationId, systemId, store } = await authorizedSource(service);
  const relay = await FaultyRelay.start(service.url);
  running.push(() => relay.close());
  const key = await service.mint(organizationId, { kind: 'probe', systemId });
  const home = new ForwarderHome({ url: relay.url, key, settings: ForwarderHome.crowdsec(crowdsec) });
  running.push(() => home.remove());
  await crowdsec.cscli('decisions', 'add', '--ip', '192.0.2.9', '--duration', '4h', '--reason', 'by alex');
  const check = startForwarder(home, 'check');
  expect(await check.end()).toBe(0);
  expect(check.errors.split('\n')).toEqual([
    `ok      ${relay.url}: the key is valid`,
    `ok      ${crowdsec.url}: alerts: 1, active decisions: 1`,
    '',
  ]);
  const printed = check.output.map(line => JSON.parse(line).events);
  expect(printed).toMatchObject([
    [{ kind: 'shield.alerts', alerts: [{ scenario: 'other', network: '192.0.2.0/24' }] }],
    [{ kind: 'shield.decisions', decisions: [{ type: 'ban', origin: 'cscli' }], active: { cscli: 1 } }],
    [{ kind: 'shield.heartbeat', interval_seconds: 10, problem: null }],
  ]);
  // As a body is written: one event, without spaces.
  expect(check.output).toEqual(printed.map(events => JSON.stringify({ events })));
  expect(relay.bodies).toEqual(['{"events":[null]}']);
  expect(home.spooled()).toBe('');
  expect(await store.queryOnce({ text: 'select from events' })).toEqual([]);
});

it.runIf(isInstalled)('says why CrowdSec cannot be read, without its secrets', async () => {
  const { organizationId, systemId } = await authorizedSource(service);
  const key = await service.mint(organizationId, { kind: 'probe', systemId });
  const lines = async (...settings: string[]) => {
    const home = new ForwarderHome({ url: service.url, key, settings: ['crowdsec:', ...settings] });
    running.push(() => home.remove());
    const check = startForwarder(home, 'check');
    expect(await check.end()).toBe(1);
    return check.errors.split('\n').slice(1);
  };
  const url = `  url: ${crowdsec.url}`;
  expect(await lines(url, '  bouncer_key_command: printf wrong-key')).toEqual([
    `FAILED  ${crowdsec.url}: the local API refuses the bouncer key`,
    '',
  ]);
  expect(await lines('  url: http://127.0.0.1:1', '  bouncer_key_command: printf a')).toEqual([
    'FAILED  http://127.0.0.1:1: the local API cannot be reached',
    '',
  ]);
  expect(await lines(url, '  bouncer_key_env: NOT_SET')).toEqual([
    `FAILED  ${crowdsec.url}: the bouncer key of CrowdSec: the environment variable NOT_SET is not set, or not exported. Set the variable and restart the forwarder, or make one with \`cscli bouncers add parapet\`, or remove crowdsec from the configuration`,
    '',
  ]);
});

interface Shielded extends AuthorizedSource {
  readonly admin: TestPerson;
  readonly home: ForwarderHome;
}

/** A website with Shield on, and a forwarder of CrowdSec. */
async function shielded(): Promise<Shielded> {
  const source = await authorizedSource(service);
  const { organizationId, systemId, sourceId } = source;
  const admin = await addPerson(service, organizationId, 'owner');
  await admin.client.request('PUT', `/organizations/${organizationId}/sources/${sourceId}/shield`, {});
  const key = await service.mint(organizationId, { kind: 'probe', systemId });
  const home = new ForwarderHome({ url: service.url, key, settings: ForwarderHome.crowdsec(crowdsec) });
  running.push(() => home.remove());
  return { ...source, admin, home };
}

function forwarding(home: ForwarderHome) {
  const forwarder = startForwarder(home);
  running.push(() => forwarder.end('SIGKILL'));
  return forwarder;
}

const shieldOf = async ({ admin, organizationId, sourceId }: Shielded) =>
  (await admin.client.get(`/organizations/${organizationId}/sources/${sourceId}/shield?days=7`)).json.shield;

/** The page of a source has the newest. */
const shownAlerts = 50;

/** As nginx logs a request. */
const logged = (client: string, status: number, { method, path, headers }: SiteRequest) => ({
  ...{ client, status, method, path },
  ...(headers?.['user-agent'] ? { agent: headers['user-agent'] } : {}),
  ...(headers?.referer ? { referrer: headers.referer } : {}),
});
/** The same attack with its form or JSON in the query, where a log has it. */
const inUrl = ({ body, ...request }: SiteRequest): SiteRequest =>
  body === undefined
    ? request
    : {
        ...request,
        method: 'GET',
        path: `${request.path}?${body.startsWith('{') ? `q=${encodeURIComponent(body)}` : body}`,
      };
const attackers = '198.18.';
const visitors = '198.19.';
const lastAttacker = `${attackers}255.5`;

/**
 * Attacks of ten kinds, of which each comes from three networks, and 200 visitors. CrowdSec sees what a log has of them: method, path,
 * query, status and client. The last line completes an attack: CrowdSec has read everything when it reports that one.
 */
function attackedLog(): string {
  const harmless = harmlessRequests.map((request, index) =>
    logged(`${visitors}${index % 200}.7`, 200, request),
  );
  const attacked = Object.values(attacks).flatMap((ofKind, kind) =>
    [0, 1, 2].flatMap(network =>
      ofKind.map(request => logged(`${attackers}${kind * 3 + network}.5`, 404, inUrl(request))),
    ),
  );
  const scans = Array.from({ length: 40 }, (_, index) => ({
    client: '203.0.113.5',
    path: `/old/page${index}`,
  }));
  const last = Array.from({ length: 5 }, () => ({ client: lastAttacker, path: '/', agent: 'Nikto/2.1.6' }));
  expect(attacked.length).toBeGreaterThanOrEqual(300);
  expect(harmless).toHaveLength(1_000);
  return accessLog([...harmless.slice(0, 500), ...attacked, ...scans, ...harmless.slice(500), ...last]);
}

it.runIf(isInstalled)('shows what CrowdSec lists, each once, also when the forwarder is killed', async () => {
  const source = await shielded();
  const ban = (...of: string[]) => crowdsec.cscli('decisions', 'add', ...of, '--reason', 'by alex@a.example');
  // biome-ignore lint/suspicious/noExplicitAny: JSON of cscli
  const listed = async (): Promise<{ alerts: any[]; decisions: any[] }> => {
    const alerts = JSON.parse(await crowdsec.cscli('alerts', 'list', '--limit', '0'));
    // `cscli decisions list` has one of each address. Those that ended have less than no time left.
    const decisions = alerts
      .flatMap((alert: { decisions: { duration: string }[] }) => alert.decisions)
      .filter(({ duration }: { duration: string }) => !duration.startsWith('-'));
    return { alerts, decisions };
  };
  expect(await shieldOf(source)).toMatchObject({ state: 'waiting', crowdsec: null, firewalls: [] });
  await ban('--ip', '192.0.2.77', '--duration', '4h');
  await ban('--range', '198.51.0.0/16', '--duration', '1h', '--type', 'captcha');
  const before = await listed();
  const first = forwarding(source.home);
  await poll('the decisions', async () => {
    const { alerts, decisions } = await shieldOf(source);
    return alerts.length === before.alerts.length && decisions.length === before.decisions.length;
  });
  await first.end('SIGKILL');
  await crowdsec.replay(attackedLog());
  await crowdsec.cscli('decisions', 'delete', '--ip', '192.0.2.77');
  await ban('--ip', '2001:db8:1:2::3', '--duration', '90m');
  const killed = forwarding(source.home);
  await killed.logs('events.sent');
  await killed.end('SIGKILL');
  const last = forwarding(source.home);
  const after = await listed();
  const isOf = (clients: string) => (one: { value: string }) => one.value.startsWith(clients);
  expect(after.decisions.filter(isOf(lastAttacker))).toHaveLength(1);
  expect(after.decisions.filter(isOf(attackers)).length).toBeGreaterThanOrEqual(30);
  expect(after.alerts.length).toBeLessThanOrEqual(shownAlerts);
  await poll('all alerts and decisions', async () => {
    const { alerts, decisions } = await shieldOf(source);
    return alerts.length >= after.alerts.length && decisions.length === after.decisions.length;
  });
  // All may have been sent before it started.
  await last.logs('shield.started');
  expect(await last.end('SIGTERM')).toBe(0);
  await poll('the events to be processed', async () => {
    return (await source.store.queryOnce({ text: 'select from event_inbox limit 1' })).length === 0;
  });

  const shown = await shieldOf(source);
  const byNumber = (rows: { number: number }[]) => rows.sort((a, b) => a.number - b.number);
  const scenario = (name: string) => (name.startsWith('crowdsecurity/') ? name : 'other');
  expect(
    // biome-ignore lint/suspicious/noExplicitAny: of the API
    byNumber(shown.alerts.map(({ alert, ...one }: any) => ({ number: alert, ...one }))),
  ).toMatchObject(
    byNumber(
      after.alerts.map(alert => ({
        number: alert.id,
        scenario: scenario(alert.scenario),
        events: alert.events_count,
        scope: alert.source.scope.toLowerCase(),
      })),
    ),
  );
  expect(
    // biome-ignore lint/suspicious/noExplicitAny: of the API
    byNumber(shown.decisions.map(({ decision, ...one }: any) => ({ number: decision, ...one }))),
  ).toMatchObject(
    byNumber(
      after.decisions.map(({ id, type, origin, ...one }) => ({
        ...{ number: id, type, origin },
        scenario: scenario(one.scenario),
        network: one.value.includes('/') ? one.value : networksOf(one.value).site,
      })),
    ),
  );
  // No visitor, unless CrowdSec decided on one.
  const ofVisitors = shown.decisions.filter(({ network }: { network: string }) =>
    network.startsWith(visitors),
  );
  expect(ofVisitors).toHaveLength(after.decisions.filter(isOf(visitors)).length);
  const ofOrigin = (origin: string) => after.decisions.filter(one => one.origin === origin).length;
  const active = { crowdsec: ofOrigin('crowdsec'), cscli: ofOrigin('cscli'), capi: 0, lists: 0, other: 0 };
  const counts = { alerts: after.alerts.length, active_decisions: active };
  // No request was reported: nothing is said about those.
  expect(shown).toMatchObject({ state: 'crowdsec', crowdsec: counts, total: { blocked: 0, detected: 0 } });
  expect(shown.firewalls).toMatchObject([{ engine: 'crowdsec', silent: false, problem: null }]);
  const { json } = await source.admin.client.get(`/organizations/${source.organizationId}/shield`);
  expect(json).toMatchObject({
    sources: [{ state: 'crowdsec' }],
    forwarders: [{ crowdsec: counts, ignored: 0 }],
  });
});
