import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';
import { references, settings } from '../fix.ts';

const configured = [references.configuration];

export const configurationChecks = {
  logs: {
    id: 'redis.log_off',
    title: 'Events that show attacks or failures are not logged',
    severity: 'low',
    why: 'Failed logins, refused commands and errors cannot be investigated if they were not recorded.',
    fix: {
      advice:
        'Log notices to a file or to syslog, keep the log of refused commands (ACL LOG), and send both to another machine.',
      steps: [
        settings('loglevel notice\nlogfile /var/log/redis/redis-server.log\nacllog-max-len 128', {
          replace: { '/var/log/redis/redis-server.log': 'a file that the server may write' },
        }),
      ],
    },
    references: [...configured, references.acl],
    safeguards: [
      lowers(safeguards.auditControls, 'Activity that is not recorded cannot be examined.'),
      lowers(safeguards.logInMonitoring, 'Failed logins that are not logged cannot be monitored.'),
    ],
  },
  slowLog: {
    id: 'redis.slow_log_off',
    title: 'Slow commands are not recorded',
    severity: 'info',
    why: 'The slow log shows which commands block the server, including those of an attacker.',
    fix: {
      advice: 'Record commands that take more than a few milliseconds.',
      steps: [settings('slowlog-log-slower-than 10000\nslowlog-max-len 128')],
    },
    references: configured,
    safeguards: [],
  },
  persistence: {
    id: 'redis.persistence_off',
    title: 'Data is not written to disk',
    severity: 'info',
    why: 'A restart loses all data. That is fine for a cache, but not for sessions, queues or a database.',
    fix: {
      advice: 'Unless the server is only a cache, turn on the append-only file, and back it up.',
      steps: [settings('appendonly yes\nappendfsync everysec\nsave 3600 1 300 100 60 10000')],
    },
    references: [references.persistence],
    safeguards: [],
  },
  durability: {
    id: 'redis.durability_weak',
    title: 'A crash can lose or corrupt data',
    severity: 'low',
    why: 'The server reports writes as done that are not safe on disk, or reads files without detecting that they are damaged.',
    fix: {
      advice:
        'Let the server sync its file every second, check files when it loads them, and refuse writes when it cannot save.',
      steps: [settings('appendfsync everysec\nrdbchecksum yes\nstop-writes-on-bgsave-error yes')],
    },
    references: [references.persistence],
    safeguards: [
      lowers(safeguards.integrity, 'Data can be lost or damaged unnoticed.'),
      lowers(safeguards.dataBackup, 'Files that backups copy may lack writes, or be damaged.'),
    ],
  },
  memory: {
    id: 'redis.memory_unlimited',
    title: 'Memory is not limited',
    severity: 'info',
    why: 'A client that writes without end makes the machine run out of memory, which stops this server or others on it.',
    fix: {
      advice: 'Set a limit below the memory of the machine, and choose what happens when it is reached.',
      steps: [
        settings('maxmemory 2gb\nmaxmemory-policy noeviction', {
          replace: { '2gb': 'about three quarters of the memory', noeviction: 'allkeys-lru for a cache' },
        }),
      ],
    },
    references: configured,
    safeguards: [],
  },
  replicaWritable: {
    id: 'redis.replica_writable',
    title: 'A replica accepts writes',
    severity: 'low',
    why: 'Changes on a replica are not sent to the primary, and disappear when it synchronizes again. A known vulnerability needs this setting.',
    fix: { advice: 'Make the replica read-only.', steps: [settings('replica-read-only yes')] },
    references: [references.replication],
    safeguards: [lowers(safeguards.integrity, 'Data can differ between the replica and its primary.')],
  },
  socket: {
    id: 'redis.socket_open',
    title: 'Every account of the machine may use the Unix socket',
    severity: 'low',
    why: 'Any program on the machine can connect. Protected mode and `bind` do not apply to the socket.',
    fix: {
      advice: 'Permit the socket only to a group, and add the accounts of applications to it.',
      steps: [settings('unixsocketperm 770')],
    },
    references: [references.security],
    safeguards: [lowers(safeguards.accessControl, 'Programs without need can reach the server.')],
  },
  channels: {
    id: 'redis.channels_open',
    title: 'New users may use all channels',
    severity: 'info',
    why: 'Users can read and send messages of other applications, unless each of them is restricted.',
    fix: {
      advice: 'Let new users start without channels, which is the default since Redis 7.0.',
      steps: [settings('acl-pubsub-default resetchannels')],
    },
    references: [references.acl],
    safeguards: [],
  },
} as const satisfies Record<string, Check>;
