import { once } from 'node:events';
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testAuthority } from '../../../test/support/certificates.ts';
import { running } from '../../../test/support/collecting.ts';
import { hasRedis, type RedisServer, startRedis } from '../../../test/support/redis.ts';
import { httpServer, loopbackGuard, rawServer } from '../../../test/support/website.ts';
import { createTargetGuard, type TargetGuard } from '../connection/target-guard.ts';
import { testRedis } from './test-connection.ts';

const authority = testAuthority();
const password = 'S3cret-test-password';

interface Options {
  readonly host?: string;
  readonly guard?: TargetGuard;
  readonly trustedRoots?: readonly string[];
  readonly budgetMs?: number;
}

/** The code of a failure, or `ok`. No result may contain anything of the credential. */
async function test(dsn: string, options: Options = {}): Promise<string> {
  const host = options.host ?? /^\w+:\/\/(?:[^@/]*@)?([^/?]*)/.exec(dsn)![1]!;
  const result = await testRedis(host, {
    guard: loopbackGuard(),
    signal: AbortSignal.timeout(20_000),
    trustedRoots: [authority.root],
    budgetMs: 5_000,
    ...options,
    credential: { type: 'dsn', dsn },
  });
  expect(JSON.stringify(result)).not.toMatch(/S3cret|reader/);
  return result.ok ? 'ok' : result.errorCode;
}

/** A guard that resolves every name to an address. */
const leading = (address: string) =>
  createTargetGuard({ allowlist: ['127.0.0.0/8'], resolve: async () => [address] });

const users = `user default on >${password} ~* &* +@all
user reader on >p/w:@_1 ~* -@all +get
user gone off >${password} ~* +@all`;
const tls = `port 0
tls-port {port}
tls-cert-file {folder}/server.crt
tls-key-file {folder}/server.key
tls-ca-cert-file {folder}/server.crt
tls-auth-clients no`;

describe.skipIf(!hasRedis())('a real Redis with TLS', () => {
  let server: RedisServer;
  beforeAll(async () => {
    const certificate = authority.issue({ covers: ['127.0.0.1', 'db.example.com'] });
    server = await startRedis(`${tls}\n${users}`, certificate);
  });
  afterAll(() => server?.close());
  const dsn = (login = `default:${password}`, tail = '') =>
    `rediss://${login}@127.0.0.1:${server.port}${tail}`;

  it('passes with a user, with only a password, and with a database', async () => {
    expect(await test(dsn())).toBe('ok');
    expect(await test(dsn(`:${password}`))).toBe('ok');
    expect(await test(dsn(undefined, '/15'))).toBe('ok');
    expect(await test(dsn().replace('rediss', 'valkeys'))).toBe('ok');
  });

  it('passes for a user that may not PING, with a percent-encoded password', async () => {
    expect(await test(dsn(`reader:${encodeURIComponent('p/w:@_1')}`))).toBe('ok');
  });

  it('reports what is wrong with the credential', async () => {
    expect(await test(dsn('default:S3cret-and-wrong'))).toBe('auth_failed');
    expect(await test(dsn('missing:x'))).toBe('auth_failed');
    expect(await test(dsn(`gone:${password}`))).toBe('auth_failed');
    expect(await test(`rediss://127.0.0.1:${server.port}`)).toBe('auth_failed');
    expect(await test(dsn(undefined, '/shop'))).toBe('invalid_credential');
    expect(await test(dsn(undefined, '?sslmode=disable'))).toBe('invalid_credential');
    expect(await test(dsn(), { host: `127.0.0.2:${server.port}` })).toBe('credential_host_mismatch');
  });

  it('logs in only to a server with a valid certificate', async () => {
    expect(await test(dsn(), { trustedRoots: [] })).toBe('tls_untrusted');
    const guard = leading('127.0.0.1');
    const at = (name: string) => `rediss://:${password}@${name}:${server.port}`;
    expect(await test(at('DB.example.com'), { guard })).toBe('ok');
    expect(await test(at('other.example.com'), { guard })).toBe('tls_untrusted');
  });

  it('fails without TLS on a port that requires it', async () => {
    expect(await test(dsn().replace('rediss', 'redis'))).toMatch(/protocol_invalid|connection_failed/);
  });
});

describe.skipIf(!hasRedis())('a real Redis that differs', () => {
  const starting = (...given: Parameters<typeof startRedis>) => running(startRedis(...given));

  it('needs no login if it has no password, whatever password is given', async () => {
    const { port } = await starting('port {port}');
    expect(await test(`redis://127.0.0.1:${port}`)).toBe('ok');
    expect(await test(`redis://:S3cret@127.0.0.1:${port}/0`)).toBe('ok');
    expect(await test(`redis://reader:S3cret@127.0.0.1:${port}`)).toBe('auth_failed');
    expect(await test(`rediss://127.0.0.1:${port}`, { budgetMs: 2_000 })).toMatch(/tls_failed|timeout/);
  });

  it('may require a client certificate', async () => {
    const certificate = authority.issue({ covers: ['127.0.0.1'] });
    const { port } = await starting(tls.replace('tls-auth-clients no', 'tls-auth-clients yes'), certificate);
    expect(await test(`rediss://127.0.0.1:${port}`)).toBe('client_certificate_required');
  });

  it('may have too many clients', async () => {
    const { port } = await starting('port {port}\nmaxclients 1');
    // The server may not have noticed yet that the client before has gone.
    let first: net.Socket;
    do {
      first = net.connect(port, '127.0.0.1').on('error', () => {});
      first.write('PING\r\n');
    } while (!`${await once(first, 'data')}`.startsWith('+PONG'));
    expect(await test(`redis://127.0.0.1:${port}`)).toBe('too_many_connections');
    first.destroy();
  });
});

it('never sends a password to a public address in clear text', async () => {
  const guard = leading('93.184.215.14');
  expect(await test(`redis://:${password}@db.example.com`, { guard })).toBe('tls_required');
});

describe('a target that is not Redis', () => {
  const at = (port: number) => `redis://reader:${password}@127.0.0.1:${port}`;

  it('is silent', async () => {
    const { port } = await running(rawServer(() => {}));
    expect(await test(at(port), { budgetMs: 400 })).toBe('timeout');
  });

  it('closes the connection', async () => {
    const { port } = await running(rawServer(socket => socket.destroy()));
    expect(await test(at(port))).toBe('connection_failed');
  });

  it('is a web server', async () => {
    const { port } = await running(httpServer((_, response) => response.end('hello')));
    expect(await test(at(port))).toBe('protocol_invalid');
  });

  it('is in protected mode', async () => {
    const denied = `-DENIED Redis is running in protected mode because ${'x'.repeat(1_400)}\r\n`;
    const { port } = await running(rawServer(socket => socket.end(denied)));
    expect(await test(at(port))).toBe('auth_failed');
    expect(await test(`redis://127.0.0.1:${port}`)).toBe('auth_failed');
  });

  it('answers more than was requested', async () => {
    const { port } = await running(
      rawServer(socket => socket.once('data', () => socket.write('+OK\r\n+PONG\r\n'))),
    );
    expect(await test(at(port))).toBe('protocol_invalid');
  });
});
