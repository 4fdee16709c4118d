import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testAuthority, testCertificate } from '../../../test/support/certificates.ts';
import { running } from '../../../test/support/collecting.ts';
import { type DatabaseServer, startPostgresServer } from '../../../test/support/postgres-server.ts';
import { httpServer, loopbackGuard, rawServer } from '../../../test/support/website.ts';
import { reachServer } from '../connection/connection-test.ts';
import { createTargetGuard, type TargetGuard } from '../connection/target-guard.ts';
import { askPostgres } from './session.ts';
import { testPostgres } from './test-connection.ts';

const authority = testAuthority();
const password = 'S3cret-test-password';
const statements = [
  `create role reader login password '${password}'`,
  `create role crowded login password '${password}' connection limit 0`,
  'create database shop',
  'create database closed',
  'revoke connect on database closed from public',
];

let server: DatabaseServer;
beforeAll(async () => {
  server = await startPostgresServer(
    authority.issue({ covers: ['127.0.0.1', 'db.example.com'] }),
    statements,
  );
});
afterAll(() => server?.close());

interface Options {
  readonly host?: string;
  readonly guard?: TargetGuard;
  readonly trustedRoots?: readonly string[];
  readonly budgetMs?: number;
}

/** The code of a failure, or `ok`. No result may contain anything of the credential. */
async function test(dsn: string, options: Options = {}): Promise<string> {
  const result = await testPostgres(options.host ?? /@([^/?]*)/.exec(dsn)![1]!, {
    guard: loopbackGuard(),
    signal: AbortSignal.timeout(20_000),
    trustedRoots: [authority.root],
    budgetMs: 5_000,
    ...options,
    credential: { type: 'dsn', dsn },
  });
  expect(JSON.stringify(result)).not.toMatch(/S3cret|reader|shop/);
  return result.ok ? 'ok' : result.errorCode;
}

/** A guard that resolves every name to an address. */
const leading = (address: string) =>
  createTargetGuard({ allowlist: ['127.0.0.0/8'], resolve: async () => [address] });

describe('a real PostgreSQL', () => {
  const dsn = (tail = '/shop', user = `reader:${password}`) =>
    `postgresql://${user}@127.0.0.1:${server.port}${tail}`;

  it('passes over TLS, with its latency', async () => {
    expect(await test(dsn())).toBe('ok');
    expect(await test(dsn('/shop?sslmode=prefer'))).toBe('ok');
    expect(await test(dsn('/shop?sslmode=verify-full'))).toBe('ok');
  });

  it('passes without TLS on an allowed private address, if the DSN disables it', async () => {
    expect(await test(dsn('/shop?sslmode=disable'))).toBe('ok');
  });

  it('reports what is wrong with the credential', async () => {
    expect(await test(dsn('/shop', 'reader:S3cret-and-wrong'))).toBe('auth_failed');
    expect(await test(dsn('/shop', 'reader'))).toBe('auth_failed');
    expect(await test(dsn('/shop', 'missing:x'))).toBe('auth_failed');
    expect(await test(dsn('/closed'))).toBe('auth_failed');
    expect(await test(dsn('/missing'))).toBe('database_missing');
    expect(await test(dsn(''))).toBe('database_missing');
    expect(await test(dsn('/shop', `crowded:${password}`))).toBe('too_many_connections');
  });

  it('logs in only to a server with a valid certificate', async () => {
    expect(await test(dsn(), { trustedRoots: [] })).toBe('tls_untrusted');
    const guard = leading('127.0.0.1');
    const at = (name: string) => `postgres://reader:${password}@${name}:${server.port}/shop`;
    expect(await test(at('DB.example.com'), { guard })).toBe('ok');
    expect(await test(at('other.example.com'), { guard })).toBe('tls_untrusted');
  });

  it('never sends a password to a public address in clear text', async () => {
    const guard = leading('93.184.215.14');
    expect(await test(`postgres://reader:${password}@db.example.com/shop?sslmode=disable`, { guard })).toBe(
      'tls_required',
    );
  });

  it('uses a read-only transaction with time limits', async () => {
    const options = {
      guard: loopbackGuard(),
      signal: AbortSignal.timeout(5_000),
      credential: { type: 'dsn', dsn: dsn() },
      trustedRoots: [authority.root],
    } as const;
    const form = { schemes: ['postgresql'], defaultPort: 5432 };
    const reached = await reachServer(`127.0.0.1:${server.port}`, form, options, options.signal);
    const seen = await askPostgres(reached, options.signal, ask =>
      ask(
        `select current_setting('transaction_read_only') as read_only,
          current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
          current_setting('default_transaction_read_only') as session_read_only,
          (select application_name from pg_stat_activity where pid = pg_backend_pid()) as name,
          (select version from pg_stat_ssl where pid = pg_backend_pid()) as tls`,
      ),
    );
    expect(seen).toEqual([
      {
        read_only: 'on',
        statement: '5s',
        lock: '1s',
        // The session itself is unchanged.
        session_read_only: 'off',
        name: 'parapet',
        tls: 'TLSv1.3',
      },
    ]);
  });

  it('does not take password, options or settings from the environment', async () => {
    const set = {
      PGPASSWORD: password,
      PGOPTIONS: '-c nonsense=1',
      PGSSLMODE: 'disable',
      PGDATABASE: 'shop',
    };
    Object.assign(process.env, set);
    try {
      expect(await test(dsn('/shop', 'reader'))).toBe('auth_failed');
      expect(await test(dsn(''))).toBe('database_missing');
      expect(await test(dsn(), { trustedRoots: [] })).toBe('tls_untrusted');
      expect(await test(dsn())).toBe('ok');
    } finally {
      for (const name of Object.keys(set)) delete process.env[name];
    }
  });
});

describe('a target that is not PostgreSQL', () => {
  const at = (port: number, tail = '') => `postgresql://reader:${password}@127.0.0.1:${port}/shop${tail}`;

  it('is recognized by its answers', async () => {
    const { port: web } = await running(httpServer((_, response) => response.end('hello')));
    expect(await test(at(web))).toBe('protocol_invalid');
    expect(await test(at(web, '?sslmode=disable'))).toBe('protocol_invalid');
    const { port: mute } = await running(rawServer(() => {}));
    expect(await test(at(mute), { budgetMs: 300 })).toBe('timeout');
    expect(await test(at(mute, '?sslmode=disable'), { budgetMs: 300 })).toBe('timeout');
    const { port: short } = await running(rawServer(socket => socket.once('data', () => socket.end())));
    expect(await test(at(short))).toBe('connection_failed');
    expect(await test(at(short, '?sslmode=disable'))).toBe('connection_failed');
  });

  it('cannot continue without TLS, or inject data before it', async () => {
    const { port: plain } = await running(rawServer(socket => socket.once('data', () => socket.write('N'))));
    expect(await test(at(plain))).toBe('tls_not_offered');
    const { port: stuffed } = await running(
      rawServer(socket => socket.once('data', () => socket.write('SR'))),
    );
    expect(await test(at(stuffed))).toBe('protocol_invalid');
    const { port: garbled } = await running(
      rawServer(socket =>
        socket.once('data', () => socket.once('data', () => socket.end('no TLS')).write('S')),
      ),
    );
    expect(await test(at(garbled))).toBe('tls_failed');
  });

  it('cannot hang or crash the process through the driver', async () => {
    const message = (type: string, ...body: number[]) =>
      Buffer.from([type.charCodeAt(0), 0, 0, 0, body.length + 4, ...body]);
    const ok = message('R', 0, 0, 0, 0);
    const ready = message('Z', 0x49);
    const answers: readonly (readonly [Buffer, string])[] = [
      // Without the last zero byte, the driver would read forever.
      [message('E', 0x53), 'protocol_invalid'],
      // Not an SQLSTATE, but a property of every object.
      [message('E', ...Buffer.from('Cconstructor\0\0')), 'connection_failed'],
      [message('N'), 'protocol_invalid'],
      [message('R', 0, 0, 0, 7), 'auth_unsupported'],
      [message('R', 1), 'protocol_invalid'],
      [message('R', 0, 0, 0, 5), 'auth_unsupported'],
      [message('R', 0, 0, 0, 12), 'protocol_invalid'],
      [Buffer.concat([ok, message('K', 1)]), 'protocol_invalid'],
      [Buffer.concat([ok, ready, message('D', 0xff, 0xff)]), 'protocol_invalid'],
      [Buffer.concat([ok, ready, message('T', 0x7f, 0xff)]), 'protocol_invalid'],
      [Buffer.from([0x52, 0xff, 0xff, 0xff, 0xff]), 'protocol_invalid'],
      [Buffer.alloc(2 * 1024 * 1024, ok), 'protocol_invalid'],
    ];
    for (const [answer, expected] of answers) {
      const { port } = await running(rawServer(socket => socket.once('data', () => socket.write(answer))));
      const code = await test(at(port, '?sslmode=disable'), { budgetMs: 400 });
      expect([answer.subarray(0, 12).toString('hex'), code]).toEqual([expect.any(String), expected]);
    }
  });

  it('is not connected to if the guard or the DSN forbids it', async () => {
    const { port, close } = await rawServer(() => expect.unreachable('a connection was made'));
    const strict = createTargetGuard({ allowlist: [] });
    expect(await test(at(port), { guard: strict })).toBe('refused_private_address');
    const failing = createTargetGuard({ allowlist: [], resolve: () => Promise.reject(new Error('S3cret')) });
    expect(await test('postgres://reader:x@nowhere.example/shop', { guard: failing })).toBe('dns_failed');
    expect(await test(at(port), { host: 'db.example.com' })).toBe('credential_host_mismatch');
    expect(await test(at(port), { host: '127.0.0.1' })).toBe('credential_host_mismatch');
    expect(await test(at(port), { host: 'not a host' })).toBe('invalid_host');
    await close();
    expect(await test(at(port))).toBe('connection_refused');
  });

  it('rejects with the reason if the caller aborts', async () => {
    const { port } = await running(rawServer(() => {}));
    const signal = AbortSignal.timeout(100);
    const credential = { type: 'dsn', dsn: at(port) } as const;
    const options = { guard: loopbackGuard(), signal, credential };
    await expect(testPostgres(`127.0.0.1:${port}`, options)).rejects.toThrow(/timeout/);
  });
});

it('rejects an expired certificate', async () => {
  const expired = testCertificate({ fromDay: -20, toDay: -10 });
  const old = await startPostgresServer({ chain: expired.certificate, key: expired.key }, statements);
  try {
    const dsn = `postgresql://reader:${password}@127.0.0.1:${old.port}/shop`;
    expect(await test(dsn, { trustedRoots: [expired.certificate] })).toBe('tls_untrusted');
  } finally {
    await old.close();
  }
});
