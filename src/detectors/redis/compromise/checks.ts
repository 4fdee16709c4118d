import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';
import { commands, references, settings } from '../fix.ts';

const malware = lowers(
  safeguards.malwareProtection,
  'The setting is a usual trace of programs that attack open servers.',
);
const respond =
  'Treat the machine as compromised until you know who made the change: disconnect it, search it for foreign keys, jobs and processes, then rebuild it and replace all secrets on it.';

export const compromiseChecks = {
  dumpInSystemFolder: {
    id: 'redis.dump_in_system_folder',
    title: 'Snapshots are written where they are executed or served',
    severity: 'critical',
    why: 'Attackers let an open server write a job, an SSH key or a script this way. No administrator sets such a folder on purpose.',
    fix: {
      advice: `${respond} Then move snapshots back to the server’s own folder.`,
      steps: [
        settings('dir /var/lib/redis\ndbfilename dump.rdb', {
          replace: { '/var/lib/redis': 'the server’s own folder' },
        }),
      ],
    },
    references: [references.security],
    safeguards: [
      malware,
      lowers(safeguards.accessControl, 'A client that may write keys can run code on the machine.'),
    ],
  },
  publicPrimary: {
    id: 'redis.replicates_from_public_address',
    title: 'The server replicates from a public address',
    severity: 'high',
    why: 'Attackers make an open server the replica of their own, which then replaces its data and sends it a module to run. Replication between own machines usually uses private addresses.',
    fix: {
      advice: `If the primary is not yours: ${respond.charAt(0).toLowerCase()}${respond.slice(1)} If it is, connect the machines by a private network or a tunnel.`,
      steps: [
        commands('REPLICAOF NO ONE', {
          note: 'Ends replication. Also remove `replicaof` from redis.conf.',
        }),
      ],
    },
    references: [references.replication, references.security],
    safeguards: [malware],
  },
  foreignModule: {
    id: 'redis.module_suspicious',
    title: 'A loaded module resembles malware',
    severity: 'critical',
    why: 'A module runs any code with the rights of the server. Attackers load theirs from folders to which the server can write.',
    fix: {
      advice: `${respond} If the module is yours, move it to a folder that only root can write, such as \`/usr/lib/redis/modules\`.`,
      steps: [commands('MODULE UNLOAD system', { replace: { system: 'the module' } })],
    },
    references: ['https://redis.io/docs/latest/develop/reference/modules/', references.security],
    safeguards: [malware],
  },
} as const satisfies Record<string, Check>;
