import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, it } from 'vitest';
import {
  accessLog,
  type CrowdsecServer,
  hasCrowdsec,
  startCrowdsec,
} from '../../../test/support/crowdsec.ts';
import { poll } from '../../../test/support/poll.ts';
import { MemorySink } from '../../../test/support/shield-sink.ts';
import { httpServer } from '../../../test/support/website.ts';
import {
  type CrowdsecState,
  type ForwardCrowdsecOptions,
  forwardCrowdsec,
  initialCrowdsecState,
} from './forward-crowdsec.ts';
import type { LocalApiOptions } from './local-api.ts';
import { readAlerts, readDecisions } from './read-answers.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const running: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).reverse()) await stop();
});

const identity = { name: 'shop', version: '0.1.0', instance: randomUUID() };

function forwarding(
  api: LocalApiOptions,
  sink: MemorySink<CrowdsecState>,
  changes: Partial<ForwardCrowdsecOptions> = {},
) {
  const stopping = new AbortController();
  const done = forwardCrowdsec({
    ...{ api, state: sink.state, strip: { clients: 'network' as const }, identity, sink },
    ...{ signal: stopping.signal, pollSeconds: 0.05, ...changes },
  });
  const stop = async () => {
    stopping.abort();
    await done;
  };
  running.push(stop);
  return stop;
}

const alertsOf = (sink: MemorySink<CrowdsecState>) =>
  sink.events.flatMap(event => (event.kind === 'shield.alerts' ? event.alerts : []));
const decisionsOf = (sink: MemorySink<CrowdsecState>) =>
  sink.events.flatMap(event => (event.kind === 'shield.decisions' ? event.decisions : []));
const activeIn = (sink: MemorySink<CrowdsecState>) =>
  sink.events.flatMap(event => (event.kind === 'shield.decisions' ? [event.active] : [])).at(-1);

const apiOf = ({ url, machine, bouncerKey }: CrowdsecServer): LocalApiOptions => ({
  url,
  machine: { id: machine.id, password: async () => machine.password },
  bouncerKey: async () => bouncerKey,
});

it.runIf(hasCrowdsec())('reports each alert and decision of the local API once', async () => {
  const crowdsec = await startCrowdsec();
  running.push(() => crowdsec.close());
  const sink = new MemorySink(initialCrowdsecState);
  const stop = forwarding(apiOf(crowdsec), sink);
  await crowdsec.cscli(
    'decisions',
    'add',
    '--ip',
    '192.0.2.77',
    '--duration',
    '4h',
    '--reason',
    'acme/planted-reason',
  );
  await crowdsec.cscli(
    'decisions',
    'add',
    '--range',
    '198.51.0.0/16',
    '--duration',
    '1h',
    '--type',
    'captcha',
  );
  await crowdsec.cscli('decisions', 'add', '--ip', '2001:db8:1:2::3', '--duration', '90s');
  await poll('alerts and decisions', () => alertsOf(sink).length >= 3 && decisionsOf(sink).length >= 3, 20);
  await stop();
  // Two scanners, and a visitor.
  const agent = 'planted-agent';
  const requests = Array.from({ length: 40 }, (_, index) => [
    { client: '203.0.113.5', path: `/planted${index}`, agent },
    { client: '203.0.113.250', path: `/planted${index * 7}`, agent },
    { client: '192.0.2.1', path: '/', agent },
  ]);
  await crowdsec.replay(accessLog(requests.flat()));
  forwarding(apiOf(crowdsec), sink);
  await poll(
    'five alerts and decisions',
    () => alertsOf(sink).length >= 5 && decisionsOf(sink).length >= 5,
    20,
  );
  const beats = sink.events.length;
  await poll('more polls', () => sink.events.length > beats + 2);
  expect(alertsOf(sink)).toMatchObject([
    { alert: 1, scenario: 'other', scope: 'ip', network: '192.0.2.0/24', events: 1 },
    { alert: 2, scope: 'range', network: '198.51.0.0/16' },
    { alert: 3, scope: 'ip', network: '2001:db8:1::/48' },
    { scenario: 'crowdsecurity/http-probing', scope: 'ip', network: '203.0.113.0/24', simulated: false },
    { scenario: 'crowdsecurity/http-probing', scope: 'ip', network: '203.0.113.0/24' },
  ]);
  expect(alertsOf(sink)[4]!.events).toBeGreaterThan(10);
  const manual = { origin: 'cscli', scenario: 'other' };
  const decisions = decisionsOf(sink).sort((a, b) => a.decision - b.decision);
  expect(decisions).toMatchObject([
    { ...manual, type: 'ban', network: '192.0.2.0/24' },
    { ...manual, type: 'captcha', scope: 'range', network: '198.51.0.0/16' },
    { ...manual, type: 'ban', network: '2001:db8:1::/48' },
    { origin: 'crowdsec', type: 'ban', scenario: 'crowdsecurity/http-probing', network: '203.0.113.0/24' },
    { origin: 'crowdsec', type: 'ban', network: '203.0.113.0/24' },
  ]);
  expect(decisions[0]!.remaining_seconds).toBeGreaterThan(14_000);
  expect(activeIn(sink)).toMatchObject({ crowdsec: 2, cscli: 3, capi: 0 });
  await crowdsec.cscli('decisions', 'delete', '--ip', '192.0.2.77');
  await poll('one decision less', () => activeIn(sink)?.cscli === 2);
  const current = sink.events
    .flatMap(event => (event.kind === 'shield.decisions' ? [event.current] : []))
    .at(-1);
  expect(current?.toSorted((a, b) => a - b)).toEqual(decisions.slice(1).map(({ decision }) => decision));
  // The newest alert is deleted: those before it are not new.
  await crowdsec.cscli('alerts', 'delete', '--id', String(sink.state.alerts[0]!.alert));
  const { length } = sink.events;
  await poll('more polls', () => sink.events.length > length + 3);
  expect(alertsOf(sink)).toHaveLength(5);
  expect(decisionsOf(sink)).toHaveLength(5);
  const sent = JSON.stringify([sink.events, sink.state]);
  for (const secret of ['planted', 'alex', '203.0.113.5"', '192.0.2.77', crowdsec.machine.password]) {
    expect(sent).not.toContain(secret);
  }
});

it.runIf(hasCrowdsec())('reads the password and the key again when they were replaced', async () => {
  const crowdsec = await startCrowdsec();
  running.push(() => crowdsec.close());
  const secrets: { password?: string; key: string } = { key: crowdsec.bouncerKey };
  const password = async () => {
    if (secrets.password === undefined) throw new Error('the file password is empty');
    return secrets.password;
  };
  const sink = new MemorySink(initialCrowdsecState);
  const messages: string[] = [];
  const { url, machine } = crowdsec;
  const api = { url, machine: { id: machine.id, password }, bouncerKey: async () => secrets.key };
  forwarding(api, sink, { onProblem: message => messages.push(message) });
  const problem = () =>
    sink.events.flatMap(event => (event.kind === 'shield.heartbeat' ? [event.problem] : [])).at(-1);
  await poll('a heartbeat without a password', () => problem() === 'api_refused');
  secrets.password = 'of another machine';
  await poll('a login to be refused', () => messages.length === 2);
  secrets.password = machine.password;
  await crowdsec.cscli('decisions', 'add', '--ip', '192.0.2.77', '--duration', '4h');
  await poll('the decision', () => alertsOf(sink).length === 1 && decisionsOf(sink).length === 1);
  expect(problem()).toBe(null);
  await crowdsec.cscli('bouncers', 'add', 'next', '-k', 'next-key-of-this-test');
  await crowdsec.cscli('bouncers', 'delete', 'parapet');
  await poll('the key to be refused', () => problem() === 'api_refused');
  secrets.key = 'next-key-of-this-test';
  await poll('the next key to be used', () => problem() === null);
  expect(messages).toEqual([
    'the file password is empty',
    ...[
      `the local API refuses the login of the machine ${machine.id}`,
      'the local API refuses the bouncer key',
    ],
  ]);
});

it.each([
  ['api_refused', 403],
  ['api_unreachable', 500],
] as const)('states %s in heartbeats when the API answers with %i', async (problem, status) => {
  const server = await httpServer((_, response) => response.writeHead(status).end('{}'));
  running.push(() => server.close());
  const sink = new MemorySink(initialCrowdsecState);
  forwarding({ url: `http://127.0.0.1:${server.port}`, bouncerKey: async () => 'a' }, sink);
  await poll('a heartbeat', () => sink.events.length > 1);
  expect(sink.events[0]).toMatchObject({ kind: 'shield.heartbeat', problem });
});

it.each([
  ['without the path', 404, 'application/json'],
  ['with a page', 200, 'text/html'],
] as const)('distinguishes another program from the API: one that answers %s', async (_, status, type) => {
  const server = await httpServer((_, response) =>
    response.writeHead(status, { 'content-type': type }).end('{}'),
  );
  running.push(() => server.close());
  const messages: string[] = [];
  const api = { url: `http://127.0.0.1:${server.port}`, bouncerKey: async () => 'a' };
  forwarding(api, new MemorySink(initialCrowdsecState), { onProblem: message => messages.push(message) });
  await poll('a problem', () => messages.length > 0);
  expect(messages[0]).toMatch(/^another program than CrowdSec's local API answers.*port 8080/);
});

interface Answered {
  readonly id: number;
  readonly created_at: string;
}

/** The clock of `startAlerts` is not that of this machine. */
const clockOfApi = Date.UTC(2031, 0, 1);

/** A local API whose alerts can be changed. It sends as many as the request's limit, the latest first. */
async function startAlerts(given: readonly Answered[], refuses: (limit: number) => boolean = () => false) {
  const answers = { alerts: given, polls: 0 };
  const server = await httpServer((request, response) => {
    response.setHeader('date', new Date(clockOfApi).toUTCString());
    if (request.url === '/v1/watchers/login') return response.end('{"token":"a"}');
    const { searchParams } = new URL(request.url!, 'http://a');
    const limit = Number(searchParams.get('limit'));
    const before = clockOfApi - Number.parseInt(searchParams.get('created_before')!, 10) * 1_000;
    answers.polls += 1;
    if (refuses(limit)) return response.writeHead(500).end('{}');
    const found = answers.alerts.filter(({ created_at }) => Date.parse(created_at) <= before);
    response.end(JSON.stringify(found.slice(0, limit)));
  });
  running.push(() => server.close());
  const machine = { id: 'a', password: async () => 'b' };
  const api = { url: `http://127.0.0.1:${server.port}`, machine };
  const polls = async (count: number) => {
    const { polls } = answers;
    await poll('polls', () => answers.polls >= polls + count);
  };
  return { answers, api, polls };
}

/** @param at seconds after a time */
const alertOf = (id: number, at: number) => ({
  ...{ id, scenario: 'a/b', events_count: 2, events: [{}] },
  created_at: new Date(Date.UTC(2026, 10, 26) + at * 1_000).toISOString().replace(/\.\d+/, ''),
});
/** Alerts with these numbers, one a second, the latest first. */
const alertsTo = (last: number, count: number) =>
  Array.from({ length: count }, (_, index) => alertOf(last - index, last - index));
const numbersIn = (sink: MemorySink<CrowdsecState>) => alertsOf(sink).map(({ alert }) => alert);
const moreIn = (sink: MemorySink<CrowdsecState>) =>
  sink.events.flatMap(event => (event.kind === 'shield.alerts' ? [event.more] : []));

/** A local API that begins an answer, or none, and never ends it. */
async function dripping(what: string) {
  let begun = 0;
  let closed = 0;
  const server = await httpServer((request, response) => {
    const isLogin = request.url!.endsWith('/login');
    if (isLogin && what !== 'a login') return void response.end('{"token":"a"}');
    begun += 1;
    response.on('close', () => {
      closed += 1;
      clearInterval(timer);
    });
    if (what !== 'no answer') response.writeHead(200, { 'content-type': 'application/json' }).write('[');
    const timer = setInterval(() => what !== 'no answer' && response.write(' '), 20);
  });
  running.push(() => server.close());
  // Garbage collection must not end a time limit.
  const collecting = setInterval(collectGarbage, 20);
  running.push(async () => clearInterval(collecting));
  const machine = { id: 'a', password: async () => 'b' };
  return {
    api: { url: `http://127.0.0.1:${server.port}`, machine },
    begun: () => begun,
    closed: () => closed,
  };
}

it.each(['a list', 'a login', 'no answer'])('cuts off an answer that never ends: %s', async what => {
  const { api, closed } = await dripping(what);
  const sink = new MemorySink(initialCrowdsecState);
  forwarding({ ...api, answerMilliseconds: 300 }, sink);
  await poll('a heartbeat', () => sink.events.length > 0 && closed() > 0);
  expect(sink.events[0]).toMatchObject({ kind: 'shield.heartbeat', problem: 'api_unreachable' });
});

it.each(['a list', 'a login', 'no answer'])('stops in the middle of an answer: %s', async what => {
  const { api, begun, closed } = await dripping(what);
  const stop = forwarding(api, new MemorySink(initialCrowdsecState));
  await poll('a request', () => begun() > 0);
  await stop();
  await poll('a closed connection', () => closed() > 0);
});

it('logs in again when the token has expired', async () => {
  let logIns = 0;
  const server = await httpServer((request, response) => {
    if (request.url === '/v1/watchers/login') {
      logIns += 1;
      response.end(JSON.stringify({ token: `token-${logIns}` }));
    } else if (request.headers.authorization !== 'Bearer token-2') response.writeHead(401).end('{}');
    else response.end(JSON.stringify([alertOf(3, 1)]));
  });
  running.push(() => server.close());
  const sink = new MemorySink(initialCrowdsecState);
  const machine = { id: 'a', password: async () => 'b' };
  forwarding({ url: `http://127.0.0.1:${server.port}`, machine }, sink);
  await poll('the alert', () => alertsOf(sink).length > 0);
  expect(alertsOf(sink)).toMatchObject([{ alert: 3, scope: 'other', network: null, events: 2 }]);
  expect(logIns).toBe(2);
});

it('reports alerts of a database that was set up again, also with numbers that it had reported', async () => {
  const { answers, api } = await startAlerts(alertsTo(70, 60));
  const sink = new MemorySink(initialCrowdsecState);
  const stop = forwarding(api, sink);
  await poll('the alerts', () => numbersIn(sink).length === 60);
  await stop();
  answers.alerts = [alertOf(65, 200), alertOf(1, 199)];
  forwarding(api, sink);
  await poll('the new ones', () => numbersIn(sink).length === 62);
  expect(numbersIn(sink).slice(60)).toEqual([1, 65]);
});

it('reports later alerts whatever number and time one has that is wrong', async () => {
  const wrong = { ...alertOf(Number.MAX_SAFE_INTEGER, 0), created_at: '2030-12-31T00:00:00Z' };
  const { answers, api, polls } = await startAlerts([wrong, ...alertsTo(60, 60)]);
  const sink = new MemorySink(initialCrowdsecState);
  const stop = forwarding(api, sink);
  await poll('the alerts', () => numbersIn(sink).length === 61);
  answers.alerts = [wrong, ...alertsTo(62, 62)];
  await poll('two more', () => numbersIn(sink).length === 63);
  await stop();
  answers.alerts = alertsTo(63, 63);
  forwarding(api, sink);
  await poll('one more after a start', () => numbersIn(sink).length === 64);
  await polls(3);
  expect(numbersIn(sink).slice(61)).toEqual([61, 62, 63]);
});

it('reports no alert again when newer ones are deleted, or the answer is empty for a while', async () => {
  const { answers, api, polls } = await startAlerts(alertsTo(600, 600));
  const sink = new MemorySink(initialCrowdsecState);
  forwarding(api, sink);
  await poll('the alerts', () => numbersIn(sink).length > 500);
  const { length } = numbersIn(sink);
  for (const alerts of [alertsTo(580, 580), [], alertsTo(580, 580), alertsTo(520, 520)]) {
    answers.alerts = alerts;
    await polls(3);
  }
  expect(numbersIn(sink)).toHaveLength(length);
  // Those before the first start were not missed.
  expect(new Set(moreIn(sink))).toEqual(new Set([0]));
});

it.each([
  ['all that fit into six answers', () => false, 530, 550],
  ['the newest 50 if more are too large', (limit: number) => limit > 50, 50, 50],
] as const)('counts alerts that are too many to read: %s', async (_, refuses, least, most) => {
  const { answers, api, polls } = await startAlerts(alertsTo(40, 40), refuses);
  const sink = new MemorySink(initialCrowdsecState);
  forwarding(api, sink);
  await poll('the alerts', () => numbersIn(sink).length === 40);
  answers.alerts = alertsTo(1_000, 1_000);
  await poll('the new ones', () => numbersIn(sink).length > 40);
  await polls(3);
  const read = numbersIn(sink).length - 40;
  expect(read).toBeGreaterThanOrEqual(least);
  expect(read).toBeLessThanOrEqual(most);
  expect(numbersIn(sink).slice(40)).toEqual(Array.from({ length: read }, (_, index) => 1_001 - read + index));
  expect(moreIn(sink).reduce((sum, count) => sum + count, 0)).toBe(960 - read);
});

it('reads as many alerts of one second as an answer has, and counts the others', async () => {
  const { answers, api, polls } = await startAlerts([alertOf(1, 0)]);
  const sink = new MemorySink(initialCrowdsecState);
  forwarding(api, sink);
  await poll('the first', () => numbersIn(sink).length === 1);
  answers.alerts = Array.from({ length: 300 }, (_, index) => alertOf(301 - index, 10));
  await poll('the new ones', () => numbersIn(sink).length > 1);
  await polls(3);
  expect(numbersIn(sink)).toHaveLength(101);
  expect(moreIn(sink).reduce((sum, count) => sum + count, 0)).toBe(200);
});

it('reports new alerts of the second in which those before were created', async () => {
  const ofOneSecond = (count: number) =>
    Array.from({ length: count }, (_, index) => alertOf(count - index, 0));
  const { answers, api, polls } = await startAlerts(ofOneSecond(60));
  const sink = new MemorySink(initialCrowdsecState);
  forwarding(api, sink);
  await poll('the alerts', () => numbersIn(sink).length === 60);
  answers.alerts = ofOneSecond(70);
  await poll('the new ones', () => numbersIn(sink).length >= 70);
  await polls(3);
  expect(numbersIn(sink).slice(60)).toEqual([61, 62, 63, 64, 65, 66, 67, 68, 69, 70]);
});

it('reports no alerts of the future, which would hide others', async () => {
  const future = alertsTo(200, 100).map(one => ({ ...one, created_at: '2999-01-01T00:00:00Z' }));
  const { api, polls } = await startAlerts([...future, ...alertsTo(5, 5)]);
  const sink = new MemorySink(initialCrowdsecState);
  forwarding(api, sink);
  await polls(4);
  expect(numbersIn(sink)).toEqual([1, 2, 3, 4, 5]);
});

it('reads all new alerts beside some that are too large, and counts those', async () => {
  const { answers, api, polls } = await startAlerts(alertsTo(10, 10));
  const sink = new MemorySink(initialCrowdsecState);
  forwarding(api, sink);
  await poll('the alerts', () => numbersIn(sink).length === 10);
  const large = [90, 150, 210];
  const lines = [{ text: 'x'.repeat(600_000) }];
  answers.alerts = alertsTo(210, 210).map(one => (large.includes(one.id) ? { ...one, events: lines } : one));
  await poll('the new ones', () => numbersIn(sink).length === 207);
  await polls(3);
  answers.alerts = [alertOf(211, 211), ...answers.alerts];
  await poll('one more', () => numbersIn(sink).length === 208);
  await polls(3);
  expect(numbersIn(sink)).toHaveLength(208);
  expect(moreIn(sink).reduce((sum, count) => sum + count, 0)).toBe(large.length);
});

it.runIf(hasCrowdsec())('reads more than a hundred alerts of CrowdSec, which rests after it', async () => {
  const crowdsec = await startCrowdsec();
  running.push(() => crowdsec.close());
  const sink = new MemorySink(initialCrowdsecState);
  const problems: string[] = [];
  const { url, machine } = crowdsec;
  const api = { url, machine: { id: machine.id, password: async () => machine.password } };
  await crowdsec.report(60);
  forwarding(api, sink, { onProblem: message => problems.push(message) });
  await poll('the alerts', () => numbersIn(sink).length === 60);
  await crowdsec.report(65);
  await poll('all alerts', () => numbersIn(sink).length === 125);
  expect(new Set(numbersIn(sink)).size).toBe(125);
  expect(new Set(moreIn(sink))).toEqual(new Set([0]));
  expect(problems).toEqual([]);
});

it('reports a decision once whose alert comes later', async () => {
  let alerts: object[] = [];
  const decision = { id: 1, type: 'ban', scope: 'Ip', value: '192.0.2.7', origin: 'cscli', duration: '1h' };
  const server = await httpServer((request, response) => {
    if (request.url === '/v1/decisions') response.end(JSON.stringify([decision]));
    else response.end(JSON.stringify(request.url === '/v1/watchers/login' ? { token: 'a' } : alerts));
  });
  running.push(() => server.close());
  const sink = new MemorySink(initialCrowdsecState);
  const machine = { id: 'a', password: async () => 'b' };
  forwarding({ url: `http://127.0.0.1:${server.port}`, machine, bouncerKey: async () => 'c' }, sink);
  await poll('the decision', () => decisionsOf(sink).length > 0);
  alerts = [{ id: 1, created_at: '2026-11-26T09:11:22Z', scenario: 'a/b' }];
  await poll('the alert', () => alertsOf(sink).length > 0);
  expect(decisionsOf(sink)).toHaveLength(1);
});

it('repeats active decisions from time to time, at most a thousand and none of lists', async () => {
  const decisions = Array.from({ length: 1_200 }, (_, index) => ({
    ...{ id: index + 1, type: 'ban', scope: 'Ip', value: '192.0.2.7', duration: '1h' },
    origin: index % 10 === 0 ? 'CAPI' : 'crowdsec',
  }));
  const server = await httpServer((_, response) => response.end(JSON.stringify(decisions)));
  running.push(() => server.close());
  const sink = new MemorySink(initialCrowdsecState);
  forwarding({ url: `http://127.0.0.1:${server.port}`, bouncerKey: async () => 'a' }, sink, {
    repeatSeconds: 0,
  });
  const listing = () => sink.events.filter(event => event.kind === 'shield.decisions');
  await poll('it to be repeated', () => listing().filter(({ current }) => current).length >= 2);
  const end = listing().findIndex(({ current }) => current);
  const [first, again] = [listing().slice(0, end + 1), listing().slice(end + 1, 2 * end + 2)];
  const numbersIn = (events: typeof first) =>
    events.flatMap(event => event.decisions.map(one => one.decision));
  expect(numbersIn(first)).toHaveLength(1_000);
  expect(numbersIn(again)).toEqual(numbersIn(first));
  expect(first.at(-1)).toMatchObject({ current: numbersIn(first), active: { crowdsec: 1_080, capi: 120 } });
});

it('repeats active decisions only as often as it should', async () => {
  const decision = { id: 1, type: 'ban', scope: 'Ip', value: '192.0.2.7', origin: 'cscli', duration: '1h' };
  const server = await httpServer((_, response) => response.end(JSON.stringify([decision])));
  running.push(() => server.close());
  const sink = new MemorySink(initialCrowdsecState);
  const begun = performance.now();
  const api = { url: `http://127.0.0.1:${server.port}`, bouncerKey: async () => 'a' };
  forwarding(api, sink, { repeatSeconds: 1 });
  await poll('it to be repeated', () => decisionsOf(sink).length === 2);
  const { length } = sink.events;
  await poll('many polls', () => sink.events.length > length + 15);
  expect(decisionsOf(sink).length).toBeLessThanOrEqual(1 + (performance.now() - begun) / 1_000);
});

it('reports new decisions also after one with a number that was wrong', async () => {
  const decisionOf = (id: number) => ({ id, origin: 'cscli', scope: 'Ip', value: '192.0.2.7' });
  let decisions = [decisionOf(Number.MAX_SAFE_INTEGER), decisionOf(1)];
  const server = await httpServer((_, response) => response.end(JSON.stringify(decisions)));
  running.push(() => server.close());
  const sink = new MemorySink(initialCrowdsecState);
  const api = { url: `http://127.0.0.1:${server.port}`, bouncerKey: async () => 'a' };
  const stop = forwarding(api, sink);
  await poll('the decisions', () => decisionsOf(sink).length === 2);
  decisions = [decisionOf(1)];
  await poll('one decision less', () => activeIn(sink)?.cscli === 1);
  await stop();
  decisions = [decisionOf(1), decisionOf(2)];
  forwarding(api, sink);
  await poll('the new decision', () => decisionsOf(sink).length === 3);
  expect(decisionsOf(sink).at(-1)?.decision).toBe(2);
});

it('sends no text of people as the name of a scenario', () => {
  const scenarioOf = (scenario: string, events: unknown) =>
    readAlerts([{ id: 1, created_at: '2026-11-26T09:11:22Z', scenario, events }], 'network')[0]?.scenario;
  expect(scenarioOf('acme/http-login', [{}])).toBe('acme/http-login');
  for (const text of ['by alex@a.example', 'acme/alex and others', 'acme/a/b', `acme/${'a'.repeat(200)}`]) {
    expect(scenarioOf(text, [{}]), text).toBe('other');
  }
  expect(scenarioOf('acme/alex', null)).toBe('other');
});

it('lets no odd alert make its event invalid', () => {
  const created_at = '2026-11-26T09:11:22Z';
  const never = '0001-01-01 00:00:00 +0000 UTC';
  const odd = { id: 2, created_at, start_at: never, stop_at: never, events_count: 1e300, events: [{}] };
  const alerts = readAlerts([{ id: 1, created_at: never }, odd], 'network');
  expect(alerts).toMatchObject([
    { alert: 2, start_at: '2026-11-26T09:11:22.000+00:00', events: 2 ** 53 - 1 },
  ]);
});

it('reads nothing from junk', () => {
  for (const junk of [null, 1, 'a', {}, [null, 1, {}, { id: -1 }, { id: 1, created_at: 'soon' }]]) {
    expect(readAlerts(junk, 'network')).toEqual([]);
    expect(readDecisions(junk, 'network').filter(({ network }) => network !== null)).toEqual([]);
  }
});
