import type { IncomingMessage, RequestListener } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { testAuthority } from '../../../test/support/certificates.ts';
import {
  httpServer,
  httpsServer,
  loopbackGuard,
  rawServer,
  type TestServer,
} from '../../../test/support/website.ts';
import { createTargetGuard, type TargetGuard } from '../connection/target-guard.ts';
import { testSupabase } from './test-connection.ts';

const authority = testAuthority();
const key = 'S3cret.service.role';

const servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map(server => server.close()));
});
async function running(starting: Promise<TestServer>): Promise<number> {
  const server = await starting;
  servers.push(server);
  return server.port;
}

interface Options {
  readonly url?: string;
  readonly key?: string;
  readonly guard?: TargetGuard;
  readonly trustedRoots?: readonly string[];
  readonly budgetMs?: number;
}

/** The code of a failure, or `ok`. No result may contain anything of the credential. */
async function test(host: string, { url = `https://${host}`, ...options }: Options = {}): Promise<string> {
  const result = await testSupabase(host, {
    guard: loopbackGuard(),
    signal: AbortSignal.timeout(10_000),
    userAgent: 'Parapet/test',
    trustedRoots: [authority.root],
    budgetMs: 5_000,
    ...options,
    credential: { type: 'service_role', url, key: options.key ?? key },
  });
  expect(JSON.stringify(result)).not.toContain('S3cret');
  return result.ok ? 'ok' : result.errorCode;
}

function project(handler: RequestListener): Promise<number> {
  const { key: privateKey, chain } = authority.issue();
  return running(httpsServer({ key: privateKey, cert: chain }, handler));
}

const rest: RequestListener = (request, response) => {
  const { apikey, authorization } = request.headers;
  response.statusCode = apikey === key && authorization === `Bearer ${key}` ? 200 : 401;
  response.setHeader('content-type', 'application/openapi+json; charset=utf-8');
  response.end('{"swagger":"2.0"}');
};

it('passes if the API accepts the key, with one request', async () => {
  const requests: IncomingMessage[] = [];
  const port = await project((request, response) => {
    requests.push(request);
    rest(request, response);
  });
  expect(await test(`127.0.0.1:${port}`)).toBe('ok');
  expect(await test(`127.0.0.1:${port}`, { url: `HTTPS://127.0.0.1:${port}/` })).toBe('ok');
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual(Array(2).fill('GET /rest/v1/'));
  expect(requests[0]!.headers['user-agent']).toBe('Parapet/test');
});

it('reports a wrong key', async () => {
  const port = await project(rest);
  expect(await test(`127.0.0.1:${port}`, { key: 'S3cret-and-wrong' })).toBe('auth_failed');
  expect(await test(`127.0.0.1:${port}`, { key: 'S3cret\r\nhost: evil' })).toBe('invalid_credential');
});

it('sends the key to the source only', async () => {
  const others = await project(() => expect.unreachable('the key was sent to another origin'));
  const port = await project((_, response) => {
    response.writeHead(307, { location: `https://127.0.0.1:${others}/rest/v1/` }).end();
  });
  expect(await test(`127.0.0.1:${port}`)).toBe('protocol_invalid');
  const host = `127.0.0.1:${others}`;
  expect(await test(host, { trustedRoots: [] })).toBe('tls_untrusted');
  expect(await test('project.supabase.co', { url: `https://${host}` })).toBe('credential_host_mismatch');
  expect(await test(host, { url: 'https://127.0.0.1' })).toBe('credential_host_mismatch');
  expect(await test(host, { url: `http://${host}` })).toBe('tls_required');
  for (const url of [
    `https://user@${host}`,
    `https://${host}/path`,
    `https://${host}?x`,
    `https://${host}\\@evil`,
    host,
    `ftp://${host}`,
    'https://',
  ]) {
    expect(await test(host, { url })).toBe('invalid_credential');
  }
  expect(await test(host, { guard: createTargetGuard({ allowlist: [] }) })).toBe('refused_private_address');
});

it('reports what answers instead', async () => {
  const web = await project((_, response) => response.setHeader('content-type', 'text/html').end('hello'));
  expect(await test(`127.0.0.1:${web}`)).toBe('protocol_invalid');
  const missing = await project((_, response) => response.writeHead(404).end());
  expect(await test(`127.0.0.1:${missing}`)).toBe('protocol_invalid');
  const paused = await project((_, response) => response.writeHead(540).end());
  expect(await test(`127.0.0.1:${paused}`)).toBe('http_error');
  const plain = await running(httpServer(rest));
  expect(await test(`127.0.0.1:${plain}`)).toBe('tls_failed');
  const mute = await running(rawServer(() => {}));
  expect(await test(`127.0.0.1:${mute}`, { budgetMs: 300 })).toBe('timeout');
  const unheard = await project(() => {});
  expect(await test(`127.0.0.1:${unheard}`, { budgetMs: 300 })).toBe('timeout');
  await servers.splice(0, 1)[0]!.close();
  expect(await test(`127.0.0.1:${web}`)).toBe('connection_refused');
  const failing = createTargetGuard({ allowlist: [], resolve: () => Promise.reject(new Error('S3cret')) });
  expect(await test('project.supabase.co', { guard: failing })).toBe('dns_failed');
});
