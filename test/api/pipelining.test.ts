import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { exchangeBytes } from '../support/raw-http.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let begun = 0;
let underWay = 0;
let mostUnderWay = 0;
let release = () => {};
let held = Promise.resolve();
beforeAll(async () => {
  service = await startService({
    add: app => {
      app.get('/held', async () => {
        begun += 1;
        underWay += 1;
        mostUnderWay = Math.max(mostUnderWay, underWay);
        await held;
        underWay -= 1;
        return { number: begun };
      });
    },
  });
});
afterAll(() => service?.close());
beforeEach(() => {
  begun = 0;
  underWay = 0;
  mostUnderWay = 0;
  held = new Promise(resolve => {
    release = resolve;
  });
});

const requests = (count: number) => 'GET /held HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(count);

async function send(text: string): Promise<Socket> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

/** Waits until everything that was sent before on other connections has been read. */
async function isRead(): Promise<void> {
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
}

it('answers the requests of a connection one after another, in their order', async () => {
  release();
  const answer = await exchangeBytes(service.url, requests(20));
  expect(answer.match(/\{"number":\d+\}/g)).toEqual(
    Array.from({ length: 20 }, (_, index) => `{"number":${index + 1}}`),
  );
  expect(mostUnderWay).toBe(1);
});

it('begins nothing that a connection has left behind', async () => {
  const socket = await send(requests(20));
  await expect.poll(() => begun).toBe(1);
  socket.destroy();
  await isRead();
  release();
  await expect.poll(() => underWay).toBe(0);
  await isRead();
  expect(begun).toBe(1);
});

it('cuts a connection on which more requests wait than a client sends', async () => {
  const socket = await send(requests(1_000));
  socket.resume();
  await once(socket, 'close');
  release();
  await isRead();
  expect(begun).toBe(1);
});
