import type { RedisCapture } from '../../src/captures/redis.ts';
import { detectorsFor } from '../../src/detectors/catalogue.ts';
import {
  boundAddresses,
  isProtected,
  listensEverywhere,
  reachOf,
} from '../../src/detectors/redis/exposure.ts';
import { module, redisWith, rows, user } from '../../src/detectors/redis/hardened-capture.ts';
import { numbersOf, productOf } from '../../src/detectors/redis/product.ts';
import { readAll } from '../../src/surfaces/redis/collect.ts';
import { errorCodeOfRefusal } from '../../src/surfaces/redis/failure.ts';
import { readInfo, readModules, readSettings, readUsers } from '../../src/surfaces/redis/read-replies.ts';
import { RefusedCommand, Replies, type Reply } from '../../src/surfaces/redis/replies.ts';

function detect(capture: RedisCapture) {
  for (const detector of detectorsFor('redis')) detector.detect(capture);
}

/** Every function of the Redis surface and its detectors that reads a text of a target, by its input. */
export const redisTextReaders: Readonly<Record<string, (text: string) => unknown>> = {
  'a refusal of Redis': text => errorCodeOfRefusal(new RefusedCommand(text), 'connection_failed'),
  'INFO of Redis': text => readInfo([text, `redis_version:${text}`]),
  'settings of Redis': text =>
    readSettings(
      ['bind'],
      [
        ['bind', text],
        [text, text],
      ],
    ),
  'users of Redis': text => readUsers([['user default off', `user ${text}`, `user a on (${text}) ${text}`]]),
  'modules of Redis': text => readModules([[['name', text, 'path', text]]]),
  'a line of a reply': text => new Replies(1).read(Buffer.from(`+${text.replaceAll('\r\n', '')}\r\n`)),
  'addresses of Redis': text => [boundAddresses({ bind: text }), listensEverywhere({ bind: text })],
  'the product that speaks like Redis': text => [
    numbersOf(text),
    productOf({ redis_version: text, executable: text, os: text }),
    productOf({ valkey_version: text }),
  ],
  'the detectors of Redis': text => {
    const value = text.slice(0, 2_000);
    const settings = [
      'bind',
      'port',
      'tls-protocols',
      'tls-ciphers',
      'replicaof',
      'dir',
      'dbfilename',
      'save',
    ];
    const capture = {
      ...redisWith(Object.fromEntries(settings.map(name => [name, value])), {
        redis_version: value,
        executable: value,
        master_host: value,
      }),
      users: rows(user(value, `${value} +@all +config ~${value}`, { nopass: true })),
      modules: rows(module(value, value)),
    };
    isProtected(capture);
    reachOf(capture);
    detect(capture);
  },
};

/** As in `row-readers.ts`. */
type SizedReader = (size: number) => () => unknown;

const bulk = (text: string) => `$${Buffer.byteLength(text)}\r\n${text}\r\n`;

/** @param usersOf the users of a server that sends about so many bytes */
const serverReader =
  (usersOf: (size: number) => readonly string[]): SizedReader =>
  size => {
    const users = ['user default off', ...usersOf(size)];
    const info = `${'field:value\r\n'.repeat(size / 13)}redis_version:7.4.9\r\n`;
    const modules = users.map(name => ['name', name.slice(0, 100), 'path', '/tmp/x.so']);
    const answers: Readonly<Record<string, Reply>> = {
      INFO: info,
      ACL: users,
      MODULE: modules,
      PING: 'PONG',
    };
    return async () =>
      detect(
        await readAll({
          over: 'network',
          tls: true,
          ask: async commands => commands.map(([name = '', , value = '']) => answers[name] ?? [value, value]),
          logIn: async () => {},
        }),
      );
  };

/** Readers of many parts of a server, by their size in bytes. */
export const redisSizedReaders: Readonly<Record<string, SizedReader>> = {
  'Redis, many users': serverReader(size =>
    Array.from({ length: size / 60 }, (_, index) => `user u${index} on nopass ~* +@all`),
  ),
  'Redis, users of many rules': serverReader(size =>
    Array.from(
      { length: size / 60_000 },
      (_, index) => `user u${index} on >x ${'+get ~k (~a +@all) '.repeat(3_000)}`,
    ),
  ),
  'Redis, users of long rules': serverReader(size =>
    Array.from({ length: size / 19_000 }, (_, index) => `user u${index} on >x ~${'k'.repeat(18_900)}`),
  ),
  'replies of Redis, byte by byte': size => {
    const length = Math.min(size, 60_000);
    const bytes = Buffer.from(`*3\r\n${bulk('a'.repeat(length))}+${'b'.repeat(4_000)}\r\n:1\r\n`);
    return () => {
      const replies = new Replies(1);
      for (let end = 1; end <= bytes.length; end++) replies.read(bytes.subarray(0, end));
    };
  },
  'replies of Redis, many values': size => {
    const count = Math.min(Math.floor(size / 8), 90_000);
    const bytes = Buffer.from(`*${count}\r\n${bulk('a').repeat(count)}`);
    return () => new Replies(1).read(bytes);
  },
};
