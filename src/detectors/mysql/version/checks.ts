import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

const unpatched = lowers(
  safeguards.riskManagement,
  'A server without current fixes has published vulnerabilities, a known risk that has not been reduced.',
);

const references = [
  'https://mariadb.org/about/#maintenance-policy',
  'https://dev.mysql.com/doc/refman/8.4/en/mysql-releases.html',
];

export const versionChecks = {
  endOfLife: {
    id: 'mysql.version_end_of_life',
    title: 'The database server is past its end of life',
    severity: 'high',
    why: 'New vulnerabilities are published but no longer fixed in this version.',
    fix: {
      advice:
        'Upgrade to a long-term version: MySQL 8.4, MariaDB 10.11, 11.4 or 11.8. Take a backup and rehearse on a copy first. MySQL goes from 5.7 to 8.0 to 8.4, after `util.checkForServerUpgrade()` in MySQL Shell; MariaDB may skip versions, followed by `mariadb-upgrade`. On managed services, change the instance’s engine version, ideally with a blue/green deployment.',
    },
    references,
    safeguards: [unpatched],
  },
  behind: {
    id: 'mysql.version_behind',
    title: 'The database server lacks security fixes',
    severity: 'medium',
    why: 'A newer release of the same version is available, and the vulnerabilities that it fixes are public.',
    fix: {
      advice:
        'Install the newest release of the same version and restart. Nothing else changes within a version. For containers, pull the same tag again, such as `mysql:8.4` or `mariadb:10.11`.',
      steps: [
        {
          place: 'mariadb.shell',
          version: 'on Debian and Ubuntu',
          code: 'apt-get update && apt-get install --only-upgrade mariadb-server',
        },
        {
          place: 'mysql.shell',
          version: 'on Debian and Ubuntu',
          code: 'apt-get update && apt-get install --only-upgrade mysql-server',
        },
      ],
    },
    references: [...references, 'https://mariadb.com/kb/en/security/'],
    safeguards: [unpatched],
  },
  tableOutdated: {
    id: 'mysql.version_table_outdated',
    title: 'Parapet’s list of MySQL and MariaDB versions is outdated',
    severity: 'info',
    why: 'This release does not know newer versions and end-of-life dates, so an outdated server may appear current.',
    fix: {
      advice:
        'Upgrade Parapet: each release has a current list of MySQL and MariaDB versions. Until then, compare the server’s version with the vendor’s list.',
    },
    references,
    safeguards: [],
  },
} as const satisfies Record<string, Check>;
