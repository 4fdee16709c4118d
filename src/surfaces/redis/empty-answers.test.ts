import { expect, it } from 'vitest';
import { inspectionFrom, resolvedBy } from '../../../test/support/resolved-by.ts';
import { readAll } from './collect.ts';
import type { Reply } from './replies.ts';
import type { Command, RedisSession } from './session.ts';

/** A server that leaves out what every server has does not resolve what it had. */

type Answer = (command: Command) => Reply;

const settings: Readonly<Record<string, string>> = {
  bind: '*',
  port: '6379',
  replicaof: '198.51.100.7 6379',
  'cluster-enabled': 'yes',
  'tls-cluster': 'no',
  'tls-replication': 'no',
};
const info = ['redis_version:7.2.4\r\nredis_mode:cluster', 'role:slave\r\nmaster_host:198.51.100.7'];
const users = ['user default on nopass ~* &* +@all', 'user app on nopass ~* &* +@all'];
const modules: Reply = [['name', 'system', 'ver', 1, 'path', '/tmp/system.so', 'args', []]];

const flawed: Answer = ([name, about = '', setting = '']) => {
  if (name === 'PING') return 'PONG';
  if (name === 'INFO') return info[about === 'server' ? 0 : 1]!;
  if (name === 'CONFIG') return settings[setting] === undefined ? [] : [setting, settings[setting]];
  return name === 'ACL' ? users : modules;
};

async function scan(answer: Answer) {
  const session = {
    over: 'network',
    tls: false,
    logIn: async () => {},
    ask: async (commands: readonly Command[]) => commands.map(answer),
  } as unknown as RedisSession;
  return inspectionFrom(await readAll(session), 'redis');
}

const wanted = [
  'redis.user_no_password',
  'redis.module_suspicious',
  'redis.default_user_unrestricted',
  'redis.user_scripts',
  'redis.replication_plaintext',
  'redis.cluster_bus_plaintext',
];

it.each<[string, Answer]>([
  ['every list', command => (command[0] === 'INFO' ? '' : command[0] === 'PING' ? 'PONG' : [])],
  ['the users', command => (command[0] === 'ACL' ? [] : flawed(command))],
  ['the default user', command => (command[0] === 'ACL' ? ['user a on #00 ~a +get'] : flawed(command))],
  ['the settings', command => (command[0] === 'CONFIG' ? [] : flawed(command))],
  ['a section of INFO', command => (command[1] === 'replication' ? '' : flawed(command))],
  [
    'the settings of replication and clusters',
    command =>
      /^(?:replicaof|cluster-enabled|replication)$/.test(command.at(-1)!)
        ? command[0] === 'INFO'
          ? 'role:master'
          : []
        : flawed(command),
  ],
])('resolves nothing if the server leaves out %s', async (_, answer) => {
  const before = await scan(flawed);
  expect(before.seen.map(({ category }) => category)).toEqual(expect.arrayContaining(wanted));
  const resolved = resolvedBy(before, await scan(answer));
  for (const check of wanted) expect(resolved).not.toContain(check);
});

it('resolves what the server no longer has', async () => {
  const secure = ['user default off -@all', 'user app on #00 ~app:* +get'];
  const answer: Answer = command => {
    if (command[0] === 'ACL') return secure;
    if (command[0] === 'MODULE') return [];
    if (command[0] === 'INFO') return command[1] === 'server' ? info[0]! : 'role:master';
    if (command[2] === 'replicaof') return ['replicaof', ''];
    return command[2] === 'cluster-enabled' ? ['cluster-enabled', 'no'] : flawed(command);
  };
  expect(resolvedBy(await scan(flawed), await scan(answer))).toEqual(expect.arrayContaining(wanted));
});
