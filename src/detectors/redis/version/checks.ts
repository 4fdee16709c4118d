import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

const references = [
  'https://github.com/redis/redis/security',
  'https://valkey.io/topics/releases/',
  'https://endoflife.date/redis',
];
const unpatched = lowers(
  safeguards.riskManagement,
  'Known vulnerabilities of the server are not fixed, which is a risk that could be reduced.',
);
const upgrade = {
  place: 'redis.shell',
  version: 'on Debian and Ubuntu',
  code: 'apt-get update && apt-get install --only-upgrade redis-server',
} as const;

export const versionChecks = {
  vulnerable: {
    id: 'redis.known_vulnerability',
    title: 'The server has a known vulnerability',
    severity: 'high',
    why: 'The vulnerability is public, and so are ways to exploit it.',
    fix: {
      advice:
        'Upgrade to a release that has the fix, and restart. For containers, pull the same tag again, such as `redis:7.4` or `valkey/valkey:8.1`. Until then, take scripts and RESTORE away from users that do not need them.',
      steps: [upgrade],
    },
    references: ['https://github.com/redis/redis/security/advisories', ...references],
    safeguards: [unpatched],
  },
  vulnerableModule: {
    id: 'redis.module_vulnerability',
    title: 'A loaded module has a known vulnerability',
    severity: 'high',
    why: 'The vulnerability is public. Users who may run commands of the module can exploit it.',
    fix: {
      advice:
        'Install a release of the module that has the fix, and restart the server. If no application uses the module, do not load it.',
    },
    references: [
      'https://github.com/redis/redis/security/advisories',
      'https://github.com/cisagov/vulnrichment',
    ],
    safeguards: [unpatched],
  },
  endOfLife: {
    id: 'redis.version_end_of_life',
    title: 'The version of the server is no longer supported',
    severity: 'high',
    why: 'New vulnerabilities are no longer fixed in this version.',
    fix: {
      advice:
        'Upgrade to a supported version of Redis or Valkey. Take a backup and rehearse on a copy first: newer versions read the files of older ones, but not the other way round. Upgrade replicas first, then fail over.',
    },
    references,
    safeguards: [unpatched],
  },
  behind: {
    id: 'redis.version_behind',
    title: 'The server lacks fixes',
    severity: 'medium',
    why: 'A newer release of the same version is available, and what it fixes is public.',
    fix: {
      advice:
        'Install the newest release of the same version and restart. For containers, pull the same tag again, such as `redis:7.4` or `valkey/valkey:8.1`.',
      steps: [upgrade],
    },
    references,
    safeguards: [unpatched],
  },
  tableOutdated: {
    id: 'redis.version_table_outdated',
    title: 'Parapet’s list of Redis and Valkey versions is outdated',
    severity: 'info',
    why: 'This release does not know newer versions, vulnerabilities and end-of-life dates, so an outdated server may appear current.',
    fix: {
      advice:
        'Upgrade Parapet: each release has a current list. Until then, compare the server’s version with the vendor’s list.',
    },
    references,
    safeguards: [],
  },
} as const satisfies Record<string, Check>;
