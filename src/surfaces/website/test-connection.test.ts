import { afterEach, expect, it } from 'vitest';
import { testAuthority, testCertificate } from '../../../test/support/certificates.ts';
import { httpServer, httpsServer, loopbackGuard, type TestServer } from '../../../test/support/website.ts';
import type { WebsiteCredential } from './credential.ts';
import { testWebsite } from './test-connection.ts';

const authority = testAuthority();
const servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map(server => server.close()));
});

async function running(starting: Promise<TestServer>): Promise<number> {
  const server = await starting;
  servers.push(server);
  return server.port;
}

function test(host: string, credential?: WebsiteCredential) {
  return testWebsite(host, {
    guard: loopbackGuard(),
    signal: AbortSignal.timeout(10_000),
    trustedRoots: [authority.root],
    limits: { requests: 5, bytes: 1_000_000, totalMs: 8_000, requestMs: 3_000 },
    ...(credential === undefined ? {} : { credential }),
  });
}

const trusted = () => {
  const leaf = authority.issue();
  return { key: leaf.key, cert: leaf.chain };
};
const good = { type: 'header', name: 'X-Api-Key', value: 'right' } as const;

it('passes if the site answers, with its latency', async () => {
  const port = await running(httpsServer(trusted(), (_, response) => response.end('hello')));
  const result = await test(`127.0.0.1:${port}`);
  expect(result).toEqual({ ok: true, latencyMs: expect.any(Number) });
  expect(Number.isInteger(result.latencyMs)).toBe(true);
});

it('passes on any status but a server error, since a page without a login may return 403 or 404', async () => {
  for (const [status, expected] of [
    [302, { ok: true }],
    [403, { ok: true }],
    [404, { ok: true }],
    [503, { ok: false, errorCode: 'http_error' }],
  ] as const) {
    const port = await running(
      httpServer((_, response) => {
        response.statusCode = status;
        response.end();
      }),
    );
    expect(await test(`http://127.0.0.1:${port}/`)).toMatchObject(expected);
  }
});

it('distinguishes a right credential from a wrong one', async () => {
  const port = await running(
    httpsServer(trusted(), (request, response) => {
      response.statusCode = request.headers['x-api-key'] === 'right' ? 200 : 401;
      response.end();
    }),
  );
  expect(await test(`127.0.0.1:${port}`, good)).toMatchObject({ ok: true });
  expect(await test(`127.0.0.1:${port}`, { ...good, value: 'wrong' })).toMatchObject({
    errorCode: 'auth_failed',
  });
});

it('does not send a credential to a server with an untrusted certificate', async () => {
  const made = testCertificate();
  let requests = 0;
  const port = await running(
    httpsServer({ key: made.key, cert: made.certificate }, (_, response) => {
      requests += 1;
      response.end();
    }),
  );
  expect(await test(`127.0.0.1:${port}`, good)).toMatchObject({ ok: false, errorCode: 'tls_untrusted' });
  expect(requests).toBe(0);
  expect(await test(`127.0.0.1:${port}`)).toMatchObject({ ok: true });
});

it('does not send a credential over plain HTTP unless the source is an http:// URL', async () => {
  const seen: (string | undefined)[] = [];
  const port = await running(
    httpServer((request, response) => {
      seen.push(request.headers['x-api-key'] as string | undefined);
      response.end();
    }),
  );
  expect(await test(`127.0.0.1:${port}`, good)).toMatchObject({ ok: false, errorCode: 'https_required' });
  expect(seen.every(value => value === undefined)).toBe(true);
  expect(await test(`127.0.0.1:${port}`)).toMatchObject({ ok: true });
  expect(await test(`http://127.0.0.1:${port}/`, good)).toMatchObject({ ok: true });
  expect(seen.at(-1)).toBe('right');
});

it('reports that nothing listens', async () => {
  const server = await httpServer(() => {});
  await server.close();
  expect(await test(`127.0.0.1:${server.port}`)).toMatchObject({
    ok: false,
    errorCode: 'connection_refused',
  });
});

it('reports that there is no common TLS version', async () => {
  const port = await running(
    httpsServer({ ...trusted(), ciphers: 'PSK-AES128-GCM-SHA256', maxVersion: 'TLSv1.2' }, () => {}),
  );
  expect(await test(`https://127.0.0.1:${port}/`)).toMatchObject({ ok: false, errorCode: 'tls_failed' });
});
