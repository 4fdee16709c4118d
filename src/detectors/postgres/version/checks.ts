import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

const unpatched = lowers(
  safeguards.riskManagement,
  'A server without current fixes has published vulnerabilities, a known risk that has not been reduced.',
);

const policy = 'https://www.postgresql.org/support/versioning/';

export const versionChecks = {
  endOfLife: {
    id: 'postgres.end_of_life',
    title: 'The PostgreSQL version gets no more fixes',
    severity: 'high',
    why: 'Holes that become known in a version past its end of life stay open, and attackers know them from the fixes of its successors.',
    fix: {
      advice:
        'Move to a supported major version. On a server of your own: install the new version beside the old one and use `pg_upgrade --link`, after a backup and a rehearsal on a copy; on Debian and Ubuntu `pg_upgradecluster`. On RDS, Cloud SQL, Azure or Supabase use the service’s major version upgrade.',
    },
    references: [policy, 'https://www.postgresql.org/docs/current/pgupgrade.html'],
    safeguards: [unpatched],
  },
  behind: {
    id: 'postgres.minor_behind',
    title: 'Minor releases with fixes are missing',
    severity: 'medium',
    why: 'Each minor release closes holes and mends faults that can lose data, and changes nothing else.',
    fix: {
      advice:
        'Install the newest minor release of the same major version and restart: `apt-get update && apt-get install --only-upgrade postgresql-15`, `dnf upgrade postgresql15-server`, or pull the newest image of the tag `postgres:15`. No dump or `pg_upgrade` is needed. On RDS and Aurora modify the engine version of the instance; other services install it in their maintenance window. Read its release notes for steps that follow, such as rebuilding an index.',
    },
    references: [policy, 'https://www.postgresql.org/support/security/'],
    safeguards: [unpatched],
  },
  tableOutdated: {
    id: 'postgres.version_table_outdated',
    title: 'The scanner’s own table of PostgreSQL versions is old',
    severity: 'info',
    why: 'The table that versions are compared with is more than a year old, so missing fixes may go unnoticed.',
    fix: {
      advice:
        'Upgrade Parapet: each release brings the table of its day. Until then compare the version with the list of supported versions on postgresql.org yourself.',
    },
    references: [policy],
    safeguards: [],
  },
} as const satisfies Record<string, Check>;
