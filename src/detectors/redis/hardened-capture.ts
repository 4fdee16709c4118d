import type { Assessment } from '../../captures/assessment.ts';
import type { RedisCapture, RedisModule, RedisPermissions, RedisUser } from '../../captures/redis.ts';

/** Captures of servers for which no check fails; golden cases change one part. */

export const seen = <T>(value: T): Assessment<T> => ({ assessed: true, value });
export const notSeen = (reason = 'The user lacks +config|get.') => ({ assessed: false as const, reason });

/** An answer that was read completely. */
export const rows = <T>(...list: readonly T[]) => seen({ rows: list, truncated: false });

/** @param rules as in ACL LIST: `~* &* +@all` */
export function permissions(rules: string): RedisPermissions {
  const parts = rules.split(' ').filter(Boolean);
  const starting = (pattern: RegExp) => parts.filter(part => pattern.test(part));
  return { commands: starting(/^[+-]/), keys: starting(/^[~%]/), channels: starting(/^&/) };
}

export function user(name: string, rules: string, changes: Partial<RedisUser> = {}): RedisUser {
  return {
    name,
    enabled: true,
    nopass: false,
    passwords: 1,
    root: permissions(rules),
    selectors: [],
    ...changes,
  };
}

export const module = (name: string, path: string, version = '20811'): RedisModule => ({
  name,
  version,
  path,
});

const off = { enabled: false, passwords: 0 } as const;
const scanRules = '-@all +ping +info +config|get +acl|list +module|list';
export const applicationRules = '~shop:* -@all +@read +@write +@connection -@dangerous -@scripting';

const hardenedUsers: readonly RedisUser[] = [
  user('admin', '~* &* +@all'),
  user('default', '~* &* +@all', off),
  user('parapet_reader', scanRules),
  user('shop', applicationRules),
];

const hardenedSettings: Readonly<Record<string, string>> = {
  bind: '127.0.0.1 10.1.2.3',
  port: '0',
  'tls-port': '6379',
  'protected-mode': 'yes',
  unixsocket: '',
  unixsocketperm: '0',
  'tls-protocols': 'TLSv1.2 TLSv1.3',
  'tls-ciphers': '',
  'tls-auth-clients': 'yes',
  'tls-replication': 'yes',
  'tls-cluster': 'yes',
  'cluster-enabled': 'no',
  replicaof: '',
  'replica-read-only': 'yes',
  'enable-debug-command': 'no',
  'enable-module-command': 'no',
  'enable-protected-configs': 'no',
  'acl-pubsub-default': 'resetchannels',
  'acllog-max-len': '128',
  dir: '/var/lib/redis',
  dbfilename: 'dump.rdb',
  save: '3600 1 300 100 60 10000',
  appendonly: 'yes',
  appendfsync: 'everysec',
  rdbchecksum: 'yes',
  'stop-writes-on-bgsave-error': 'yes',
  maxmemory: '2147483648',
  loglevel: 'notice',
  logfile: '/var/log/redis/redis-server.log',
  'syslog-enabled': 'no',
  daemonize: 'no',
  'slowlog-log-slower-than': '10000',
  'slowlog-max-len': '128',
};

const hardenedInfo: Readonly<Record<string, string>> = {
  redis_version: '7.4.9',
  redis_mode: 'standalone',
  os: 'Linux 6.1.0-37-amd64 x86_64',
  executable: '/usr/local/bin/redis-server',
};

type Changes = Readonly<Record<string, string | null>>;

/** A record with changes; null removes an entry. */
function changed(record: Readonly<Record<string, string>>, changes: Changes): Record<string, string> {
  const entries = Object.entries({ ...record, ...changes });
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== null));
}

/** A hardened Redis 7.4 with changed settings and fields of INFO. */
export function redisWith(settings: Changes = {}, info: Changes = {}): RedisCapture {
  return {
    collected_at: '2026-06-10T12:00:00.000Z',
    connection: { over: 'network', tls: true },
    anonymous: seen({ accepted: false, ping: false }),
    absent: [],
    info: seen(changed(hardenedInfo, info)),
    settings: seen(changed(hardenedSettings, settings)),
    users: rows(...hardenedUsers),
    modules: rows(),
  };
}

/** The same with these users, in place of those with the same names. */
export const withUsers = (...others: readonly RedisUser[]): RedisCapture => {
  const names = new Set(others.map(({ name }) => name));
  return { ...redisWith(), users: rows(...hardenedUsers.filter(({ name }) => !names.has(name)), ...others) };
};

/** A server that strangers can use, on loopback if nothing else is said. */
export function openRedisWith(
  settings: Changes = {},
  connection: RedisCapture['connection'] = { over: 'loopback', tls: false },
): RedisCapture {
  return {
    ...redisWith({ port: '6379', 'tls-port': '0', bind: '127.0.0.1 -::1', ...settings }),
    connection,
    anonymous: seen({ accepted: true, ping: true }),
    users: rows(user('default', '~* &* +@all', { nopass: true, passwords: 0 })),
  };
}
