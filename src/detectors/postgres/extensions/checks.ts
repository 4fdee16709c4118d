import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

const docs = (page: string) => `https://www.postgresql.org/docs/current/${page}`;

export const extensionsChecks = {
  untrustedLanguage: {
    id: 'postgres.untrusted_language',
    title: 'An untrusted language is installed',
    severity: 'medium',
    why: 'Functions in it can do on the machine whatever the server’s system user can: read files, open connections, start programs.',
    fix: {
      advice:
        "If nothing uses it (`select oid::regprocedure from pg_proc where prolang = (select oid from pg_language where lanname = 'plpython3u');`): `drop extension plpython3u;`. Write in PL/pgSQL, or the trusted plperl or pltcl; work that needs the outside world belongs into an application.",
    },
    references: [docs('catalog-pg-language.html'), docs('plperl-trusted.html')],
    safeguards: [
      lowers(safeguards.accessControl, 'Code in this language is not bound by the database’s access rights.'),
    ],
  },
  outdated: {
    id: 'postgres.extension_outdated',
    title: 'An extension is not of the version that the server has',
    severity: 'low',
    why: 'The files were upgraded, but the objects in this database are still the old ones, fixes of security holes included.',
    fix: {
      advice:
        'Read the extension’s notes, then in each database: `alter extension name update;`. PostGIS: `select postgis_extensions_upgrade();`. It belongs to every upgrade of packages, and after pg_upgrade.',
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
    title: 'An extension reaches out of the database',
    severity: 'medium',
    why: 'It reads or writes files, opens connections or changes pages directly, and helps whoever can run SQL to get further.',
    fix: {
      advice:
        'If nothing needs it: `drop extension name;`. Otherwise see who may use it (`\\dx+ name`) and revoke it from PUBLIC: `revoke execute on function dblink(text, text) from public;`. For queries on other servers prefer postgres_fdw with a user mapping for each role.',
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
    why: 'User mappings keep passwords in clear text: superusers read them, and so does whoever gets a dump.',
    fix: {
      advice:
        "Use a certificate or Kerberos where the wrapper can (`alter user mapping for app server other options (drop password, add sslcert '…', add sslkey '…');`), give the remote role no more than it needs, limit its addresses in the other server’s pg_hba.conf, and protect dumps as you do passwords.",
    },
    references: [docs('sql-createusermapping.html'), docs('postgres-fdw.html')],
    safeguards: [lowers(safeguards.passwordManagement, 'A password is stored in the catalog in clear text.')],
  },
} as const satisfies Record<string, Check>;
