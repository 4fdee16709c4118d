import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { MeteredRequest } from './metered-request.ts';
import { bodyTurn, largeBodyTurn, shareTurns, waitsForTurn } from './share-turns.ts';

type Request = Parameters<RequestListener>[0];

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Sends requests in one turn of the event loop. Returns the answered clients of each turn. */
async function turnsOf(clients: readonly string[], late: readonly string[] = []): Promise<string[][]> {
  const answered: string[][] = [[]];
  const listener = shareTurns(({ socket }) => void answered.at(-1)!.push(socket.remoteAddress!));
  const ask = (remoteAddress: string) =>
    listener({ socket: { remoteAddress }, headers: {} } as Request, new EventEmitter() as never);
  for (const client of clients) ask(client);
  while (answered.flat().length < clients.length + late.length) {
    answered.push([]);
    await setImmediate();
    if (answered.length === 3) for (const client of late) ask(client);
  }
  return answered;
}

const many = (client: string, count: number) => Array<string>(count).fill(client);
const networks = (count: number) => Array.from({ length: count }, (_, index) => `10.0.${index}.1`);
const [own, other] = ['192.0.2.1', '198.51.100.1'];

it('starts a few requests of each client in a turn, and all in the end', async () => {
  const turns = await turnsOf([...many(own, 50), other]);
  expect(turns[0]).toEqual([...many(own, 4), other]);
  expect(turns.flat().filter(client => client === own)).toHaveLength(50);
  for (const turn of turns) expect(turn.length).toBeLessThanOrEqual(5);
});

it('starts a few requests of all clients in a turn, in order, and first those of new clients', async () => {
  const clients = networks(100).flatMap(network => many(network, 5));
  const turns = await turnsOf(clients, [own]);
  for (const turn of turns) expect(turn.length).toBeLessThanOrEqual(16);
  expect(turns.length).toBeLessThan(2 * (501 / 16));
  expect(
    turns.findIndex(turn => turn.includes(own)),
    'of the late one',
  ).toBeLessThan(12);
  expect(turns.flat()).toHaveLength(501);
});

it('starts fewer requests with long heads in a turn', async () => {
  const answered: string[] = [];
  const listener = shareTurns(({ url }) => void answered.push(url!));
  const ask = (remoteAddress: string, url: string) => {
    const request = Object.assign(new MeteredRequest({ remoteAddress } as Socket), { url, headers: {} });
    listener(request, new EventEmitter() as never);
  };
  for (const network of networks(20)) ask(network, `/${'a'.repeat(15_000)}`);
  expect(answered).toHaveLength(3);
  await setImmediate();
  for (const network of networks(20)) ask(network, '/');
  await expect.poll(() => answered.length).toBe(40);
});

it.each([
  ['IPv6', (index: number) => `2001:db8:1:${index}::1`],
  ['IPv4', (index: number) => `192.0.2.${index}`],
])('treats all %s addresses of one site as one line', async (_kind, address) => {
  const [first] = await turnsOf(Array.from({ length: 20 }, (_, index) => address(index)));
  expect(first).toHaveLength(4);
  const [apart] = await turnsOf([...many(address(1), 5), '2001:db8:2::1', '192.0.3.1']);
  expect(apart).toHaveLength(6);
});

it('drops requests of disconnected clients', async () => {
  const answered: number[] = [];
  const listener = shareTurns(
    (_request, response) => void answered.push(responses.indexOf(response as never)),
  );
  const responses = Array.from({ length: 50 }, () => new EventEmitter());
  for (const response of responses) {
    listener({ socket: { remoteAddress: own }, headers: {} } as Request, response as never);
  }
  for (const response of responses.slice(10)) response.emit('close');
  while (answered.length < 10) await setImmediate();
  for (let turn = 0; turn < 20; turn++) await setImmediate();
  expect(answered).toEqual(Array.from({ length: 10 }, (_, index) => index));
});

/** A request with a complete body. */
function bodyOf(remoteAddress: string): Request {
  const socket = Object.assign(new EventEmitter(), { remoteAddress, destroyed: false });
  return { socket, headers: {} } as object as Request;
}

const of = (organizationId: string, id = 'actor', kind: 'key' | 'person' = 'key') => ({
  organizationId,
  actor: { kind, id },
});

/** Occupies the queue of large bodies, which pauses afterwards. Resolves when it has started. */
function takeLargeBodies(organization: string): Promise<void> {
  return largeBodyTurn(bodyOf(own), 100_000, of(organization)).then(() => {
    for (const begun = performance.now(); performance.now() - begun < 80; );
  });
}

it('drops bodies of disconnected clients', async () => {
  const taken = takeLargeBodies('first');
  const requests = Array.from({ length: 20 }, () => bodyOf(other));
  const turns = requests.map(request => largeBodyTurn(request, 100_000, of('second')));
  const ends = Promise.allSettled(turns);
  expect(requests.every(waitsForTurn)).toBe(true);
  for (const { socket } of requests.slice(1)) socket.emit('close');
  expect(requests.map(waitsForTurn)).toEqual([true, ...Array(19).fill(false)]);
  await taken;
  expect((await ends).map(({ status }) => status)).toEqual(['fulfilled', ...Array(19).fill('rejected')]);
  const gone = bodyOf(own);
  Object.assign(gone.socket, { destroyed: true });
  await expect(bodyTurn(gone, 10, 'known')).rejects.toThrow('invalid_body');
});

it('queues large bodies by organization, and bodies of unauthenticated clients separately', async () => {
  const order: string[] = [];
  const taken = takeLargeBodies('first').then(() => void order.push('first'));
  const more = Array.from({ length: 3 }, () =>
    largeBodyTurn(bodyOf(own), 100_000, of('first')).then(() => void order.push('first again')),
  );
  const second = largeBodyTurn(bodyOf(own), 100_000, of('second')).then(() => void order.push('second'));
  await taken;
  await largeBodyTurn(bodyOf(own), 16_383, of('first')).then(() => void order.push('small'));
  await bodyTurn(bodyOf(other), 16_384, 'unknown').then(() => void order.push('unknown'));
  await Promise.all([...more, second]);
  expect(order).toEqual(['first', 'small', 'unknown', 'second', ...Array(3).fill('first again')]);
});

it('leaves time between large bodies for other requests, but only if there are any', async () => {
  const listener = shareTurns(() => {});
  const { now } = performance;
  // No other request in the last minute.
  vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + 60_000);
  /** Milliseconds between two large bodies. */
  const restAfter = async (headers: Record<string, string>) => {
    listener({ socket: { remoteAddress: other }, headers } as Request, new EventEmitter() as never);
    const taken = takeLargeBodies(randomUUID());
    const next = largeBodyTurn(bodyOf(own), 100_000, of(randomUUID()));
    await taken;
    const ended = performance.now();
    await next;
    return performance.now() - ended;
  };
  expect(await restAfter({ 'content-length': '16384' })).toBeLessThan(120);
  expect(await restAfter({ 'content-length': '16383' })).toBeGreaterThan(200);
});

it('refuses a large body that waits longer than ten seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  shareTurns(() => {})({ socket: {}, headers: {} } as Request, new EventEmitter() as never);
  const late = bodyOf(own);
  const taken = takeLargeBodies(randomUUID());
  const refused = expect(largeBodyTurn(late, 100_000, of(randomUUID()))).rejects.toThrow('request_failed');
  await taken;
  await setImmediate();
  vi.advanceTimersByTime(10_000);
  await refused;
  expect(waitsForTurn(late)).toBe(false);
  expect(late.socket.listenerCount('close')).toBe(0);
  // The pause after the first body continues in real time.
  while (vi.getTimerCount() > 0) vi.advanceTimersByTime(10);
});

it('does not delay bodies of known clients by those of unauthenticated clients in many networks', async () => {
  const order: string[] = [];
  const unknown = networks(60).map(network =>
    bodyTurn(bodyOf(network), 16_384, 'unknown').then(() => void order.push('unknown')),
  );
  const known = bodyTurn(bodyOf(own), 16_384, 'known').then(() => void order.push('known'));
  await Promise.all([...unknown, known]);
  expect(order.indexOf('known')).toBeLessThan(8);
  expect(order).toHaveLength(61);
});

it('serves the members of a line round-robin', async () => {
  const neighbor = '192.0.2.9';
  const turns = await turnsOf([...many(own, 50), ...many('192.0.2.2', 50), ...many(neighbor, 2)]);
  const order = turns.flat();
  expect(order.lastIndexOf(neighbor)).toBeLessThan(15);
  expect(order).toHaveLength(102);
  const sent: string[] = [];
  const taken = takeLargeBodies('first');
  const send = (id: string) =>
    largeBodyTurn(bodyOf(own), 100_000, of('first', id)).then(() => void sent.push(id));
  await Promise.all([taken, ...many('greedy', 5).map(send), send('colleague')]);
  expect(sent.indexOf('colleague')).toBe(1);
  const keys = ['a', 'b', 'c'].map(send);
  const person = largeBodyTurn(bodyOf(own), 100_000, of('first', 'person', 'person')).then(() =>
    sent.push('person'),
  );
  await Promise.all([...keys, person]);
  expect(sent.slice(-4).indexOf('person'), 'of pages').toBeLessThan(2);
});
