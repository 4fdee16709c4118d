import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

const excess = lowers(
  safeguards.accessModification,
  'The role has more rights than such a role usually needs, which a review of access rights would settle.',
);

const docs = (page: string) => `https://www.postgresql.org/docs/current/${page}`;
const attributes = docs('role-attributes.html');

export const rolesChecks = {
  superuser: {
    id: 'postgres.extra_superuser',
    title: 'A further role is superuser',
    severity: 'medium',
    why: 'A superuser passes every permission and every row policy, and may run programs on the server: each one more is one more way in.',
    fix: {
      advice:
        'Take it away, and grant what the role really needs: `alter role name nosuperuser;`, then for example `grant pg_monitor to name;` (monitoring), `grant pg_read_all_data to name;` (dumps), `grant pg_signal_backend to name;` (ending sessions), or ownership of its own schemas (deployments).',
    },
    references: [attributes, docs('predefined-roles.html')],
    safeguards: [excess, lowers(safeguards.accessControl, 'A superuser passes every access check.')],
  },
  createRole: {
    id: 'postgres.extra_createrole',
    title: 'A role without superuser may create roles',
    severity: 'medium',
    why: 'CREATEROLE lets a role make and change log-ins; before version 16 it could give itself almost any role, also those that read files.',
    fix: {
      advice:
        'If it is not what the role is for: `alter role name nocreaterole;`. Otherwise keep it apart from the roles of applications, let it log in only while roles are made, and run version 16 or newer, where it may touch only the roles it was given with ADMIN OPTION.',
    },
    references: [attributes, docs('sql-createrole.html')],
    safeguards: [excess],
  },
  createDb: {
    id: 'postgres.extra_createdb',
    title: 'A role without superuser may create databases',
    severity: 'medium',
    why: 'A role of an application that may create databases can copy one with `template` and fill the disk for all others.',
    fix: {
      advice:
        '`alter role name nocreatedb;`. Test suites that make databases of their own belong on another server.',
    },
    references: [attributes, docs('sql-createdatabase.html')],
    safeguards: [excess],
  },
  replication: {
    id: 'postgres.replication_role_mixed',
    title: 'A role for more than replication may replicate',
    severity: 'medium',
    why: 'REPLICATION lets a role copy the whole cluster, every database and every password verifier; in a role that does other work too, more people and programs hold it.',
    fix: {
      advice:
        "Make a role that does nothing else: `create role replicator login replication password '…';`, admit it in pg_hba.conf from its followers only (`hostssl replication replicator 10.1.2.4/32 scram-sha-256`), and take it from this one: `alter role name noreplication;`.",
    },
    references: [attributes, docs('warm-standby.html#STREAMING-REPLICATION-AUTHENTICATION')],
    safeguards: [
      excess,
      lowers(
        safeguards.accessControl,
        'A role that may replicate can copy all data, whatever it was granted.',
      ),
    ],
  },
  bypassRls: {
    id: 'postgres.bypassrls_role',
    title: 'A role passes row security by',
    severity: 'medium',
    why: 'For a role with BYPASSRLS no policy holds: whoever gets its password sees the rows of all.',
    fix: {
      advice:
        'If it is not what the role is for: `alter role name nobypassrls;`. A role for dumps needs it; give it no other use, a limit of connections, and a rule in pg_hba.conf for the machine of the backups only.',
    },
    references: [docs('ddl-rowsecurity.html'), attributes],
    safeguards: [
      excess,
      lowers(safeguards.accessControl, 'The role reads and changes every row, whatever the policies say.'),
    ],
  },
  noExpiry: {
    id: 'postgres.role_without_expiry',
    title: 'A role’s password never expires',
    severity: 'low',
    why: 'A password that was leaked or left with somebody works until somebody thinks of changing it.',
    fix: {
      advice:
        "Give it a date, and a reminder to change the password before: `alter role name valid until '2027-06-30';`. Roles that log in by certificate, peer, LDAP or Kerberos need no password at all: `alter role name password null;`.",
    },
    references: [docs('sql-alterrole.html')],
    safeguards: [lowers(safeguards.passwordManagement, 'Nothing makes anyone change this password.')],
  },
  noLimit: {
    id: 'postgres.role_without_connection_limit',
    title: 'A role may open any number of connections',
    severity: 'low',
    why: 'One client gone wild, or a stranger with its password, can use up all connections and shut the others out.',
    fix: {
      advice:
        'Set somewhat more than its pools need together: `alter role name connection limit 40;`. Superusers are exempt from limits; for all the rest max_connections is shared.',
    },
    references: [docs('sql-alterrole.html')],
    safeguards: [],
  },
  serverFiles: {
    id: 'postgres.server_files_member',
    title: 'A role without superuser may use the server’s files or programs',
    severity: 'high',
    why: 'Members of pg_execute_server_program, pg_write_server_files and pg_read_server_files can read or take over everything the server’s system user can.',
    fix: {
      advice:
        'Revoke it: `revoke pg_execute_server_program from name;` (likewise pg_read_server_files, pg_write_server_files). Load and unload data from the client instead, with `\\copy` in psql or COPY … FROM STDIN.',
    },
    references: [docs('predefined-roles.html'), docs('sql-copy.html')],
    safeguards: [
      excess,
      lowers(
        safeguards.accessControl,
        'The role can read or write files of the server, past every access check of the database.',
      ),
    ],
  },
} as const satisfies Record<string, Check>;
