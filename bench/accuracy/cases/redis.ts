import { hostname } from 'node:os';
import type { Family } from '../case.ts';
import { redisCase } from '../redis-case.ts';

const off = 'user default off';
const setting = (check: string, ...lines: readonly string[]) =>
  redisCase({ name: lines.join(', '), lines, flaws: [`redis.${check} ${lines[0]!.split(' ')[0]}`] });
const user = (name: string, rules: string, ...flaws: readonly string[]) =>
  redisCase({
    name,
    users: [off, `user shop on ${rules}`],
    flaws: flaws.map(flaw => `redis.${flaw} user shop`),
  });
const password = '>Long-enough-1-text';
const data = '~shop:* -@all +@read +@write +@connection -@dangerous -@scripting';
const everything = 'redis.default_user_unrestricted';

export const redisFamily: Family = {
  name: 'redis',
  cases: [
    redisCase({
      name: 'nobody needs a password',
      users: [],
      lines: ['protected-mode no'],
      isOpen: true,
      flaws: ['redis.no_password', 'redis.protected_mode_off'],
      also: [everything],
    }),
    redisCase({
      name: 'nobody needs a password, on all addresses without TLS',
      users: [],
      lines: ['protected-mode no'],
      plaintext: true,
      isOpen: true,
      bind: '* -::*',
      flaws: [
        'redis.no_password',
        'redis.protected_mode_off',
        'redis.listens_everywhere',
        'redis.plaintext_allowed',
      ],
      also: [everything],
    }),
    redisCase({
      name: 'strangers may read, but not PING',
      users: ['user default on nopass ~* -@all +get +hgetall'],
      lines: ['protected-mode no'],
      flaws: ['redis.no_password', 'redis.protected_mode_off'],
    }),
    redisCase({
      name: 'strangers may only PING',
      users: ['user default on nopass -@all +ping'],
      flaws: [],
    }),
    redisCase({
      name: 'strangers may read',
      users: ['user default on nopass ~* -@all +@read +ping -@dangerous'],
      lines: ['protected-mode no'],
      flaws: ['redis.no_password', 'redis.protected_mode_off'],
    }),
    redisCase({
      name: 'all addresses',
      plaintext: true,
      bind: '',
      flaws: ['redis.listens_everywhere', 'redis.plaintext_allowed'],
    }),
    redisCase({ name: 'no TLS', plaintext: true, flaws: ['redis.plaintext_allowed'] }),
    redisCase({
      name: 'one password for all',
      users: ['requirepass Long-enough-1-text'],
      flaws: [everything],
    }),
    setting('tls_version_old', 'tls-protocols "TLSv1.1 TLSv1.2 TLSv1.3"'),
    setting('tls_version_old', 'tls-protocols "TLSv1 TLSv1.2"'),
    setting('tls_ciphers_weak', 'tls-ciphers ECDHE-RSA-AES256-GCM-SHA384:RC4-SHA'),
    setting('tls_ciphers_weak', 'tls-ciphers ALL'),
    setting('replication_plaintext', 'tls-replication no', `replicaof ${hostname()} 1`),
    setting('replica_writable', 'replica-read-only no', `replicaof ${hostname()} 1`),
    setting('cluster_bus_plaintext', 'tls-cluster no', 'cluster-enabled yes', 'cluster-port {other}'),
    setting('protected_command_enabled', 'enable-debug-command yes'),
    setting('protected_command_enabled', 'enable-module-command yes'),
    setting('protected_command_enabled', 'enable-protected-configs yes'),
    setting('log_off', 'acllog-max-len 0'),
    setting('durability_weak', 'appendfsync no'),
    setting('durability_weak', 'rdbchecksum no'),
    setting('durability_weak', 'stop-writes-on-bgsave-error no'),
    setting('socket_open', 'unixsocketperm 777'),
    setting('socket_open', 'unixsocketperm 666'),
    redisCase({
      name: 'snapshots named like a script',
      lines: ['dbfilename x.php'],
      flaws: ['redis.dump_in_system_folder'],
    }),
    redisCase({
      name: 'snapshots named like keys of SSH',
      lines: ['dbfilename authorized_keys'],
      flaws: ['redis.dump_in_system_folder'],
    }),
    user('an application with everything', `${password} ~* &* +@all`, 'user_administrative'),
    user('an application with all commands on its keys', `${password} ~shop:* +@all`, 'user_administrative'),
    user('an application with CONFIG', `${password} ${data} +config`, 'user_administrative'),
    redisCase({
      name: 'an application with MODULE LOAD, from the machine of the server',
      users: [off, `user shop on ${password} ${data} +module|load`],
      lines: ['enable-module-command local'],
      flaws: ['redis.user_administrative user shop'],
    }),
    redisCase({
      name: 'an application with DEBUG, which is disabled',
      users: [off, `user shop on ${password} ${data} +debug`],
      flaws: [],
    }),
    user('an application with @admin', `${password} ${data} +@admin`, 'user_administrative'),
    user('administration in a selector', `${password} ${data} (~* -@all +get +acl)`, 'user_administrative'),
    user('an application with FLUSHALL', `${password} ${data} +flushall`, 'user_dangerous_commands'),
    user(
      'an application with @dangerous except @admin',
      `${password} ~* +@all -@admin`,
      'user_dangerous_commands',
    ),
    user('an application with MONITOR', `${password} ${data} +monitor`, 'user_dangerous_commands'),
    user('a user without a password', `nopass ${data}`, 'user_no_password'),
    user('a user without a password that only reads', 'nopass ~* -@all +get', 'user_no_password'),

    redisCase({ name: 'hardened', flaws: [] }),
    redisCase({
      name: 'other values that are as good',
      lines: [
        'tls-protocols ""',
        'tls-ciphers ECDHE+AESGCM:ECDHE+CHACHA20',
        'tls-auth-clients no',
        'enable-debug-command local',
        'loglevel verbose',
        'appendfsync always',
        'unixsocketperm 770',
        'protected-mode no',
      ],
      flaws: [],
    }),
    redisCase({
      name: 'a cache',
      lines: [
        'save ""',
        'appendonly no',
        'rdbchecksum no',
        'stop-writes-on-bgsave-error no',
        'maxmemory-policy allkeys-lru',
      ],
      flaws: [],
    }),
    redisCase({
      name: 'usual users',
      users: [
        off,
        `user shop on ${password} ${data}`,
        `user queue on ${password} ~bull:* -@all +@read +@write +@scripting +@connection -@dangerous`,
        `user sentinel on ${password} &* -@all +multi +slaveof +ping +exec +subscribe +config|rewrite +role +publish +info +client|setname +client|kill +script|kill`,
        `user replica on ${password} -@all +psync +replconf +ping`,
        `user exporter on ${password} -@all +ping +info +config|get +latency +slowlog|get`,
        `user old off ${password} ~* +@all`,
        'user unused on ~* +@all',
      ],
      flaws: [],
    }),
    redisCase({
      name: 'a replica with TLS',
      lines: [`replicaof ${hostname()} 1`],
      flaws: [],
    }),
    redisCase({
      name: 'an administrator of another name, and health checks',
      users: [
        off,
        `user shop on ${password} resetchannels ~shop:* &shop:* -@all +@read +@write +@pubsub -@dangerous -@scripting`,
        `user health on ${password} -@all +ping`,
        `user backup on ${password} -@all +ping +info +bgsave +lastsave`,
        `user report on ${password} %R~shop:* -@all +@read -@dangerous`,
        `user dba on ${password} ~* &* +@all`,
      ],
      flaws: [],
    }),
    redisCase({
      name: 'a user with single commands',
      users: [
        off,
        `user shop on ${password} ~session:* -@all +get +set +del +expire +exists +hget +hset +eval`,
      ],
      flaws: [],
    }),
    redisCase({
      name: 'a server for its own machine, with a password',
      plaintext: true,
      bind: '127.0.0.1 -::1',
      lines: ['protected-mode no'],
      flaws: [],
    }),
    redisCase({
      name: 'logs of a service',
      lines: ['syslog-enabled yes', 'slowlog-log-slower-than 100', 'acllog-max-len 1000', 'loglevel warning'],
      flaws: [],
    }),
    redisCase({
      name: 'a node of a cluster with TLS',
      lines: ['cluster-enabled yes', 'cluster-port {other}'],
      flaws: [],
    }),
  ],
};
