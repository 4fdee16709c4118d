import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { authorizedSource } from '../support/authorized-source.ts';
import { type CrowdsecServer, hasCrowdsec, startCrowdsec } from '../support/crowdsec.ts';
import { FaultyRelay } from '../support/faulty-relay.ts';
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
  expect(relay.bodies).toEqual(['{"events":[]}']);
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
    `FAILED  ${crowdsec.url}: the local API refuses the login or key`,
    '',
  ]);
  expect(await lines('  url: http://127.0.0.1:1', '  bouncer_key_command: printf a')).toEqual([
    'FAILED  http://127.0.0.1:1: the local API does not answer',
    '',
  ]);
  expect(await lines(url, '  bouncer_key_env: NOT_SET')).toEqual([
    `FAILED  ${crowdsec.url}: the environment variable NOT_SET is not set`,
    '',
  ]);
});
