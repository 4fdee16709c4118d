import type { RedisCapture } from '../../../captures/redis.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { notSeen, redisWith } from '../hardened-capture.ts';
import { configurationChecks } from './checks.ts';

const all = Object.values(configurationChecks)
  .map(({ id }): string => id)
  .sort();

/** A server with one flaw. */
function flaw(
  check: keyof typeof configurationChecks,
  setting: string,
  value: string,
  more: Readonly<Record<string, string>> = {},
): GoldenCase<RedisCapture> {
  return {
    name: `${setting} ${value === '' ? '""' : value}`,
    capture: redisWith({ ...more, [setting]: value }),
    expected: [{ check: configurationChecks[check].id, locator: setting }],
  };
}

const good = (name: string, settings: Readonly<Record<string, string>>): GoldenCase<RedisCapture> => ({
  name,
  capture: redisWith(settings),
  expected: [],
});

export const cases: readonly GoldenCase<RedisCapture>[] = [
  good('a hardened server', {}),
  flaw('logs', 'loglevel', 'nothing'),
  flaw('logs', 'logfile', '', { daemonize: 'yes' }),
  flaw('logs', 'acllog-max-len', '0'),
  good('a container that logs to its output', { logfile: '' }),
  good('a server that logs to syslog', { logfile: '', daemonize: 'yes', 'syslog-enabled': 'yes' }),
  flaw('slowLog', 'slowlog-log-slower-than', '-1'),
  flaw('slowLog', 'slowlog-max-len', '0'),
  flaw('persistence', 'save', '', { appendonly: 'no' }),
  good('only an append-only file', { save: '' }),
  flaw('durability', 'appendfsync', 'no'),
  good('no sync of a file that is not written', { appendfsync: 'no', appendonly: 'no' }),
  flaw('durability', 'rdbchecksum', 'no'),
  flaw('durability', 'stop-writes-on-bgsave-error', 'no'),
  good('no snapshots, so none can fail', { save: '', 'stop-writes-on-bgsave-error': 'no' }),
  flaw('memory', 'maxmemory', '0'),
  flaw('replicaWritable', 'replica-read-only', 'no', { replicaof: '10.1.2.9 6379' }),
  good('a primary that would be writable as a replica', { 'replica-read-only': 'no' }),
  flaw('socket', 'unixsocketperm', '777', { unixsocket: '/run/redis/redis.sock' }),
  good('a socket for a group', { unixsocket: '/run/redis/redis.sock', unixsocketperm: '770' }),
  good('no socket', { unixsocketperm: '777' }),
  flaw('channels', 'acl-pubsub-default', 'allchannels'),
  {
    name: 'settings cannot be read',
    capture: { ...redisWith(), settings: notSeen() },
    expected: [],
    notAssessed: all,
  },
  {
    name: 'Redis 5, without some settings',
    capture: redisWith({ 'acl-pubsub-default': null, 'acllog-max-len': null }),
    expected: [],
    notAssessed: ['redis.channels_open'],
  },
];
