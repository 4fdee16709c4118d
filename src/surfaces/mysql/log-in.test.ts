import { constants, createHash, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import type net from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { testAuthority } from '../../../test/support/certificates.ts';
import { hasMariadb, startMariadb } from '../../../test/support/mariadb.ts';
import type { DatabaseServer } from '../../../test/support/postgres-server.ts';
import { loopbackGuard, rawServer, type TestServer } from '../../../test/support/website.ts';
import { testMysql } from './test-connection.ts';

const authority = testAuthority();
const password = 'S3cret-test-password';

async function test(port: number, tail: string, user = `u:${password}`, budgetMs = 5_000): Promise<string> {
  const result = await testMysql(`127.0.0.1:${port}`, {
    guard: loopbackGuard(),
    signal: AbortSignal.timeout(20_000),
    trustedRoots: [authority.root],
    budgetMs,
    credential: { type: 'dsn', dsn: `mysql://${user}@127.0.0.1:${port}${tail}` },
  });
  return result.ok ? 'ok' : result.errorCode;
}

describe.skipIf(!hasMariadb())('a real MariaDB', () => {
  let server: DatabaseServer;
  beforeAll(async () => {
    server = await startMariadb(
      authority.issue({ covers: ['127.0.0.1'] }),
      [
        `create user native identified by '${password}'`,
        `create user either identified via unix_socket or mysql_native_password using password('${password}')`,
        'create user empty',
        `create user signing identified via ed25519 using password('${password}')`,
        'create user clear identified via pam',
      ],
      {
        parameters: [
          '--plugin-load-add=auth_ed25519',
          '--plugin-load-add=auth_pam_v1',
          '--pam-use-cleartext-plugin',
        ],
      },
    );
  });
  afterAll(() => server?.close());

  it.each([
    ['native', password, 'ok', 'ok'],
    ['native', 'another', 'auth_failed', 'auth_failed'],
    ['either', password, 'ok', 'ok'],
    ['empty', '', 'ok', 'ok'],
    ['signing', password, 'auth_unsupported', 'auth_unsupported'],
    // The machine does not have this user, which the server checks only after it has the password.
    ['clear', password, 'auth_failed', 'auth_unsupported'],
  ])(
    'logs in as %s with the password %j over TLS: %s, without: %s',
    async (user, secret, encrypted, plain) => {
      expect(await test(server.port, '', `${user}:${secret}`)).toBe(encrypted);
      expect(await test(server.port, '?sslmode=disable', `${user}:${secret}`)).toBe(plain);
    },
  );
});

const servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map(server => server.close()));
});

const packet = (number: number, body: Buffer) => {
  const header = Buffer.alloc(4, number);
  header.writeUIntLE(body.length, 0, 3);
  return Buffer.concat([header, body]);
};
const bytes = (...values: number[]) => Buffer.from(values);
const scramble = Buffer.from('0123456789abcdefghij');
/** Of a server with authentication plugins and several factors, but without TLS. */
const greeting = (method: string) =>
  packet(
    0,
    Buffer.concat([
      ...[bytes(10), Buffer.from('8.4.0\0'), bytes(1, 0, 0, 0), scramble.subarray(0, 8), bytes(0)],
      ...[bytes(0x01, 0x82, 45, 2, 0, 0x08, 0x10, 21), Buffer.alloc(10), scramble.subarray(8), bytes(0)],
      Buffer.from(`${method}\0`),
    ]),
  );

const ok = bytes(0, 0, 0, 2, 0, 0, 0);
const switchTo = (method: string) =>
  Buffer.concat([bytes(0xfe), Buffer.from(`${method}\0`), scramble, bytes(0)]);
const nextFactor = (method: string) => Buffer.concat([bytes(2), switchTo(method).subarray(1)]);
const [fastSuccess, fullAuthentication] = [bytes(1, 3), bytes(1, 4)];
const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
const key = Buffer.concat([bytes(1), Buffer.from(pair.publicKey.export({ type: 'spki', format: 'pem' }))]);

const sha2 = 'caching_sha2_password';
const native = 'mysql_native_password';

/** Challenge responses: they prove knowledge of the password without revealing it. */
function answerOf(method: string): Buffer {
  const hash = (...parts: Buffer[]) =>
    createHash(method === sha2 ? 'sha256' : 'sha1')
      .update(Buffer.concat(parts))
      .digest();
  const once = hash(Buffer.from(password));
  const twice = hash(once);
  const mask = method === sha2 ? hash(twice, scramble) : hash(scramble, twice);
  return once.map((byte, at) => byte ^ mask[at]!) as Buffer;
}

interface Talk {
  readonly port: number;
  /** The client's packets, without their headers. */
  readonly sent: readonly Buffer[];
}

/**
 * Sends its replies one at a time, each after a packet of the client, and accepts a client that has answered all of
 * them.
 */
async function posing(method: string, ...turns: readonly (readonly Buffer[])[]): Promise<Talk> {
  const sent: Buffer[] = [];
  const server = await rawServer((socket: net.Socket) => {
    socket.on('error', () => {});
    socket.write(greeting(method));
    let turn = 0;
    let waiting = Buffer.alloc(0);
    socket.on('data', chunk => {
      waiting = Buffer.concat([waiting, chunk]);
      while (waiting.length >= 4 && waiting.length >= 4 + waiting.readUIntLE(0, 3)) {
        const end = 4 + waiting.readUIntLE(0, 3);
        const number = waiting[3]!;
        sent.push(Buffer.from(waiting.subarray(4, end)));
        waiting = waiting.subarray(end);
        const answers = turns[turn++] ?? [ok];
        socket.write(Buffer.concat(answers.map((body, at) => packet(number + 1 + at, body))));
      }
    });
  });
  servers.push(server);
  return { port: server.port, sent };
}

/** Passwords that the server can recover from the client's packets. */
function learned(sent: readonly Buffer[]): string[] {
  return sent.flatMap(one => {
    if (one.includes(password)) return ['in clear text'];
    try {
      const padding = constants.RSA_PKCS1_OAEP_PADDING;
      const open = privateDecrypt({ key: pair.privateKey, oaepHash: 'sha1', padding }, one);
      return [open.map((byte, at) => byte ^ scramble[at % scramble.length]!).toString()];
    } catch {
      return [];
    }
  });
}

describe('an impostor server', () => {
  it.each([
    ['greets with it', sha2, [[fastSuccess, ok]], []],
    ['greets with it, and needs nothing more', sha2, [[ok]], []],
    ['switches to it', native, [[switchTo(sha2)], [fastSuccess, ok]], [answerOf(sha2)]],
    ['switches from it', sha2, [[switchTo(native)], [ok]], [answerOf(native)]],
    [
      'names a method that the client does not have',
      'dialog',
      [[switchTo(sha2)], [fastSuccess, ok]],
      [answerOf(sha2)],
    ],
  ])('gets a challenge response if it %s', async (_how, method, turns, answers) => {
    const { port, sent } = await posing(method, ...turns);
    expect(await test(port, '?sslmode=disable')).toBe('ok');
    const [login, ...more] = sent;
    expect(login!.includes(answerOf(method === sha2 ? sha2 : native))).toBe(true);
    expect(more.slice(0, answers.length)).toEqual(answers);
    expect(more[answers.length]!.toString()).toContain('set session sql_mode = 0');
    expect(learned(sent)).toEqual([]);
  });

  const full = [[fullAuthentication], [key]];
  it.each([
    ['fully after its greeting', sha2, full, 0],
    ['fully after a switch', native, [[switchTo(sha2)], ...full], 1],
    ['with sha256_password', native, [[switchTo('sha256_password')], [key]], 0],
    [
      'with sha256_password, instead of the method in its greeting',
      sha2,
      [[switchTo('sha256_password')], [key]],
      0,
    ],
    ['in clear text', native, [[switchTo('mysql_clear_password')]], 0],
    ['like MySQL 3', native, [[switchTo('mysql_old_password')]], 0],
    ['like MySQL 3, in one byte', native, [[bytes(0xfe)]], 0],
    ['with a dialog', native, [[switchTo('dialog')]], 0],
    ['with an unnamed method', native, [[switchTo('')]], 0],
    ['with an unterminated method name', native, [[Buffer.concat([bytes(0xfe), Buffer.from(sha2)])]], 0],
    ['as a second factor', native, [[nextFactor('mysql_clear_password')]], 0],
    ['as a second factor in two steps', native, [[nextFactor(sha2)], ...full], 0],
    [
      'as a second factor after a switch',
      native,
      [[switchTo(sha2)], [fastSuccess, nextFactor(sha2)], ...full],
      1,
    ],
  ])('gets nothing when it requests the password %s', async (_how, method, turns, answers) => {
    const { port, sent } = await posing(method, ...turns);
    const code = await test(port, '?sslmode=disable');
    expect(learned(sent)).toEqual([]);
    expect(code).toBe('auth_unsupported');
    expect(sent).toHaveLength(1 + answers);
  });

  it.each([
    ['an unrequested key', sha2, [[key]], 0],
    ['a key after a switch', native, [[switchTo(sha2)], [key]], 1],
    ['a key after the client was accepted', sha2, [[fastSuccess, key]], 0],
    ['two successes', sha2, [[fastSuccess, fastSuccess]], 0],
    ['a success of another method', native, [[switchTo(native)], [fastSuccess]], 1],
    ['a second switch', native, [[switchTo(native)], [switchTo(sha2)], ...full], 1],
    [
      'a second switch to another method',
      native,
      [[switchTo(sha2)], [switchTo('sha256_password')], [key]],
      1,
    ],
    ['a switch after the success', sha2, [[fastSuccess, switchTo(sha2)], ...full], 0],
    ['a switch after the end of the login', sha2, [[ok, switchTo('sha256_password')], [key]], 0],
    ['a switch after a refusal', native, [[bytes(0xff, 0x15, 0x04), switchTo(sha2)], ...full], 0],
    ['a switch instead of an answer to a command', native, [[ok], [switchTo('sha256_password')], [key]], 1],
    ['more data instead of an answer to a command', sha2, [[ok], [fullAuthentication], [key]], 1],
  ])('is stopped at %s', async (_what, method, turns, answers) => {
    const { port, sent } = await posing(method, ...turns);
    expect(await test(port, '?sslmode=disable', undefined, 1_000)).not.toBe('ok');
    expect(learned(sent)).toEqual([]);
    expect(sent.length).toBeLessThanOrEqual(1 + answers);
  });
});
