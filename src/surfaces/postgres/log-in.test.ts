import type net from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type DatabaseServer, startPostgresServer } from '../../../test/support/postgres-server.ts';
import { authority, installedPostgres } from '../../../test/support/scan-postgres.ts';
import { loopbackGuard, rawServer, type TestServer } from '../../../test/support/website.ts';
import { testPostgres } from './test-connection.ts';

const password = 'S3cret-test-password';

async function test(port: number, tail: string, user = 'u', budgetMs = 5_000): Promise<string> {
  const result = await testPostgres(`127.0.0.1:${port}`, {
    guard: loopbackGuard(),
    signal: AbortSignal.timeout(20_000),
    trustedRoots: [authority.root],
    budgetMs,
    credential: { type: 'dsn', dsn: `postgres://${user}:${password}@127.0.0.1:${port}/postgres${tail}` },
  });
  return result.ok ? 'ok' : result.errorCode;
}

describe.each(await installedPostgres())('$name', ({ programs }) => {
  let server: DatabaseServer;
  beforeAll(async () => {
    server = await startPostgresServer(
      authority.issue({ covers: ['127.0.0.1'] }),
      [
        `create role scram login password '${password}'`,
        `create role clear login password '${password}'`,
        'create role trusted login',
        `set password_encryption = 'md5'; create role hashed login password '${password}'`,
      ],
      {
        hba: [
          'host all scram 127.0.0.1/32 scram-sha-256',
          'host all clear 127.0.0.1/32 password',
          'host all hashed 127.0.0.1/32 md5',
          'host all trusted 127.0.0.1/32 trust',
          '',
        ].join('\n'),
        ...(programs ? { programs } : {}),
      },
    );
  });
  afterAll(() => server?.close());

  it.each([
    ['scram', 'ok', 'ok'],
    ['clear', 'ok', 'auth_unsupported'],
    ['hashed', 'ok', 'auth_unsupported'],
    ['trusted', 'ok', 'ok'],
  ])('logs in as %s over TLS: %s, without: %s', async (user, encrypted, plain) => {
    expect(await test(server.port, '', user)).toBe(encrypted);
    expect(await test(server.port, '?sslmode=disable', user)).toBe(plain);
  });
});

const servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map(server => server.close()));
});

const request = (type: number, text: string | Buffer = '') => {
  const body = Buffer.concat([Buffer.from([0, 0, 0, type]), Buffer.from(text)]);
  const head = Buffer.alloc(5, 'R');
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const accepted = Buffer.concat([request(0), Buffer.from('Z\0\0\0\x05I', 'latin1')]);
const scram = request(10, 'SCRAM-SHA-256\0\0');
const challenge = (nonce: string, count: number | string, salt = 'c2FsdHNhbHQ=') =>
  request(11, `r=${nonce}more,s=${salt},i=${count}`);

/** Sends its answers one at a time, each after a message of the client, and keeps everything that the client sends. */
async function hostile(
  answers: readonly ((sent: string) => Buffer)[],
): Promise<{ port: number; sent: () => string }> {
  let sent = '';
  const server = await rawServer((socket: net.Socket) => {
    socket.on('error', () => {});
    let turn = 0;
    socket.on('data', bytes => {
      sent += bytes.toString('latin1');
      const answer = answers[turn++];
      if (answer) socket.write(answer(sent));
    });
  });
  servers.push(server);
  return { port: server.port, sent: () => sent };
}

const nonceOf = (sent: string) => /n,,n=\*,r=([^,\0]+)/.exec(sent)![1]!;

describe('an impostor server', () => {
  it.each([
    ['in clear text', request(3)],
    ['with MD5', request(5, 'salt')],
    ['with Kerberos', request(7)],
    ['with a mechanism other than SCRAM', request(10, 'PLAIN\0\0')],
  ])('gets nothing when it requests the password %s', async (_how, ask) => {
    const { port, sent } = await hostile([() => ask]);
    expect(await test(port, '?sslmode=disable')).toBe('auth_unsupported');
    expect(sent()).not.toContain(password);
    // The startup message begins with its length.
    expect(sent()).toHaveLength(Buffer.from(sent(), 'latin1').readUInt32BE(0));
  });

  it.each([
    ['in clear text', request(3)],
    ['with MD5', request(5, 'salt')],
  ])('gets nothing when it requests the password %s during or after SCRAM', async (_how, ask) => {
    for (const before of [[() => scram], [() => Buffer.concat([accepted])]]) {
      const { port, sent } = await hostile([...before, () => ask]);
      expect(await test(port, '?sslmode=disable')).toBe('auth_unsupported');
      expect(sent()).not.toContain(password);
      expect(sent()).not.toContain('md5');
    }
  });

  it.each([
    ['2^31 iterations', (nonce: string) => challenge(nonce, 2 ** 31), 'auth_unsupported'],
    ['100,001 iterations', (nonce: string) => challenge(nonce, 100_001), 'auth_unsupported'],
    ['1 iteration, which makes guessing cheap', (nonce: string) => challenge(nonce, 1), 'auth_unsupported'],
    ['two counts', (nonce: string) => challenge(nonce, '4096,i=1'), 'protocol_invalid'],
    ['no count', (nonce: string) => challenge(nonce, ''), 'protocol_invalid'],
    ['an endless nonce', (nonce: string) => challenge(nonce + 'x'.repeat(60_000), 4096), 'protocol_invalid'],
    ["another client's nonce", () => challenge('another', 4096), 'protocol_invalid'],
    ['no server nonce', (nonce: string) => request(11, `r=${nonce},s=c2FsdA==,i=4096`), 'protocol_invalid'],
  ])('gets no client proof for %s', async (_what, answer, expected) => {
    const { port, sent } = await hostile([() => scram, text => answer(nonceOf(text))]);
    expect(await test(port, '?sslmode=disable')).toBe(expected);
    expect(sent()).not.toContain('p=');
  });

  it('gets only one challenge answered', async () => {
    const { port, sent } = await hostile([
      () => scram,
      text => Buffer.concat(Array.from({ length: 50 }, () => challenge(nonceOf(text), 100_000))),
    ]);
    expect(await test(port, '?sslmode=disable')).toBe('protocol_invalid');
    expect(sent()).not.toContain('p=');
  });

  it.each([
    ['sends no proof', accepted],
    ['sends a wrong proof', Buffer.concat([request(12, 'v=d3Jvbmc='), accepted])],
    ['sends an empty proof', Buffer.concat([request(12, ''), accepted])],
  ])('gets no statement if it %s after SCRAM', async (_what, last) => {
    const { port, sent } = await hostile([() => scram, text => challenge(nonceOf(text), 4096), () => last]);
    expect(await test(port, '?sslmode=disable')).toBe('protocol_invalid');
    expect(sent()).toContain('p=');
    expect(sent()).not.toContain('begin transaction');
  });
});
