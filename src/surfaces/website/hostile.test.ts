import { gzipSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { httpServer, loopbackGuard, rawServer, type TestServer } from '../../../test/support/website.ts';
import { createTargetGuard } from '../connection/target-guard.ts';
import { collectWebsite } from './collect.ts';
import { testWebsite } from './test-connection.ts';

/** Malicious servers. Each must cost little time and memory, and result in a clear error or capture. */

const servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map(server => server.close()));
});

async function running(starting: Promise<TestServer>): Promise<string> {
  const server = await starting;
  servers.push(server);
  return `http://127.0.0.1:${server.port}/`;
}

const limits = { requests: 60, bytes: 6 * 1024 * 1024, totalMs: 3_000, requestMs: 400 };
/** For cases that are decided by bytes rather than by time, so that a busy machine does not change the result. */
const patient = { ...limits, totalMs: 12_000, requestMs: 6_000 };
const options = () => ({ guard: loopbackGuard(), signal: AbortSignal.timeout(20_000), limits });

async function bounded<T>(work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await work();
  expect(performance.now() - started).toBeLessThan(15_000);
  return result;
}

/** Writes as fast as the peer reads, until it closes the connection. */
function pour(socket: NodeJS.WritableStream & { destroyed?: boolean }, chunk: string | Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', more);
  more();
}

it.each([
  [
    'headers that never end',
    'HTTP/1.1 200 OK\r\n',
    'X-More: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n',
    'http_invalid',
  ],
  ['one header that never ends', 'HTTP/1.1 200 OK\r\nX-Long: ', 'a'.repeat(1000), 'http_invalid'],
  ['no HTTP at all', '', 'SSH-2.0-OpenSSH_9.2\r\n', 'http_invalid'],
])('gives up on %s', async (_, begin, more, errorCode) => {
  const url = await running(
    rawServer(socket => {
      socket.write(begin);
      pour(socket, more);
    }),
  );
  const result = await bounded(() => testWebsite(url, { ...options(), limits: patient }));
  expect(result).toMatchObject({ ok: false, errorCode });
  await expect(bounded(() => collectWebsite(url, { ...options(), limits: patient }))).rejects.toMatchObject({
    name: 'WebsiteUnreachable',
    errorCode,
  });
});

it('gives up on silence, and on a status line sent byte by byte', async () => {
  const silent = await running(rawServer(() => {}));
  expect(await bounded(() => testWebsite(silent, options()))).toMatchObject({
    ok: false,
    errorCode: 'timeout',
  });
  const timers: NodeJS.Timeout[] = [];
  const dripping = await running(
    rawServer(socket => {
      socket.write('HTTP/1.1 200 OK\r\nX-Drip: ');
      timers.push(setInterval(() => socket.write('a'), 20));
    }),
  );
  expect(await bounded(() => testWebsite(dripping, options()))).toMatchObject({
    ok: false,
    errorCode: 'timeout',
  });
  for (const timer of timers) clearInterval(timer);
});

it('gives up on a server that accepts connections and stays silent, with TLS or without', async () => {
  const url = await running(rawServer(() => {}));
  const host = new URL(url).host;
  await expect(bounded(() => collectWebsite(host, options()))).rejects.toMatchObject({
    errorCode: 'timeout',
  });
});

it('cuts off a body that never ends, and keeps the beginning', async () => {
  const chunk = Buffer.alloc(64 * 1024, 'a');
  const url = await running(
    httpServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      pour(response, chunk);
    }),
  );
  const before = process.memoryUsage().rss;
  const { page, exposure } = await bounded(() => collectWebsite(url, options()));
  expect(page.assessed && page.value.body_truncated).toBe(true);
  expect(page.assessed && page.value.body.length).toBe(2 * 1024 * 1024);
  // The collection's limit of bytes leaves paths unrequested, which are reported as not assessed.
  expect(exposure.assessed && exposure.value.probes.some(({ response }) => !response.assessed)).toBe(true);
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
});

it('cuts off a body sent byte by byte', async () => {
  const timers: NodeJS.Timeout[] = [];
  const url = await running(
    httpServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      timers.push(setInterval(() => response.write('a'), 20));
    }),
  );
  const { page } = await bounded(() => collectWebsite(url, options()));
  expect(page.assessed && page.value.body_truncated).toBe(true);
  for (const timer of timers) clearInterval(timer);
});

it('decompresses a bomb only up to the limit', async () => {
  const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, 'a'));
  expect(bomb.length).toBeLessThan(300 * 1024);
  const url = await running(
    httpServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' });
      response.end(bomb);
    }),
  );
  const before = process.memoryUsage().rss;
  const { page } = await bounded(() => collectWebsite(url, options()));
  expect(page.assessed && page.value.body.length).toBe(2 * 1024 * 1024);
  expect(page.assessed && page.value.body_truncated).toBe(true);
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
});

it('resolves a name once, so that a later DNS change has no effect', async () => {
  let lookUps = 0;
  const url = await running(httpServer((_, response) => response.end('the server that was checked')));
  const { port } = new URL(url);
  const guard = createTargetGuard({
    allowlist: ['127.0.0.1'],
    resolve: () => {
      lookUps += 1;
      return Promise.resolve([lookUps === 1 ? '127.0.0.1' : '169.254.169.254']);
    },
  });
  const { page, exposure } = await collectWebsite(`http://rebinding.example:${port}/`, {
    ...options(),
    guard,
  });
  expect(lookUps).toBe(1);
  expect(page).toMatchObject({ assessed: true, value: { body: 'the server that was checked' } });
  expect(exposure.assessed && exposure.value.probes[0]?.response.assessed).toBe(true);
});

it('checks the target of a redirect within the same site', async () => {
  const inner = await running(httpServer(() => expect.unreachable('a refused address was contacted')));
  const url = await running(
    httpServer((_, response) => {
      response.writeHead(302, { location: `http://inside.portal.example:${new URL(inner).port}/` }).end();
    }),
  );
  const guard = createTargetGuard({
    allowlist: ['127.0.0.1'],
    resolve: name => Promise.resolve([name === 'inside.portal.example' ? '127.0.0.2' : '127.0.0.1']),
  });
  const host = `http://portal.example:${new URL(url).port}/`;
  const { http } = await collectWebsite(host, { ...options(), guard });
  expect(http).toMatchObject({ assessed: true, value: { stopped: 'refused' } });
});

it.each([
  ['127.0.0.1', 'refused_private_address'],
  ['http://0x7f000001:8080/', 'refused_private_address'],
  ['https://[::ffff:169.254.169.254]/', 'refused_private_address'],
  ['::1', 'refused_private_address'],
  ['ftp://example.com/', 'invalid_host'],
  ['https://user:secret@example.com/', 'invalid_host'],
  ['exa mple', 'invalid_host'],
  ['unknown.example', 'dns_failed'],
])('refuses %s', async (host, errorCode) => {
  const guard = createTargetGuard({ allowlist: [], resolve: () => Promise.reject(new Error('ENOTFOUND')) });
  const signal = AbortSignal.timeout(10_000);
  await expect(collectWebsite(host, { guard, signal })).rejects.toMatchObject({ errorCode });
  expect(await testWebsite(host, { guard, signal })).toMatchObject({ ok: false, errorCode });
});
