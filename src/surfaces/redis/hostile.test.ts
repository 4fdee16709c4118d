import type net from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { loopbackGuard, rawServer, type TestServer } from '../../../test/support/website.ts';
import type { RedisCapture } from '../../captures/redis.ts';
import { detectorsFor } from '../../detectors/catalogue.ts';
import { collectRedis } from './collect.ts';

/** Servers that answer commands with arbitrary data. */

const servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map(server => server.close()));
});

/** Writes the answer to a command, or whatever it likes. */
type Answer = (socket: net.Socket, command: string) => void;

const bulk = (text: string) => `$${Buffer.byteLength(text)}\r\n${text}\r\n`;
const list = (...items: string[]) => `*${items.length}\r\n${items.join('')}`;

/** The commands in what a client sent: lists of texts. */
function commandsIn(bytes: Buffer): string[] {
  return bytes
    .toString()
    .split(/(?=\*\d+\r\n)/)
    .map(command =>
      command
        .split('\r\n')
        .filter((_, index) => index > 0 && index % 2 === 0)
        .join(' '),
    );
}

async function collectFrom(answer: Answer, budgetMs = 3_000): Promise<RedisCapture> {
  const server = await rawServer(socket => {
    socket.on('data', bytes => {
      for (const command of commandsIn(bytes)) answer(socket, command);
    });
  });
  servers.push(server);
  return collectRedis(`127.0.0.1:${server.port}`, {
    guard: loopbackGuard(),
    signal: AbortSignal.timeout(20_000),
    budgetMs,
    credential: { type: 'dsn', dsn: `redis://u:p@127.0.0.1:${server.port}` },
  });
}

/** A server that behaves, except for some commands. */
const except =
  (change: Readonly<Record<string, string>>): Answer =>
  (socket, command) => {
    const found = Object.entries(change).find(([start]) => command.startsWith(start));
    if (found) socket.write(found[1]);
    else if (command.startsWith('PING')) socket.write('-NOAUTH Authentication required.\r\n');
    else if (command.startsWith('AUTH')) socket.write('+OK\r\n');
    else if (command.startsWith('INFO')) socket.write(bulk('# Server\r\nredis_version:7.4.9\r\n'));
    else socket.write('*0\r\n');
  };

const refused = { errorCode: 'protocol_invalid' };

it('is read if it behaves', async () => {
  const capture = await collectFrom(
    except({
      'CONFIG GET bind': list(bulk('bind'), bulk('* -::*')),
      'ACL LIST': list(bulk('user default on #abc ~* &* +@all'), bulk('user a off (~x +get)')),
      'MODULE LIST': list(
        list(bulk('name'), bulk('m'), bulk('ver'), ':7', bulk('args'), list(bulk('secret'))).replace(
          ':7',
          ':7\r\n',
        ),
      ),
    }),
  );
  expect(capture.anonymous).toEqual({ assessed: true, value: { accepted: false, ping: false } });
  expect(capture.info).toEqual({ assessed: true, value: { redis_version: '7.4.9' } });
  expect(capture.settings).toEqual({ assessed: true, value: { bind: '* -::*' } });
  expect(capture.modules).toEqual({
    assessed: true,
    value: { rows: [{ name: 'm', version: '7', path: '' }], truncated: false },
  });
  expect(JSON.stringify(capture)).not.toMatch(/abc|secret/);
});

it('cannot exhaust memory with an endless list', async () => {
  const before = process.memoryUsage().rss;
  let sent = 0;
  const collecting = collectFrom((socket, command) => {
    if (!command.startsWith('PING')) return;
    socket.write('*90000\r\n');
    const pour = () => {
      const items = bulk('a'.repeat(200)).repeat(500);
      sent += items.length;
      if (!socket.destroyed) socket.write(items, () => setImmediate(pour));
    };
    pour();
  }, 20_000);
  await expect(collecting).rejects.toMatchObject(refused);
  expect(sent).toBeLessThan(32 * 1024 * 1024);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
});

it.each([
  ['a text of a gigabyte', '$1073741824\r\n'],
  ['a text of a negative length', '$-2\r\n'],
  ['a list of a billion', '*1000000000\r\n'],
  ['a length that is no number', '$1e3\r\nx\r\n'],
  ['a length beyond all numbers', `$${'9'.repeat(400)}\r\n`],
  ['lists in lists', '*1\r\n'.repeat(2_000)],
  ['wide lists in lists', `*50000\r\n${'*2\r\n'.repeat(60_000)}`],
  ['many empty lists', `*99999\r\n${'*0\r\n'.repeat(100_000)}`],
  ['a line without an end', `+${'a'.repeat(100_000)}`],
  ['a text without its end', '$3\r\nabcde\r\n'],
  ['a type of RESP3', '%1\r\n+a\r\n+b\r\n'],
  ['more than was requested', '+PONG\r\n+PONG\r\n'],
  ['nothing', '\r\n'],
])('is refused if it sends %s', async (_, answer) => {
  const before = process.cpuUsage();
  const collecting = collectFrom(except({ PING: answer }), 20_000);
  await expect(collecting).rejects.toMatchObject(refused);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(1_500);
});

it('cannot exceed the time limit by answering slowly', async () => {
  const started = performance.now();
  const slow = collectFrom(socket => {
    const drip = setInterval(() => socket.write('+'), 40);
    socket.on('close', () => clearInterval(drip));
  }, 600);
  await expect(slow).rejects.toMatchObject({ errorCode: 'timeout' });
  expect(performance.now() - started).toBeLessThan(3_000);
});

it('cannot crash a scan or inject control characters with nonsense', async () => {
  const nasty = '__proto__ \u0007<b> constructor on nopass ~* +@all ) ( (x';
  const capture = await collectFrom(
    except({
      INFO: bulk(`redis_version:${nasty}\r\n__proto__:1\r\nmaster_host:\u0007\r\n:::\r\nexecutable`),
      'CONFIG GET bind': list(bulk('bind'), bulk(nasty)),
      'CONFIG GET port': list(bulk('__proto__'), bulk(nasty)),
      'CONFIG GET dir': list(bulk('DIR'), bulk(`/etc/cron.d/\u0007${'x'.repeat(900)}`)),
      'ACL LIST': list(
        bulk('user default off'),
        ...[bulk(`user ${nasty}`), bulk('user '), bulk('user a\u0000b on >x ~* +@all')],
      ),
      'MODULE LIST': list(
        list(bulk('name'), bulk('sys\u0007tem'), bulk('path'), bulk('/tmp/\u0007')),
        list(),
      ),
    }),
  );
  expect(({} as Record<string, unknown>).on).toBeUndefined();
  let count = 0;
  for (const detector of detectorsFor('redis')) {
    for (const { seen, locator } of detector.detect(capture).observations) {
      count += 1;
      expect(locator).toMatch(/^[\x20-\x7e]{1,600}$/);
      expect(seen).not.toMatch(/[\u0000-\u001f]/);
    }
  }
  expect(count).toBeGreaterThan(3);
});

it.each([
  ['users that are no list', { 'ACL LIST': bulk('user default on') }],
  ['a user that is a number', { 'ACL LIST': '*1\r\n:1\r\n' }],
  ['a user that is something else', { 'ACL LIST': list(bulk('group default on')) }],
  ['a user with too many rules', { 'ACL LIST': list(bulk(`user a${' +a'.repeat(20_100)}`)) }],
  ['a setting that is a list', { 'CONFIG GET bind': list(bulk('bind'), list()) }],
  ['a setting longer than any', { 'CONFIG GET bind': list(bulk('bind'), bulk('x'.repeat(30_000))) }],
  ['a setting without a value', { 'CONFIG GET bind': list(bulk('bind')) }],
  ['a module that is a text', { 'MODULE LIST': list(bulk('x')) }],
  ['a state that is a list', { INFO: '*0\r\n' }],
])('is refused if it sends %s', async (_, change) => {
  await expect(collectFrom(except(change))).rejects.toMatchObject(refused);
});

it('differs from a server that refuses: then only that part is missing', async () => {
  const capture = await collectFrom(
    except({
      'CONFIG GET bind': "-NOPERM User u has no permissions to run the 'config|get' command\r\n",
      'ACL LIST': "-ERR unknown command 'ACL'\r\n",
      'MODULE LIST': '-LOADING Redis is loading the dataset in memory\r\n',
      INFO: '-ERR something \u0007 else\r\n',
    }),
  );
  const reasons = [capture.settings, capture.users, capture.modules, capture.info].map(part =>
    part.assessed ? '' : part.reason,
  );
  expect(reasons).toEqual([
    'The user lacks +config|get.',
    'The server does not have the command for +acl|list, or it was renamed or disabled.',
    'The server is loading its data.',
    'The server refused the command with ERR.',
  ]);
});

it('fails as a whole if the login does not last', async () => {
  const collecting = collectFrom(except({ 'ACL LIST': '-NOAUTH Authentication required.\r\n' }));
  await expect(collecting).rejects.toMatchObject({ errorCode: 'auth_failed' });
});

it('requests no further settings after the first refusal', async () => {
  const asked: string[] = [];
  await collectFrom((socket, command) => {
    asked.push(command);
    except({ 'CONFIG GET': '-NOPERM no\r\n' })(socket, command);
  });
  expect(asked.filter(command => command.startsWith('CONFIG'))).toEqual(['CONFIG GET bind']);
  expect(asked.filter(command => /^(?:KEYS|SCAN|GET|DUMP)/.test(command))).toEqual([]);
});
