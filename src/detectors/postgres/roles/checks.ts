import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';
import type { Step } from '../../remediation/step.ts';
import { docs, sql } from '../fix.ts';

const excess = lowers(
  safeguards.accessModification,
  'The role has more privileges than such a role usually needs, which an access review would correct.',
);

const attributes = docs('role-attributes.html');
const alterRole = (change: string, more: Partial<Step> = {}) =>
  sql(`ALTER ROLE app ${change};`, { replace: { app: 'the role' }, ...more });

export const rolesChecks = {
  superuser: {
    id: 'postgres.extra_superuser',
    title: 'An additional role is a superuser',
    severity: 'medium',
    why: 'A superuser bypasses every permission and row policy and can run programs on the server. Each additional one is another way in.',
    fix: {
      advice:
        'Remove SUPERUSER and grant what the role needs: `pg_monitor` for monitoring, `pg_read_all_data` for dumps, `pg_signal_backend` for ending sessions, ownership of its own schemas for deployments.',
      steps: [alterRole('NOSUPERUSER')],
    },
    references: [attributes, docs('predefined-roles.html')],
    safeguards: [excess, lowers(safeguards.accessControl, 'Superusers bypass every access check.')],
  },
  createRole: {
    id: 'postgres.extra_createrole',
    title: 'A non-superuser role can create roles',
    severity: 'medium',
    why: 'CREATEROLE lets a role add and change logins. Before version 16 it could grant itself almost any role, including those that read files.',
    fix: {
      advice:
        'Remove CREATEROLE unless managing roles is the role’s purpose. If it is, keep it apart from application roles, let it sign in only while roles are created, and run version 16 or newer, which limits it to roles granted WITH ADMIN OPTION.',
      steps: [alterRole('NOCREATEROLE')],
    },
    references: [attributes, docs('sql-createrole.html')],
    safeguards: [excess],
  },
  createDb: {
    id: 'postgres.extra_createdb',
    title: 'A non-superuser role can create databases',
    severity: 'medium',
    why: 'An application role that can create databases can copy one with TEMPLATE and fill the disk for all others.',
    fix: {
      advice: 'Remove CREATEDB. Run test suites that create databases on another server.',
      steps: [alterRole('NOCREATEDB')],
    },
    references: [attributes, docs('sql-createdatabase.html')],
    safeguards: [excess],
  },
  replication: {
    id: 'postgres.replication_role_mixed',
    title: 'A role with other duties has REPLICATION',
    severity: 'medium',
    why: 'REPLICATION lets a role copy the whole cluster, including every database and password verifier. If the role has other duties, more people and programs have this access.',
    fix: {
      advice:
        'Create a role that only replicates, allow it in pg_hba.conf from the standbys only, and remove REPLICATION from this one.',
      steps: [
        sql(
          "CREATE ROLE replicator LOGIN REPLICATION CONNECTION LIMIT 10\n  PASSWORD 'a-long-random-password' VALID UNTIL '2027-06-30';\nALTER ROLE app NOREPLICATION;",
          {
            replace: {
              'a-long-random-password': 'a password',
              '2027-06-30': 'when you will change it',
              app: 'the role',
            },
          },
        ),
      ],
    },
    references: [attributes, docs('warm-standby.html#STREAMING-REPLICATION-AUTHENTICATION')],
    safeguards: [
      excess,
      lowers(
        safeguards.accessControl,
        'A role with REPLICATION can copy all data, regardless of its grants.',
      ),
    ],
  },
  bypassRls: {
    id: 'postgres.bypassrls_role',
    title: 'A role bypasses row security',
    severity: 'medium',
    why: 'No policy applies to a role with BYPASSRLS: anyone with its password sees every row.',
    fix: {
      advice:
        'Remove BYPASSRLS. If the role makes dumps, it needs it: then give it no other purpose, a connection limit and a pg_hba.conf rule for the backup machine only, and accept this finding.',
      steps: [alterRole('NOBYPASSRLS')],
    },
    references: [docs('ddl-rowsecurity.html'), attributes],
    safeguards: [
      excess,
      lowers(safeguards.accessControl, 'The role can read and change every row, regardless of policies.'),
    ],
  },
  noExpiry: {
    id: 'postgres.role_without_expiry',
    title: 'A role’s password never expires',
    severity: 'low',
    why: 'A leaked or forgotten password works until it is changed.',
    fix: {
      advice:
        'Set an expiry date and a reminder to change the password before it. Roles that sign in by certificate, peer, LDAP or Kerberos need no password: `ALTER ROLE app PASSWORD NULL;`.',
      steps: [
        alterRole("VALID UNTIL '2027-06-30'", {
          replace: { app: 'the role', '2027-06-30': 'a date within a year' },
        }),
      ],
    },
    references: [docs('sql-alterrole.html')],
    safeguards: [lowers(safeguards.passwordManagement, 'Nothing requires a change of this password.')],
  },
  noLimit: {
    id: 'postgres.role_without_connection_limit',
    title: 'A role has no connection limit',
    severity: 'low',
    why: 'One faulty client, or an attacker with its password, can use all connections and lock everyone else out.',
    fix: {
      advice:
        'Set a limit slightly above what the role’s connection pools need together. Limits do not apply to superusers.',
      steps: [
        alterRole('CONNECTION LIMIT 40', {
          replace: { app: 'the role', '40': 'what its pools need' },
        }),
      ],
    },
    references: [docs('sql-alterrole.html')],
    safeguards: [],
  },
  serverFiles: {
    id: 'postgres.server_files_member',
    title: 'A non-superuser role can use server files or programs',
    severity: 'high',
    why: 'Members of pg_execute_server_program, pg_write_server_files and pg_read_server_files can read or take over everything that the server’s operating-system user can.',
    fix: {
      advice:
        'Revoke the membership. Load and unload data from the client instead, with `\\copy` in psql or `COPY … FROM STDIN`.',
      steps: [
        sql('REVOKE pg_execute_server_program FROM app;', {
          replace: { pg_execute_server_program: 'the predefined role', app: 'the role' },
        }),
      ],
    },
    references: [docs('predefined-roles.html'), docs('sql-copy.html')],
    safeguards: [
      excess,
      lowers(
        safeguards.accessControl,
        'The role can read or write files of the server, bypassing the database’s access checks.',
      ),
    ],
  },
} as const satisfies Record<string, Check>;
