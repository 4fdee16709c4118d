import tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testAuthority } from '../../../test/support/certificates.ts';
import { running } from '../../../test/support/collecting.ts';
import { hasMariadb, startMariadb } from '../../../test/support/mariadb.ts';
import type { DatabaseServer } from '../../../test/support/postgres-server.ts';
import { httpServer, loopbackGuard, rawServer } from '../../../test/support/website.ts';
import { reachServer } from '../connection/connection-test.ts';
import { createTargetGuard, type TargetGuard } from '../connection/target-guard.ts';
import { askMysql } from './session.ts';
import { testMysql } from './test-connection.ts';

const authority = testAuthority();
const password = 'S3cret-test-password';
const statements = [
  'create database shop',
  `create user reader identified by '${password}'`,
  'grant select on shop.* to reader',
  `create user everywhere identified by '${password}'`,
  'grant select on *.* to everywhere',
  `create user encrypted identified by '${password}' require ssl`,
  'create user careless',
];

interface Options {
  readonly host?: string;
  readonly guard?: TargetGuard;
  readonly trustedRoots?: readonly string[];
  readonly budgetMs?: number;
}

/** The code of a failure, or `ok`. No result may contain anything of the credential. */
async function test(dsn: string, options: Options = {}): Promise<string> {
  const result = await testMysql(options.host ?? /@([^/?]*)/.exec(dsn)![1]!, {
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

describe.skipIf(!hasMariadb())('a real MariaDB', () => {
  let server: DatabaseServer;
  beforeAll(async () => {
    server = await startMariadb(authority.issue({ covers: ['127.0.0.1', 'db.example.com'] }), statements);
  });
  afterAll(() => server?.close());
  const dsn = (tail = '/shop', user = `reader:${password}`) =>
    `mysql://${user}@127.0.0.1:${server.port}${tail}`;

  it('passes over TLS, even without a database', async () => {
    expect(await test(dsn())).toBe('ok');
    expect(await test(dsn(''))).toBe('ok');
    expect(await test(dsn('/shop?ssl-mode=VERIFY_IDENTITY', `encrypted:${password}`))).toBe('auth_failed');
    expect(await test(dsn('?ssl-mode=PREFERRED', `encrypted:${password}`))).toBe('ok');
    expect(await test(dsn('', 'careless'))).toBe('ok');
  });

  it('passes without TLS on an allowed private address, if the DSN disables it', async () => {
    expect(await test(dsn('/shop?ssl-mode=DISABLED'))).toBe('ok');
    expect(await test(dsn('?ssl-mode=DISABLED', `encrypted:${password}`))).toBe('auth_failed');
  });

  it('reports what is wrong with the credential', async () => {
    expect(await test(dsn('/shop', 'reader:S3cret-and-wrong'))).toBe('auth_failed');
    expect(await test(dsn('/shop', 'reader'))).toBe('auth_failed');
    expect(await test(dsn('/shop', 'missing:x'))).toBe('auth_failed');
    expect(await test(dsn('/missing', `everywhere:${password}`))).toBe('database_missing');
    // MySQL does not show an account whether a database exists that it may not use.
    expect(await test(dsn('/missing'))).toBe('auth_failed');
  });

  it('logs in only to a server with a valid certificate', async () => {
    expect(await test(dsn(), { trustedRoots: [] })).toBe('tls_untrusted');
    const guard = leading('127.0.0.1');
    const at = (name: string) => `mysql://reader:${password}@${name}:${server.port}/shop`;
    expect(await test(at('DB.example.com'), { guard })).toBe('ok');
    expect(await test(at('other.example.com'), { guard })).toBe('tls_untrusted');
  });

  it('uses a read-only session with time limits', async () => {
    const options = {
      guard: loopbackGuard(),
      signal: AbortSignal.timeout(5_000),
      credential: { type: 'dsn', dsn: dsn('', `everywhere:${password}`) },
      trustedRoots: [authority.root],
    } as const;
    const form = { schemes: ['mysql'], defaultPort: 3306 };
    const reached = await reachServer(`127.0.0.1:${server.port}`, form, options, options.signal);
    const seen = await askMysql(reached, options.signal, async ask => {
      await expect(ask('create table shop.t (a int)')).rejects.toMatchObject({ errno: 1792 });
      return ask(
        `select @@tx_read_only as read_only, @@max_statement_time as seconds, @@lock_wait_timeout as lock_seconds,
          (select variable_value from information_schema.session_status where variable_name = 'Ssl_version') as tls`,
      );
    });
    expect(seen).toEqual([{ read_only: 1, seconds: 5, lock_seconds: 1, tls: 'TLSv1.3' }]);
  });

  it('requires a certificate for the address if the host is one', async () => {
    const strict = await startMariadb(authority.issue({ covers: ['localhost'] }), statements);
    try {
      const at = `mysql://reader:${password}@127.0.0.1:${strict.port}/shop`;
      expect(await test(at)).toBe('tls_untrusted');
    } finally {
      await strict.close();
    }
  });
});

it('never sends a password to a public address in clear text', async () => {
  const guard = leading('93.184.215.14');
  expect(await test(`mysql://reader:${password}@db.example.com/shop?sslmode=disable`, { guard })).toBe(
    'tls_required',
  );
});

describe('a target that is not MySQL', () => {
  const at = (port: number, tail = '') => `mysql://reader:${password}@127.0.0.1:${port}/shop${tail}`;
  const packet = (number: number, ...body: number[]) => Buffer.from([body.length, 0, 0, number, ...body]);
  const greeting = (flags: number) =>
    packet(
      0,
      10,
      ...Buffer.from('8.4.0\0'),
      1,
      0,
      0,
      0,
      ...Buffer.alloc(8, 'x'),
      0,
      flags & 0xff,
      flags >> 8,
    );

  it('is recognized by its first message, if any', async () => {
    const { port: ssh } = await running(rawServer(socket => socket.write('SSH-2.0-OpenSSH_9.6\r\n')));
    expect(await test(at(ssh))).toBe('protocol_invalid');
    const { port: web } = await running(httpServer((_, response) => response.end('hello')));
    expect(await test(at(web), { budgetMs: 300 })).toBe('timeout');
    const { port: short } = await running(rawServer(socket => socket.end()));
    expect(await test(at(short))).toBe('connection_failed');
    const { port: cut } = await running(rawServer(socket => socket.end(greeting(0x0a00).subarray(0, 9))));
    expect(await test(at(cut))).toBe('protocol_invalid');
  });

  it('gets the password itself over TLS, as MySQL 8 requires', async () => {
    const { key, chain } = authority.issue();
    const heard: string[] = [];
    const answers = [
      packet(3, 0xfe, ...Buffer.from('caching_sha2_password\0'), ...Buffer.alloc(20, 'y'), 0),
      packet(5, 1, 4),
      packet(7, 0, 0, 0, 2, 0, 0, 0),
    ];
    const { port } = await running(
      rawServer(socket => {
        socket.write(greeting(0x8a00));
        socket.once('readable', () => {
          heard.push((socket.read(36) as Buffer).toString('hex'));
          const encrypted = new tls.TLSSocket(socket, { isServer: true, key, cert: chain });
          encrypted.on('error', () => {});
          encrypted.on('data', bytes => {
            heard.push(bytes.toString('latin1'));
            // Every command after the login succeeds.
            encrypted.write(answers.shift() ?? packet(1, 0, 0, 0, 2, 0, 0, 0));
          });
        });
      }),
    );
    expect(await test(at(port))).toBe('ok');
    const [request, login, token, clear, ...commands] = heard;
    // The TLS request does not contain the user.
    expect(request).toMatch(/^20000001.{8}0{8}/);
    expect(request).toHaveLength(72);
    expect(login).toContain('reader\0');
    expect([login, token].join()).not.toContain('S3cret');
    expect(clear!.slice(3)).toBe(`\x06${password}\0`);
    expect(commands.map(command => command.slice(5).trim())).toContain('select 1');
  });

  it('is reported as full if it says so before its greeting', async () => {
    const { port: full } = await running(
      rawServer(socket => socket.end(packet(0, 0xff, 0x10, 0x04, ...Buffer.from('Too many')))),
    );
    expect(await test(at(full))).toBe('too_many_connections');
  });

  it('cannot continue without TLS, or inject data before it', async () => {
    const { port: plain } = await running(rawServer(socket => socket.write(greeting(0x0200))));
    expect(await test(at(plain))).toBe('tls_not_offered');
    const { port: stuffed } = await running(
      rawServer(socket => socket.write(Buffer.concat([greeting(0x0a00), packet(2, 0, 0, 0)]))),
    );
    expect(await test(at(stuffed))).toBe('protocol_invalid');
    const { port: garbled } = await running(
      rawServer(socket => {
        socket.write(greeting(0x0a00));
        socket.once('data', () => socket.end('this is no TLS'));
      }),
    );
    expect(await test(at(garbled))).toBe('tls_failed');
  });

  it('cannot crash the process through the driver', async () => {
    const ok = packet(2, 0, 0, 0, 2, 0, 0, 0);
    const answers: readonly (readonly [Buffer, string])[] = [
      [packet(2, 0xff), 'protocol_invalid'],
      [packet(2), 'protocol_invalid'],
      [packet(7, 0, 0, 0, 2, 0, 0, 0), 'protocol_invalid'],
      [packet(2, 0xfe, ...Buffer.from('mysql_clear_password\0')), 'auth_unsupported'],
      [packet(2, 0xfe, ...Buffer.from('__proto__\0')), 'auth_unsupported'],
      [packet(2, 0x42), 'protocol_invalid'],
      [Buffer.concat([ok, packet(1, 0xfb, ...Buffer.from('/etc/passwd'))]), 'protocol_invalid'],
      [Buffer.from([0xff, 0xff, 0xff, 2]), 'protocol_invalid'],
      [Buffer.alloc(2 * 1024 * 1024, packet(2, 1, 2, 3, 4)), 'protocol_invalid'],
    ];
    for (const [answer, expected] of answers) {
      const { port } = await running(
        rawServer(socket => {
          socket.write(greeting(0x8200));
          socket.once('data', () => socket.write(answer));
        }),
      );
      const code = await test(at(port, '?sslmode=disable'), { budgetMs: 400 });
      expect([answer.subarray(0, 12).toString('hex'), code]).toEqual([expect.any(String), expected]);
    }
  });

  it('gets no files of this machine', async () => {
    const heard: Buffer[] = [];
    const { port } = await running(
      rawServer(socket => {
        socket.write(greeting(0x8200));
        socket.on('data', bytes => {
          heard.push(bytes);
          const isLogin = heard.length === 1;
          if (isLogin) socket.write(packet(2, 0, 0, 0, 2, 0, 0, 0));
          else if (heard.length === 2) socket.write(packet(1, 0xfb, ...Buffer.from('/etc/passwd')));
        });
      }),
    );
    expect(await test(at(port, '?sslmode=disable'), { budgetMs: 400 })).not.toBe('ok');
    expect(Buffer.concat(heard).toString('latin1')).not.toMatch(/root:/);
    expect(Buffer.concat(heard).toString('latin1')).not.toContain('S3cret');
  });

  it('is not connected to if the guard or the DSN forbids it', async () => {
    const { port, close } = await rawServer(() => expect.unreachable('a connection was made'));
    const strict = createTargetGuard({ allowlist: [] });
    expect(await test(at(port), { guard: strict })).toBe('refused_private_address');
    const failing = createTargetGuard({ allowlist: [], resolve: () => Promise.reject(new Error('S3cret')) });
    expect(await test('mysql://reader:x@nowhere.example/shop', { guard: failing })).toBe('dns_failed');
    expect(await test(at(port), { host: 'db.example.com' })).toBe('credential_host_mismatch');
    expect(await test(at(port, '?socketPath=/run/mysqld.sock'))).toBe('invalid_credential');
    await close();
    expect(await test(at(port))).toBe('connection_refused');
  });
});
