import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { testAuthority } from '../../test/support/certificates.ts';
import { Clock } from './clock.ts';
import { checkKey, type IngestTarget, ServiceConnection } from './service-connection.ts';

const folder = mkdtempSync(join(tmpdir(), 'parapet-connection-'));
const keyFile = join(folder, 'key.json');
const target = '/functions/v1/events-ingest';
const shield = '/functions/v1/shield-ingest';
const opened: { close(): void }[] = [];

let service: string;
let authorities: string;
let certified: { readonly cert: string; readonly key: string };
const received: { agent: string | undefined; authorization: string | undefined; body: string }[] = [];
beforeAll(async () => {
  const authority = testAuthority();
  authorities = authority.root;
  const signing = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' });
  const signing_key = `svc_sign_${signing.toString('base64url')}`;
  writeFileSync(keyFile, JSON.stringify({ token: 'svc_probe_t', token_id: randomUUID(), signing_key }));
  const { chain, key } = authority.issue();
  certified = { cert: chain, key };
  const answering = createHttpsServer(certified, async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { authorization, 'user-agent': agent } = request.headers;
    received.push({ agent, authorization, body });
    response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"Invalid body"}');
  });
  service = `https://127.0.0.1:${await listen(answering)}`;
});
afterEach(() => {
  vi.unstubAllEnvs();
  received.length = 0;
});
afterAll(() => {
  for (const server of opened) server.close();
  rmSync(folder, { recursive: true });
});

async function listen(server: Server): Promise<number> {
  opened.push(server);
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** A proxy that opens tunnels for those with this login. */
async function startProxy(login?: string, proxy: Server = createHttpServer()) {
  const tunnels: string[] = [];
  const seen: string[] = [];
  const expected = login && `Basic ${Buffer.from(login).toString('base64')}`;
  proxy.on('connect', (request: IncomingMessage, socket: Socket) => {
    tunnels.push(request.url ?? '');
    socket.on('error', () => {});
    if (request.headers['proxy-authorization'] !== expected) {
      return socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n');
    }
    const [host, port] = (request.url ?? '').split(':');
    const onward = connect(Number(port), host, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    onward.on('error', () => socket.destroy());
    socket.on('data', chunk => seen.push(chunk.toString('latin1')));
    socket.pipe(onward).pipe(socket);
  });
  return { port: await listen(proxy), tunnels, seen };
}

const settings = (proxy?: string) => ({ url: service, brand: 'service', keyFile, authorities, proxy });

async function post(proxy?: string, to: IngestTarget = target) {
  const connection = new ServiceConnection(settings(proxy), new Clock());
  try {
    return await connection.post(to, '{"events":[]}');
  } finally {
    connection.close();
  }
}

it('sends a signed request over TLS, and reads the answer', async () => {
  expect(await post()).toMatchObject({ status: 400, json: { error: 'Invalid body' }, corrected: 0 });
  await post(undefined, shield);
  const sent = { authorization: 'Bearer svc_probe_t', body: '{"events":[]}' };
  expect(received).toEqual([
    { agent: 'parapet-probe', ...sent },
    { agent: 'parapet-shield', ...sent },
  ]);
});

it('goes through the configured proxy, which sees neither key nor body', async () => {
  const { port, tunnels, seen } = await startProxy();
  expect(await post(`http://127.0.0.1:${port}`)).toMatchObject({ status: 400 });
  expect(tunnels).toEqual([new URL(service).host]);
  expect(received).toHaveLength(1);
  expect(seen.join('')).not.toBe('');
  expect(seen.join('')).not.toMatch(/svc_probe_t|events|authorization/i);
});

it('goes through a proxy that is reached over TLS', async () => {
  const { port, tunnels } = await startProxy(undefined, createHttpsServer(certified));
  expect(await post(`https://127.0.0.1:${port}`)).toMatchObject({ status: 400 });
  expect(tunnels).toEqual([new URL(service).host]);
});

it('goes through the proxy of the environment with its login, except for hosts in NO_PROXY', async () => {
  const secret = randomBytes(12).toString('hex');
  const { port, tunnels } = await startProxy(`probe:${secret}`);
  vi.stubEnv('HTTPS_PROXY', `http://probe:${secret}@127.0.0.1:${port}`);
  expect(await post()).toMatchObject({ status: 400 });
  expect(tunnels).toHaveLength(1);
  vi.stubEnv('NO_PROXY', '127.0.0.1');
  expect(await post()).toMatchObject({ status: 400 });
  expect(tunnels).toHaveLength(1);
});

it('uses no proxy without TLS: it would read the key', async () => {
  const { port, tunnels, seen } = await startProxy();
  for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'])
    vi.stubEnv(name, `http://127.0.0.1:${port}`);
  for (const name of ['NO_PROXY', 'no_proxy']) vi.stubEnv(name, '');
  const plain = createHttpServer((_, response) => void response.writeHead(400).end());
  const url = `http://127.0.0.1:${await listen(plain)}`;
  const connection = new ServiceConnection({ ...settings(), url }, new Clock());
  await expect(connection.post(target, '{"events":[]}')).resolves.toMatchObject({ status: 400 });
  connection.close();
  expect([tunnels, seen]).toEqual([[], []]);
});

it('says that the proxy refused, without its password', async () => {
  const { port } = await startProxy('probe:right');
  vi.stubEnv('HTTPS_PROXY', `http://probe:wr0ng-pw@127.0.0.1:${port}`);
  const { ok, words } = await checkKey(settings(), new Clock(), target);
  expect(ok).toBe(false);
  expect(words).toMatch(/proxy.*407/i);
  expect(words).not.toContain('wr0ng-pw');
  expect(received).toEqual([]);
});

it('names a proxy in the environment that is of another kind, without repeating it', async () => {
  vi.stubEnv('HTTPS_PROXY', 'socks5://probe:wr0ng-pw@proxy');
  const { ok, words } = await checkKey(settings(), new Clock(), target);
  expect([ok, words]).toEqual([false, expect.stringMatching(/HTTPS_PROXY/)]);
  expect(words).not.toContain('wr0ng-pw');
});

it('names a login of the proxy that is not percent-encoded, without repeating it', async () => {
  vi.stubEnv('HTTPS_PROXY', 'http://probe:wr0ng%pw@proxy:3128');
  const { ok, words } = await checkKey(settings(), new Clock(), target);
  expect([ok, words]).toEqual([false, expect.stringMatching(/HTTPS_PROXY must be percent-encoded/)]);
  expect(words).not.toContain('wr0ng');
});

it('says what to do about a certificate that it does not trust', async () => {
  const { ok, words } = await checkKey({ ...settings(), authorities: undefined }, new Clock(), target);
  expect([ok, words]).toEqual([false, expect.stringMatching(/^its certificate is not trusted: .*ca_file/)]);
});

it.each([
  ['{"token":"svc_probe_t"}', ' lacks token_id, signing_key: download the file of a new key'],
  ['null', ' lacks token, token_id, signing_key: download the file of a new key'],
  ['{"token":"svc_probe_t","token_id":"a","signing_key":"b"}', ': token_id must be a UUID'],
])('names the fields of a key file that are missing or wrong: %s', async (text, problem) => {
  const file = join(folder, 'incomplete.json');
  writeFileSync(file, text);
  const { ok, words } = await checkKey({ ...settings(), keyFile: file }, new Clock(), target);
  expect([ok, words]).toEqual([false, `${file}${problem}`]);
});

it('names what else may be wrong about a key that is refused', async () => {
  const refusing = createHttpServer(
    (_, response) => void response.writeHead(401).end('{"error":"Unauthorized"}'),
  );
  const url = `http://127.0.0.1:${await listen(refusing)}`;
  const { ok, words } = await checkKey({ ...settings(), url }, new Clock(), target);
  expect([ok, words]).toEqual([
    false,
    expect.stringMatching(/^the key was refused: .*service\.brand is not/),
  ]);
});

it('names a key file that is missing', async () => {
  const file = join(folder, 'missing.json');
  const { words } = await checkKey({ ...settings(), keyFile: file }, new Clock(), target);
  expect(words).toBe(`${file} does not exist`);
});

it('says that another web server is not Parapet', async () => {
  const port = await listen(createHttpServer((_, response) => response.writeHead(404).end('Not Found')));
  const other = { ...settings(), url: `http://127.0.0.1:${port}` };
  const { ok, words } = await checkKey(other, new Clock(), target);
  expect([ok, words]).toEqual([
    false,
    'something that is not Parapet answered 404: is service.url its address?',
  ]);
});

it('says which file a key must be', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'parapet-key-')), 'key.json');
  writeFileSync(file, 'svc_probe_t');
  const { ok, words } = await checkKey({ ...settings(), keyFile: file }, new Clock(), target);
  expect([ok, words]).toEqual([
    false,
    `${file} is not the JSON file that the dashboard gives for download with a new key`,
  ]);
});

it('says when nothing answers', async () => {
  const { port } = await startProxy();
  for (const server of opened.splice(-1)) server.close();
  const refused = 'nothing listens at its port (ECONNREFUSED)';
  const direct = { ...settings(), url: `https://127.0.0.1:${port}` };
  expect(await checkKey(direct, new Clock(), target)).toEqual({ ok: false, words: refused });
  const behindProxy = settings(`http://127.0.0.1:${port}`);
  expect(await checkKey(behindProxy, new Clock(), target)).toEqual({
    ok: false,
    words: `the proxy: ${refused}`,
  });
});

/** A proxy that answers its first connection with this function, and opens tunnels for later ones. */
async function startStalling(onFirst: (socket: Socket) => void) {
  const behind = await startProxy();
  const closed: Promise<unknown>[] = [];
  const proxy = createTcpServer(socket => {
    socket.on('error', () => {});
    closed.push(new Promise(resolve => void socket.once('close', resolve)));
    if (closed.length === 1) {
      // Read, so that its end is noticed.
      socket.resume();
      return onFirst(socket);
    }
    const onward = connect(behind.port, '127.0.0.1');
    onward.on('error', () => socket.destroy());
    socket.pipe(onward).pipe(socket);
  });
  return { url: `http://127.0.0.1:${await listen(proxy)}`, closed };
}

it('gives up a proxy that answers nothing', async () => {
  const { url, closed } = await startStalling(() => {});
  const connection = new ServiceConnection(settings(url), new Clock(), { answerMs: 300 });
  await expect(connection.post(target, '{"events":[]}')).rejects.toThrow('no answer within 0.3 s');
  await closed[0];
  connection.close();
});

it('ends at the signal while a proxy answers nothing, and can be used again', async () => {
  const stop = new AbortController();
  const { url, closed } = await startStalling(() => stop.abort());
  const connection = new ServiceConnection(settings(url), new Clock());
  await expect(connection.post(target, '{"events":[]}', stop.signal)).rejects.toThrow('aborted');
  await closed[0];
  expect(await connection.post(target, '{"events":[]}')).toMatchObject({ status: 400 });
  connection.close();
});

it('does not read endless headers of a proxy', async () => {
  const { url, closed } = await startStalling(socket => {
    const line = `x-filler: ${'a'.repeat(4_000)}\r\n`;
    const write = () => {
      while (socket.writable && socket.write(line));
    };
    socket.write('HTTP/1.1 200 OK\r\n');
    socket.on('drain', write);
    write();
  });
  const connection = new ServiceConnection(settings(url), new Clock());
  await expect(connection.post(target, '{"events":[]}')).rejects.toThrow(/Header overflow/);
  await closed[0];
  expect(await connection.post(target, '{"events":[]}')).toMatchObject({ status: 400 });
  connection.close();
});

it('gives up an answer that does not end', async () => {
  const slow = createHttpServer((_, response) => void response.writeHead(202).write('{"accepted":'));
  const url = `http://127.0.0.1:${await listen(slow)}`;
  const connection = new ServiceConnection({ ...settings(), url }, new Clock(), { answerMs: 300 });
  await expect(connection.post(target, '{"events":[]}')).rejects.toThrow('no answer within 0.3 s');
  connection.close();
  slow.closeAllConnections();
});

it('takes no answer of another server for that of the service', async () => {
  const other = createHttpServer((_, response) => void response.writeHead(400).end('<h1>Bad Request</h1>'));
  const url = `http://127.0.0.1:${await listen(other)}`;
  expect(await checkKey({ ...settings(), url }, new Clock(), target)).toEqual({
    ok: false,
    words: expect.stringContaining('400'),
  });
});

const hourAhead = 3_600_000;
it.each([
  { status: 202, body: '{"accepted":0,"duplicates":0,"rejected":[]}', learns: true },
  { status: 400, body: '{"error":"Invalid body"}', learns: true },
  { status: 401, body: '{"error":"Unauthorized"}', learns: true },
  { status: 500, body: '{"error":"Request failed","error_code":"request_failed"}', learns: true },
  { status: 202, body: '{}', learns: false },
  { status: 202, body: 'null', learns: false },
  { status: 400, body: '{"error":"Unauthorized"}', learns: false },
  { status: 401, body: '<h1>Unauthorized</h1>', learns: false },
  { status: 407, body: '{"error":"Unauthorized"}', learns: false },
  { status: 502, body: '{}', learns: false },
])('learns the time from answers of the service only: $status $body', async ({ status, body, learns }) => {
  const ahead = createHttpServer((_, response) => {
    const date = new Date(Date.now() + hourAhead).toUTCString();
    response.writeHead(status, { date, 'content-type': 'application/json' }).end(body);
  });
  const url = `http://127.0.0.1:${await listen(ahead)}`;
  const clock = new Clock();
  const connection = new ServiceConnection({ ...settings(), url }, clock);
  const { corrected } = await connection.post(target, '{"events":[]}');
  connection.close();
  expect([corrected > hourAhead - 60_000, (clock.offset ?? 0) > 0]).toEqual([learns, learns]);
});

it('does not read an endless answer', async () => {
  const endless = createHttpServer((_, response) => {
    response.writeHead(202);
    const write = () => {
      while (response.write(Buffer.alloc(64 * 1024, 'x')));
    };
    response.on('drain', write);
    write();
  });
  const url = `http://127.0.0.1:${await listen(endless)}`;
  const connection = new ServiceConnection({ ...settings(), url }, new Clock());
  expect(await connection.post(target, '{"events":[]}')).toMatchObject({ status: 202, json: undefined });
  connection.close();
});
