import type net from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { loopbackGuard, rawServer, type TestServer } from '../../../test/support/website.ts';
import type { MysqlCapture } from '../../captures/mysql.ts';
import { detectorsFor } from '../../detectors/catalogue.ts';
import { collectMysql } from './collect.ts';

/** A server that accepts every login and answers each statement with arbitrary data. */

const servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map(server => server.close()));
});

const packet = (number: number, body: Buffer) => {
  const header = Buffer.alloc(4);
  header.writeUIntLE(body.length, 0, 3);
  header[3] = number & 0xff;
  return Buffer.concat([header, body]);
};
const bytes = (...values: number[]) => Buffer.from(values);
const ok = (number: number) => packet(number, bytes(0, 0, 0, 2, 0, 0, 0));
const end = (number: number) => packet(number, bytes(0xfe, 0, 0, 2, 0));
/** A length-encoded string, for lengths up to 65,535 bytes. */
const text = (value: string) => {
  const content = Buffer.from(value);
  const length = content.length < 251 ? [content.length] : [0xfc, content.length & 0xff, content.length >> 8];
  return Buffer.concat([bytes(...length), content]);
};
const column = (number: number, name: string) => {
  const names = ['def', '', '', '', name, name].map(text);
  return packet(number, Buffer.concat([...names, bytes(0x0c, 45, 0, 0, 4, 0, 0, 253, 0, 0, 0, 0, 0)]));
};
const greeting = packet(
  0,
  Buffer.concat([
    bytes(10),
    Buffer.from('8.4.0\0'),
    bytes(1, 0, 0, 0),
    Buffer.alloc(8, 'x'),
    bytes(0, 0, 0x82),
  ]),
);

type Answer = (socket: net.Socket, statement: string) => void;

/** Columns, then rows, then the end. */
function table(names: readonly string[], rows: readonly (readonly string[])[]): Buffer {
  let number = 1;
  const parts = [packet(number++, bytes(names.length)), ...names.map(name => column(number++, name))];
  parts.push(end(number++));
  for (const row of rows) parts.push(packet(number++, Buffer.concat(row.map(text))));
  return Buffer.concat([...parts, end(number)]);
}

async function collectFrom(answer: Answer, budgetMs = 3_000): Promise<MysqlCapture> {
  const server = await rawServer(socket => {
    socket.write(greeting);
    socket.once('data', () => {
      socket.write(ok(2));
      socket.on('data', command => {
        const statement = command.subarray(5).toString('utf8');
        if (/^(?:show|select)/.test(statement)) answer(socket, statement);
        else socket.write(ok(1));
      });
    });
  });
  servers.push(server);
  return collectMysql(`127.0.0.1:${server.port}`, {
    guard: loopbackGuard(),
    signal: AbortSignal.timeout(20_000),
    budgetMs,
    credential: { type: 'dsn', dsn: `mysql://u:p@127.0.0.1:${server.port}?sslmode=disable` },
  });
}

it('is read if it behaves', async () => {
  const variables = table(
    ['Variable_name', 'Value'],
    [
      ['version', '8.4.3'],
      ['performance_schema', 'ON'],
    ],
  );
  const capture = await collectFrom((socket, statement) => {
    if (statement.startsWith('show')) socket.write(variables);
    else if (statement.includes('mysql.user')) socket.write(table(['user', 'host'], [['', '%']]));
    else socket.write(table(['user'], [['shop']]));
  });
  expect(capture.variables).toEqual({
    assessed: true,
    value: { version: '8.4.3', performance_schema: 'ON' },
  });
  expect(capture.plaintext_users).toEqual({ assessed: true, value: { users: ['shop'], truncated: false } });
});

it('cannot exhaust memory with an endless result', async () => {
  const before = process.memoryUsage().rss;
  let sent = 0;
  const collecting = collectFrom(socket => {
    let number = 4;
    socket.write(Buffer.concat([packet(1, bytes(1)), column(2, 'Variable_name'), end(3)]));
    const pour = () => {
      const rows = Buffer.concat(Array.from({ length: 500 }, () => packet(number++, text('a'.repeat(40)))));
      sent += rows.length;
      if (!socket.destroyed) socket.write(rows, () => setImmediate(pour));
    };
    pour();
  }, 20_000);
  await expect(collecting).rejects.toMatchObject({ errorCode: 'protocol_invalid' });
  expect(sent).toBeLessThan(32 * 1024 * 1024);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
});

it('cannot announce many columns and send rows without any', async () => {
  const count = 3_000;
  let number = 1;
  const columns = Array.from({ length: count }, (_, index) => column(number++ + 1, `c${index}`));
  number = count + 2;
  const parts = [packet(1, bytes(0xfc, count & 0xff, count >> 8)), ...columns, end(number++)];
  for (let index = 0; index < 40_000; index++) parts.push(packet(number++, bytes(0)));
  const before = process.cpuUsage();
  const collecting = collectFrom(socket => socket.write(Buffer.concat(parts)), 20_000);
  await expect(collecting).rejects.toMatchObject({ errorCode: 'protocol_invalid' });
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(1_500);
});

it('cannot send a field that is larger than any name', async () => {
  const huge = collectFrom(socket => {
    socket.write(Buffer.concat([packet(1, bytes(1)), column(2, 'Value'), end(3)]));
    socket.write(packet(4, Buffer.concat([bytes(0xfd, 0, 0, 0x10), Buffer.alloc(1024 * 1024, 'a')])));
  });
  await expect(huge).rejects.toMatchObject({ errorCode: 'protocol_invalid' });
});

it('cannot exceed the time limit by answering slowly', async () => {
  const started = performance.now();
  const slow = collectFrom(socket => {
    const answer = table(['Variable_name', 'Value'], [['version', '8.4.3']]);
    let at = 0;
    const drip = setInterval(() => socket.write(answer.subarray(at, ++at)), 40);
    socket.on('close', () => clearInterval(drip));
  }, 600);
  await expect(slow).rejects.toMatchObject({ errorCode: 'timeout' });
  expect(performance.now() - started).toBeLessThan(3_000);
});

it('cannot crash a scan or inject control characters with nonsense', async () => {
  const names = ['toString', 'user', 'host', 'log_ins', 'privileges', 'Variable_name', 'Value'];
  const nasty = ['x', '\u0000\u0007<b>', "%' or 1=1 --", '1 ,,,1', 'SUPER,,FILE', 'version', 'constructor'];
  const capture = await collectFrom(socket => socket.write(table(names, [nasty, nasty])));
  for (const detector of detectorsFor('mysql')) {
    for (const { seen, locator } of detector.detect(capture).observations) {
      expect(locator).toMatch(/^[\x20-\x7e]{1,600}$/);
      expect(seen).not.toMatch(/[\u0000-\u001f]/);
    }
  }
});

it('cannot pollute object prototypes with a column name', async () => {
  const poisoned = collectFrom(socket => socket.write(table(['__proto__', 'user'], [['x', 'y']])));
  await expect(poisoned).rejects.toMatchObject({ name: 'ConnectionFailed' });
  expect(({} as Record<string, unknown>).user).toBeUndefined();
});

it('differs from a server that refuses: after an error, only that part is missing', async () => {
  const error = (code: number) =>
    packet(1, Buffer.concat([bytes(0xff, code & 0xff, code >> 8), Buffer.from('#42000no')]));
  const capture = await collectFrom((socket, statement) => {
    socket.write(error(statement.startsWith('show') ? 3024 : statement.includes('threads') ? 1146 : 1142));
  });
  expect(capture.variables).toEqual({ assessed: false, reason: 'The server took too long to answer.' });
  expect(capture.accounts).toEqual({ assessed: false, reason: 'The account lacks SELECT on mysql.user.' });
  expect(capture.plaintext_users).toEqual({
    assessed: false,
    reason: 'This version of the server has no such catalog.',
  });
});
