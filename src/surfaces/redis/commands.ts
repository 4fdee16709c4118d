import type { Command } from './session.ts';

/** What a collection reads. Every command that it sends is here, and in docs/databases/redis.md. */
export interface RedisQuery {
  readonly name: 'server' | 'settings' | 'users' | 'modules';
  /** What it reads, for the documentation. */
  readonly reads: string;
  /** The rule that permits it. */
  readonly permission: string;
  readonly commands: readonly Command[];
}

/**
 * Settings by name, without secrets. Never requested: `requirepass`, `masterauth`, `tls-key-file-pass` and
 * `tls-client-key-file-pass`, which the server sends in clear text.
 */
export const settingNames = [
  ...['bind', 'port', 'tls-port', 'protected-mode', 'unixsocket', 'unixsocketperm'],
  ...['tls-protocols', 'tls-ciphers', 'tls-auth-clients', 'tls-replication', 'tls-cluster'],
  ...['cluster-enabled', 'replicaof', 'replica-read-only'],
  ...['enable-debug-command', 'enable-module-command', 'enable-protected-configs'],
  ...['acl-pubsub-default', 'acllog-max-len'],
  ...['dir', 'dbfilename', 'save', 'appendonly', 'appendfsync', 'rdbchecksum'],
  ...['stop-writes-on-bgsave-error', 'maxmemory'],
  ...['loglevel', 'logfile', 'syslog-enabled', 'daemonize'],
  ...['slowlog-log-slower-than', 'slowlog-max-len'],
] as const;

export const redisQueries: readonly RedisQuery[] = [
  {
    name: 'server',
    reads: 'The product and its version, the operating system, and the role in replication.',
    permission: '+info',
    commands: [
      ['INFO', 'server'],
      ['INFO', 'replication'],
    ],
  },
  {
    name: 'settings',
    reads: 'Settings by name. Servers omit settings that they do not have.',
    permission: '+config|get',
    commands: settingNames.map(name => ['CONFIG', 'GET', name]),
  },
  {
    name: 'users',
    reads:
      'Every user with its rules. The server also sends hashes of passwords. Parapet counts them and keeps nothing else.',
    permission: '+acl|list',
    commands: [['ACL', 'LIST']],
  },
  {
    name: 'modules',
    reads: 'Loaded modules: name, version and path, without their parameters.',
    permission: '+module|list',
    commands: [['MODULE', 'LIST']],
  },
];
