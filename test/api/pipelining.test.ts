import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { cutStalledAnswers } from '../../src/http/stalled-answers.ts';
import { defaultTransportLimits } from '../../src/http/transport-limits.ts';
import { exchangeBytes } from '../support/raw-http.ts';
import { startService, type TestService } from '../support/service.ts';

/** The machine may be busy. */
const patience = { timeout: 30_000 };

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

let service: TestService;
/** Requests that reached the handler. */
let seen = 0;
/** Their responses that are not closed. */
const open = new Set<ServerResponse>();
/** The server's side of the newest connection. */
let accepted: Socket;
let begun = 0;
let running = 0;
let mostRunning = 0;
let release = () => {};
let held = Promise.resolve();
beforeAll(async () => {
  service = await startService({
    add: app => {
      app.get('/held', async () => {
        begun += 1;
        running += 1;
        mostRunning = Math.max(mostRunning, running);
        await held;
        running -= 1;
        return { number: begun };
      });
      app.get('/last', async (_request, reply) => {
        await held;
        return reply.header('connection', 'close').send('the last answer');
      });
      app.server.on('connection', socket => {
        accepted = socket;
      });
      app.server.on('request', (_request, response) => {
        seen += 1;
        open.add(response);
        response.once('close', () => open.delete(response));
      });
    },
  });
});
afterAll(() => service?.close());
beforeEach(() => {
  seen = 0;
  begun = 0;
  running = 0;
  mostRunning = 0;
  held = new Promise(resolve => {
    release = resolve;
  });
});

const requests = (count: number) => 'GET /held HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(count);

const post = (bytes: number) =>
  `POST /dashboard/api/sign-in HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n${'a'.repeat(bytes)}`;

/** A connection that sent half of a ten-byte body when its last response was finished: the server keeps reading. */
async function sendBehindLastAnswer(): Promise<Socket> {
  const socket = await send(`GET /last HTTP/1.1\r\nHost: x\r\n\r\n${post(10).slice(0, -5)}`, {
    allowHalfOpen: true,
  });
  await expect.poll(() => seen, patience).toBe(2);
  release();
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toContain('the last answer');
  return socket;
}

async function send(text: string, { allowHalfOpen = false } = {}): Promise<Socket> {
  const socket = connect({
    host: '127.0.0.1',
    port: Number(new URL(service.url).port),
    allowHalfOpen,
  });
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

/** Waits until the server has read everything sent earlier on other connections. */
async function isRead(): Promise<void> {
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
}

it('answers the requests of a connection in order, one at a time', async () => {
  release();
  // Node closes a connection as soon as its client has closed its side, even with waiting requests.
  const last = 'GET /held HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  const answer = await exchangeBytes(service.url, requests(19) + last, { ends: false });
  expect(answer.match(/\{"number":\d+\}/g)).toEqual(
    Array.from({ length: 20 }, (_, index) => `{"number":${index + 1}}`),
  );
  expect(mostRunning).toBe(1);
});

it('does not start requests of a closed connection', async () => {
  const socket = await send(requests(20));
  await expect.poll(() => begun, patience).toBe(1);
  socket.destroy();
  await isRead();
  release();
  await expect.poll(() => running, patience).toBe(0);
  await isRead();
  expect(begun).toBe(1);
});

it('closes a connection with more waiting requests than a client sends', async () => {
  const socket = await send(requests(1_000));
  socket.resume();
  await once(socket, 'close');
  release();
  await isRead();
  expect(begun).toBe(1);
  await expect.poll(() => open.size, patience).toBe(0);
});

it('closes a connection whose waiting requests have long heads, but not for a single one', async () => {
  const long = (count: number) =>
    `GET /held HTTP/1.1\r\nHost: x\r\nx: ${'a'.repeat(10_000)}\r\n\r\n`.repeat(count);
  const few = await send(long(3));
  few.resume();
  await expect.poll(() => seen, patience).toBe(3);
  const many = await send(long(4));
  many.resume();
  await expect.poll(() => many.destroyed, patience).toBe(true);
  expect(few.destroyed).toBe(false);
  release();
  few.destroy();
  await expect.poll(() => open.size, patience).toBe(0);
});

it('discards bytes after the last response of a connection', async () => {
  const socket = await sendBehindLastAnswer();
  socket.write('a'.repeat(5) + post(10_000).repeat(20));
  await expect.poll(() => seen, patience).toBe(22);
  await expect.poll(() => open.size, patience).toBe(0);
  expect(socket.destroyed).toBe(false);
  socket.destroy();
});

it('closes a connection that sends too much after the last response', async () => {
  const socket = await sendBehindLastAnswer();
  socket.write('a'.repeat(5) + requests(100_000));
  await expect.poll(() => accepted.destroyed, patience).toBe(true);
  await expect.poll(() => open.size, patience).toBe(0);
  // Only what one read contained may have been handled.
  expect(seen).toBeLessThan(5_000);
  socket.destroy();
});

it('releases responses that get no event when their connection closes', async () => {
  // Node's server emits the event only for the current response.
  const answers: WeakRef<ServerResponse>[] = [];
  const server = createServer((_request, response) => void answers.push(new WeakRef(response)));
  cutStalledAnswers(server, defaultTransportLimits);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as { port: number }).port, '127.0.0.1');
  socket.write(requests(20));
  await expect.poll(() => answers.length, patience).toBe(20);
  socket.destroy();
  await expect
    .poll(() => {
      collectGarbage();
      return answers.filter(answer => answer.deref()).length;
    }, patience)
    .toBe(0);
  server.close();
});
