import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());

const clients = 3;
const connections = 60;

const request = (client: number) =>
  `GET /healthz HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 10.0.0.${client}\r\n\r\n`;

async function answersOf(sockets: readonly Socket[]): Promise<string[]> {
  const answers = sockets.map(socket => once(socket, 'data'));
  for (const [index, socket] of sockets.entries()) socket.write(request(index % clients));
  return (await Promise.all(answers)).map(([bytes]) => String(bytes).slice(0, 12));
}

it('begins a few of the requests that come at once in a turn', async () => {
  const sockets = Array.from({ length: connections }, () => connect(Number(new URL(service.url).port)));
  const begun: number[] = [];
  let [turn, done] = [0, false];
  const onBegin = () => {
    begun[turn] = (begun[turn] ?? 0) + 1;
  };
  const next = () => {
    turn += 1;
    if (!done) setImmediate(next);
  };
  try {
    // One connection is accepted in a turn: the requests that count come over those that are open.
    await answersOf(sockets);
    subscribe('tracing:fastify.request.handler:start', onBegin);
    setImmediate(next);
    expect(new Set(await answersOf(sockets))).toEqual(new Set(['HTTP/1.1 200']));
  } finally {
    done = true;
    unsubscribe('tracing:fastify.request.handler:start', onBegin);
    for (const socket of sockets) socket.destroy();
  }
  const counts = begun.filter(count => count !== undefined);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(connections);
  expect(Math.max(...counts), 'of three clients').toBeLessThanOrEqual(4 * clients);
});
