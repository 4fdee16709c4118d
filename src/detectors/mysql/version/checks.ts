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
    title: 'The database server’s version is past its end of life',
    severity: 'high',
    why: 'Flaws that are found from now on are published but no longer mended in this version.',
    fix: {
      advice:
        'Upgrade to a long-term version: MySQL 8.4, MariaDB 10.11, 11.4 or 11.8. MySQL goes 5.7 → 8.0 → 8.4, after `util.checkForServerUpgrade()` of MySQL Shell; MariaDB may skip versions, followed by `mariadb-upgrade`. Take a backup and rehearse on a copy first. Services: change the engine version of the instance, best with a blue/green deployment.',
    },
    references,
    safeguards: [unpatched],
  },
  behind: {
    id: 'mysql.version_behind',
    title: 'The database server lacks security fixes of its version',
    severity: 'medium',
    why: 'A newer release of the same version is out, and what it mends is public.',
    fix: {
      advice:
        'Install the newest release of the same version from your package source and restart: `apt-get install --only-upgrade mysql-server` or `mariadb-server`, `dnf upgrade mysql-community-server` or `mariadb-server`; containers: pull the tag of the version again, such as `mysql:8.4` or `mariadb:10.11`. Nothing else changes within a version.',
    },
    references: [...references, 'https://mariadb.com/kb/en/security/'],
    safeguards: [unpatched],
  },
  tableOutdated: {
    id: 'mysql.version_table_outdated',
    title: 'Parapet’s table of database versions is more than a year old',
    severity: 'info',
    why: 'Newer versions and ends of life are unknown to this Parapet, so that an outdated server may look current.',
    fix: {
      advice:
        'Upgrade Parapet: its releases bring a table of the versions of MySQL and MariaDB with their ends of life. Until then compare the server’s version with the vendor’s list.',
    },
    references,
    safeguards: [],
  },
} as const satisfies Record<string, Check>;
