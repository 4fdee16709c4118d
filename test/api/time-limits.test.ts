import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { defaultTransportLimits } from '../../src/http/transport-limits.ts';
import { poll } from '../support/poll.ts';
import { exchangeBytes, readAnswer } from '../support/raw-http.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({
    transport: { headersMs: 300, requestMs: 600, idleMs: 400, stallMs: 400, answerMs: 1_500, checkMs: 50 },
    add: app => {
      app.get('/endless', async (_request, reply) => reply.send(Readable.from(endless())));
    },
  });
});
afterAll(() => service?.close());

/** More than all buffers between server and client. */
async function* endless() {
  for (;;) yield Buffer.alloc(65_536);
}

const open = (text: string): Socket => {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.write(text));
  return socket.on('error', () => {});
};

const ended = (socket: Socket) => new Promise<void>(resolve => socket.once('close', () => resolve()));

/** Sends a byte every 20 ms, like a client that wants to keep a connection open forever. */
function drip(socket: Socket, byte: string): Promise<string> {
  let answer = '';
  socket.on('data', chunk => {
    answer += chunk;
  });
  // Not before the opening bytes, which are sent after connecting.
  const timer = setInterval(() => socket.connecting || socket.write(byte), 20);
  return ended(socket).then(() => {
    clearInterval(timer);
    return answer;
  });
}

/**
 * Much longer than the limits above take on a busy machine, and much shorter than the 30 seconds after which Node
 * checks them by default.
 */
const soonMs = 10_000;

async function soon<T>(act: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await act();
  expect(performance.now() - startedAt).toBeLessThan(soonMs);
  return result;
}

it('has the documented limits', () => {
  expect(defaultTransportLimits).toMatchObject({ headersMs: 10_000, requestMs: 30_000, checkMs: 1_000 });
});

it.concurrent('answers a head that arrives too slowly, and closes silent connections (spec 7)', async () => {
  const slow = readAnswer(await soon(() => drip(open('GET /healthz HTTP/1.1\r\nX: '), 'a')));
  expect([slow.status, slow.body]).toEqual([
    408,
    '{"error":"Request failed","error_code":"request_timeout"}',
  ]);
  const silent = await soon(() => exchangeBytes(service.url, '', { ends: false }));
  expect(readAnswer(silent).status).toBe(408);
});

it.concurrent.each([
  ['POST /api/v1/systems', 401],
  ['POST /functions/v1/events-ingest', 401],
  ['POST /api/v1/none', 401],
  ['POST /dashboard/api/sign-in', 408],
])('answers a body of %s that arrives too slowly with %d (spec 7)', async (line, status) => {
  const head = [
    `${line} HTTP/1.1`,
    'Host: x',
    'Sec-Fetch-Site: same-origin',
    'Content-Type: application/json',
    'Content-Length: 10000\r\n\r\n',
  ];
  expect(readAnswer(await soon(() => drip(open(head.join('\r\n')), '{'))).status).toBe(status);
});

it.concurrent('closes a connection that is idle after its response', async () => {
  const answer = await exchangeBytes(service.url, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n', {
    ends: false,
  });
  expect(readAnswer(answer).status).toBe(200);
});

it('closes a client that does not read its response', async () => {
  const socket = open('GET /endless HTTP/1.1\r\nHost: x\r\n\r\n');
  await new Promise(resolve => socket.once('data', resolve));
  socket.pause();
  await poll('the end of the connection', async () => {
    const text = await service.metrics.text();
    return /parapet_http_connections_cut_total 1/.test(text) ? true : undefined;
  });
  socket.resume();
  await ended(socket);
});

it('closes a response that takes too long, however fast it is read', async () => {
  const socket = open('GET /endless HTTP/1.1\r\nHost: x\r\n\r\n');
  socket.resume();
  await ended(socket);
});
