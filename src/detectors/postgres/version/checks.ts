import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';
import { docs } from '../fix.ts';

const unpatched = lowers(
  safeguards.riskManagement,
  'A server without current fixes has published vulnerabilities, a known risk that has not been reduced.',
);

const policy = 'https://www.postgresql.org/support/versioning/';

export const versionChecks = {
  endOfLife: {
    id: 'postgres.end_of_life',
    title: 'This PostgreSQL version is no longer supported',
    severity: 'high',
    why: 'Vulnerabilities stay unfixed, and attackers learn of them from the fixes in newer versions.',
    fix: {
      advice:
        'Upgrade to a supported major version. Take a backup and rehearse on a copy first. On your own server, install the new version beside the old one and use `pg_upgrade --link`, or `pg_upgradecluster` on Debian and Ubuntu. On Amazon RDS, Cloud SQL, Azure or Supabase, use the service’s major version upgrade.',
    },
    references: [policy, docs('pgupgrade.html')],
    safeguards: [unpatched],
  },
  behind: {
    id: 'postgres.minor_behind',
    title: 'Minor releases with fixes are missing',
    severity: 'medium',
    why: 'Minor releases only fix vulnerabilities and bugs, including ones that lose data.',
    fix: {
      advice:
        'Install the newest minor release of the same major version and restart. No dump or `pg_upgrade` is needed. Read the release notes for follow-up steps, such as rebuilding an index. On Amazon RDS and Aurora, change the instance’s engine version; other services install it in their maintenance window.',
      steps: [
        {
          place: 'postgres.shell',
          version: '15 on Debian and Ubuntu',
          code: 'apt-get update && apt-get install --only-upgrade postgresql-15',
          replace: { '15': 'your major version' },
        },
        {
          place: 'postgres.shell',
          version: '15 on Red Hat and Rocky',
          code: 'dnf upgrade postgresql15-server',
          replace: { '15': 'your major version' },
        },
      ],
    },
    references: [policy, 'https://www.postgresql.org/support/security/'],
    safeguards: [unpatched],
  },
  tableOutdated: {
    id: 'postgres.version_table_outdated',
    title: 'Parapet’s list of PostgreSQL versions is outdated',
    severity: 'info',
    why: 'The list of versions is more than a year old, so missing fixes may go unnoticed.',
    fix: {
      advice:
        'Upgrade Parapet: each release has a current list. Until then, compare the version with the supported versions on postgresql.org.',
    },
    references: [policy],
    safeguards: [],
  },
} as const satisfies Record<string, Check>;
