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
const body = JSON.stringify({ token: 'a'.repeat(43) });

const head = (line: string, index: number, more = '') =>
  `${line} HTTP/1.1\r\nHost: ${new URL(service.url).host}\r\nX-Forwarded-For: 10.0.${index % clients}.1\r\n${more}\r\n`;

/** Writes on all connections in one iteration of the event loop. */
async function answersOf(sockets: readonly Socket[], textOf: (index: number) => string): Promise<string[]> {
  const answers = sockets.map(socket => once(socket, 'data'));
  for (const [index, socket] of sockets.entries()) socket.write(textOf(index));
  return (await Promise.all(answers)).map(([bytes]) => String(bytes).slice(9, 12));
}

/** The number of handlers started in each iteration of the event loop. */
async function handlersBegun(work: () => Promise<unknown>): Promise<number[]> {
  const begun: number[] = [];
  let [turn, done] = [0, false];
  const onBegin = () => {
    begun[turn] = (begun[turn] ?? 0) + 1;
  };
  const next = () => {
    turn += 1;
    if (!done) setImmediate(next);
  };
  setImmediate(next);
  subscribe('tracing:fastify.request.handler:start', onBegin);
  try {
    await work();
  } finally {
    done = true;
    unsubscribe('tracing:fastify.request.handler:start', onBegin);
  }
  return begun.filter(count => count !== undefined);
}

it.each(['requests', 'bodies'])('starts a few of the %s that arrive at once per iteration', async what => {
  const sockets = Array.from({ length: connections }, () => connect(Number(new URL(service.url).port)));
  try {
    // One connection is accepted per iteration, so the requests are sent on open connections.
    await answersOf(sockets, index => head('GET /healthz', index));
    if (what === 'bodies') {
      const fields = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n`;
      const goOn = answersOf(sockets, index =>
        head('POST /dashboard/api/invitations/preview', index, `Origin: ${service.url}\r\n${fields}`),
      );
      expect(new Set(await goOn)).toEqual(new Set(['100']));
    }
    const counts = await handlersBegun(() =>
      answersOf(sockets, index => (what === 'bodies' ? body : head('GET /healthz', index))),
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(connections);
    expect(Math.max(...counts), 'of three clients').toBeLessThanOrEqual(4 * clients);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
});
