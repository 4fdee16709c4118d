import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';
import { docs, sql } from '../fix.ts';

export const extensionsChecks = {
  untrustedLanguage: {
    id: 'postgres.untrusted_language',
    title: 'An untrusted procedural language is installed',
    severity: 'medium',
    why: 'Functions in it can do anything the server’s operating-system user can: read files, open connections, start programs.',
    fix: {
      advice:
        'Drop the language if no function uses it. Write functions in PL/pgSQL, or in the trusted plperl or pltcl, and move work that needs files or the network to an application.',
      steps: [
        sql('DROP EXTENSION plpython3u;', {
          replace: { plpython3u: 'the language’s extension' },
          note: 'It fails while functions use the language and names them. A language without an extension: `DROP LANGUAGE name;`.',
        }),
      ],
    },
    references: [docs('catalog-pg-language.html'), docs('plperl-trusted.html')],
    safeguards: [
      lowers(safeguards.accessControl, 'Code in this language is not bound by the database’s access rights.'),
    ],
  },
  outdated: {
    id: 'postgres.extension_outdated',
    title: 'An extension is older than its installed files',
    severity: 'low',
    why: 'The files were upgraded, but the objects in this database are still the old ones, without security fixes.',
    fix: {
      advice:
        'Read the extension’s release notes, then update it in each database. Do it after every package upgrade and after pg_upgrade.',
      steps: [
        sql('ALTER EXTENSION pg_stat_statements UPDATE;', {
          replace: { pg_stat_statements: 'the extension' },
          note: 'PostGIS: `SELECT postgis_extensions_upgrade();`.',
        }),
      ],
    },
    references: [docs('sql-alterextension.html')],
    safeguards: [
      lowers(
        safeguards.riskManagement,
        'An extension without its current fixes is a known risk that has not been reduced.',
      ),
    ],
  },
  risky: {
    id: 'postgres.extension_risky',
    title: 'An extension reaches outside the database',
    severity: 'medium',
    why: 'It reads or writes files, opens connections or changes pages directly, which helps anyone who can run SQL to attack other systems.',
    fix: {
      advice:
        'If nothing needs the extension, drop it. Otherwise list its functions (`\\dx+ dblink` in psql), revoke them from PUBLIC, and accept this finding. For queries on other servers, prefer postgres_fdw with a user mapping for each role.',
      steps: [sql('DROP EXTENSION dblink;', { replace: { dblink: 'the extension' } })],
    },
    references: [docs('contrib.html'), docs('sql-dropextension.html')],
    safeguards: [
      lowers(
        safeguards.accessControl,
        'The extension reaches files, programs or other servers, past the database’s access rights.',
      ),
    ],
  },
  foreignPassword: {
    id: 'postgres.foreign_server_password',
    title: 'A password for another server is stored in the catalog',
    severity: 'medium',
    why: 'User mappings store passwords in clear text. Superusers and anyone with a dump can read them.',
    fix: {
      advice:
        'Use a client certificate or Kerberos instead of a password. If that is not possible, limit what the remote role can do and where it can connect from, protect dumps like passwords, and accept this finding.',
      steps: [
        sql(
          "ALTER USER MAPPING FOR app SERVER billing\n  OPTIONS (DROP password, ADD sslcert '/etc/postgresql/app.crt', ADD sslkey '/etc/postgresql/app.key');",
          {
            replace: {
              app: 'the role',
              billing: 'the foreign server',
              '/etc/postgresql/app.crt': 'the certificate’s file',
              '/etc/postgresql/app.key': 'the key’s file',
            },
          },
        ),
      ],
    },
    references: [docs('sql-createusermapping.html'), docs('postgres-fdw.html')],
    safeguards: [lowers(safeguards.passwordManagement, 'A password is stored in the catalog in clear text.')],
  },
} as const satisfies Record<string, Check>;
