import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { limits } from '../../src/contract/limits.ts';
import { createHttpServer } from '../../src/http/http-server.ts';
import { Metrics } from '../../src/http/metrics.ts';
import { readBytes } from '../../src/http/read-bytes.ts';
import { largeBodyTurn, shareTurns } from '../../src/http/share-turns.ts';
import { cutStalledAnswers } from '../../src/http/stalled-answers.ts';
import { defaultTransportLimits, type TransportLimits } from '../../src/http/transport-limits.ts';
import { uploadHeaders } from '../support/dashboard-client.ts';
import { addPerson } from '../support/people.ts';
import { poll } from '../support/poll.ts';
import { startService } from '../support/service.ts';

const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

const patience = { timeout: 30_000, interval: 50 };
const mebibyte = 1024 * 1024;

/** A server with the real limits, except those given. */
async function serve(limited: Partial<TransportLimits>, answer: RequestListener) {
  const transport = { ...defaultTransportLimits, checkMs: 50, ...limited };
  const metrics = new Metrics();
  const server = createHttpServer(answer, transport, () => false);
  servers.push(server);
  cutStalledAnswers(server, transport, metrics);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const cuts = async () => Number(/parapet_http_connections_cut_total (\d+)/.exec(await metrics.text())![1]);
  const open = (text: string) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
    sockets.push(socket);
    socket.write(text);
    return socket;
  };
  return { cuts, open };
}

const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

/** Reads in pieces, with a pause after each. */
function reading(socket: Socket, pauseMs: number): { received: number; pauseMs: number } {
  const read = { received: 0, pauseMs };
  socket.on('data', piece => {
    read.received += piece.length;
    socket.pause();
    setTimeout(() => socket.resume(), read.pauseMs);
  });
  return read;
}

/** A response that is written at once, like lists. */
const large =
  (bytes: number): RequestListener =>
  (_request, response) => {
    response.end('a'.repeat(bytes));
  };

it('sends a long response to a client above the minimum rate, however long that takes', async () => {
  const bytes = 48 * mebibyte;
  const { open, cuts } = await serve({ stallMs: 2_000, leastRate: mebibyte }, large(bytes));
  const began = performance.now();
  // At most 13 MB a second.
  const slow = reading(open(get), 5);
  await expect.poll(() => slow.received, patience).toBeGreaterThan(bytes);
  expect(performance.now() - began, 'longer than the limit without progress').toBeGreaterThan(2_000);
  expect(await cuts()).toBe(0);
});

it('closes a client below the minimum rate, even if it always reads something', async () => {
  const { open, cuts } = await serve({ stallMs: 2_000, leastRate: 20 * mebibyte }, large(200 * mebibyte));
  const socket = open(get);
  reading(socket, 10);
  await once(socket, 'close');
  expect(await cuts()).toBe(1);
});

it('closes the slowest-read responses if too many bytes wait, but not active or new ones', async () => {
  const bytes = 48 * mebibyte;
  const { open, cuts } = await serve({ unreadBytes: 100 * mebibyte, stallMs: 300_000 }, large(bytes));
  const slow = reading(open(get), 20);
  await expect.poll(() => slow.received, patience).toBeGreaterThan(mebibyte);
  // It reads fast, then nothing.
  const unread = open(get);
  let first = 0;
  unread.on('data', piece => {
    first += piece.length;
    if (first > 8 * mebibyte) unread.pause();
  });
  await expect.poll(() => first, patience).toBeGreaterThan(8 * mebibyte);
  // At most 3.2 MB a second: longer than fast progress counts.
  await expect.poll(() => slow.received, patience).toBeGreaterThan(16 * mebibyte);
  expect(await cuts()).toBe(0);
  const late = reading(open(get), 0);
  await expect.poll(cuts, patience).toBe(1);
  slow.pauseMs = 0;
  await expect.poll(() => slow.received, patience).toBeGreaterThan(bytes);
  await expect.poll(() => late.received, patience).toBeGreaterThan(bytes);
  unread.removeAllListeners('data').resume();
  await once(unread, 'close');
  expect(await cuts()).toBe(1);
});

it('closes the oldest unfinished bodies if too many of their bytes wait', async () => {
  let begun = 0;
  const { open, cuts } = await serve(
    { unfinishedBytes: 10.5 * limits.bodyBytes },
    async (request, response) => {
      begun += 1;
      const body = await readBytes(request, limits.bodyBytes).catch(() => undefined);
      response.end(String(body?.length));
    },
  );
  const begin = () => {
    const socket = open(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${limits.bodyBytes}\r\n\r\n`);
    socket.write(Buffer.alloc(limits.bodyBytes - 1));
    return socket;
  };
  const first = Array.from({ length: 10 }, begin);
  const closed = new Set<Socket>();
  for (const socket of first) socket.once('close', () => closed.add(socket));
  await expect.poll(() => begun, patience).toBe(10);
  expect(await cuts()).toBe(0);
  const next = begin();
  await expect.poll(cuts, patience).toBe(1);
  await expect.poll(() => closed.size, patience).toBe(1);
  next.end('a');
  const [answer] = await once(next, 'data');
  expect(String(answer)).toContain(`\r\n\r\n${limits.bodyBytes}`);
});

it('closes queued bodies if too many of their bytes wait', async () => {
  let arrived = 0;
  const answer: RequestListener = async (request, response) => {
    const { length } = await readBytes(request, limits.bodyBytes);
    if (length > 0) {
      arrived += 1;
      await largeBodyTurn(request, length, {
        organizationId: 'one',
        actor: { kind: 'key', id: 'somebody' },
      }).catch(() => {});
      // Work after which the server defers other requests.
      for (const begun = performance.now(); performance.now() - begun < 60; );
    }
    response.end();
  };
  const { open, cuts } = await serve({ unfinishedBytes: 4.5 * limits.bodyBytes }, shareTurns(answer));
  for (let sent = 1; sent <= 30; sent++) {
    // Only requests of others are deferred.
    open(get);
    const socket = open(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${limits.bodyBytes}\r\n\r\n`);
    socket.write(Buffer.alloc(limits.bodyBytes));
    // One at a time, so that hardly anything is unfinished.
    await poll('the body to arrive', async () => (arrived >= sent ? true : undefined));
    if ((await cuts()) > 0) break;
  }
  await expect.poll(cuts, patience).toBeGreaterThan(0);
});

it('closes clients that send requests ahead if too many bytes of heads wait', async () => {
  const held = new Set<string>();
  const { open, cuts } = await serve({ unfinishedBytes: 3 * mebibyte }, (request, response) => {
    if (request.url === '/') response.end();
    else held.add(request.url!);
  });
  const head = (path: string, bytes: number) =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nx: ${'a'.repeat(bytes)}\r\n\r\n`;
  for (let index = 0; index < 90; index++) open(head(`/${index}`, 12_000) + head('/behind', 12_000));
  await expect.poll(() => held.size, patience).toBe(90);
  expect(await cuts()).toBe(0);
  for (let index = 90; index < 150; index++) open(head(`/${index}`, 12_000) + head('/behind', 12_000));
  await expect.poll(cuts, patience).toBeGreaterThan(0);
  const answered = open(get);
  expect(String(await once(answered, 'data'))).toContain('200 OK');
});

it('does not count discarded bodies', async () => {
  let begun = 0;
  const { open, cuts } = await serve({ unfinishedBytes: 5 * limits.bodyBytes }, async (request, response) => {
    begun += 1;
    await readBytes(request, limits.bodyBytes, { keep: request.url !== '/unsigned' }).catch(() => {});
    response.end();
  });
  const begin = (path: string) => {
    const socket = open(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${limits.bodyBytes}\r\n\r\n`);
    socket.write(Buffer.alloc(limits.bodyBytes - 1));
    return socket;
  };
  const closed: string[] = [];
  for (const path of [...Array(30).fill('/unsigned'), ...Array(5).fill('/signed')]) {
    begin(path).once('close', () => closed.push(path));
  }
  await expect.poll(() => begun, patience).toBe(35);
  await expect.poll(cuts, patience).toBe(1);
  await expect.poll(() => closed, patience).toEqual(['/signed']);
});

it('closes no upload, whose bytes are limited by the number of simultaneous uploads', async () => {
  const service = await startService({ transport: { unfinishedBytes: 50_000, checkMs: 20 } });
  try {
    const organization = await service.createOrganization();
    const { client } = await addPerson(service, organization, 'admin');
    const pieces = async function* () {
      // Long enough for ten checks.
      for (let piece = 0; piece < 20; piece++) {
        yield Buffer.alloc(20_000, 'text ');
        await wait(20);
      }
    };
    const path = `/dashboard/api/organizations/${organization}/evidence/files?name=a.txt`;
    const answer = await fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: uploadHeaders(client),
      body: Readable.toWeb(Readable.from(pieces())) as ReadableStream,
      duplex: 'half',
    } as RequestInit);
    expect(answer.status, await answer.text()).toBe(201);
  } finally {
    await service.close();
  }
});
