import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';
import { docs, sql } from '../fix.ts';

const control = (reason: string) => lowers(safeguards.accessControl, reason);
const unasked = lowers(
  safeguards.accessAuthorization,
  'Roles have this privilege without having been granted it by name.',
);
const excess = lowers(
  safeguards.accessModification,
  'The role has more privileges than such a role usually needs, which an access review would correct.',
);
const predefined = docs('predefined-roles.html');

export const privilegesChecks = {
  superuserMember: {
    id: 'postgres.superuser_member',
    title: 'A role can become a superuser',
    severity: 'high',
    why: 'Members of a superuser role use its privileges, or switch to it with `SET ROLE`: their passwords are worth as much as the superuser’s.',
    fix: {
      advice:
        'Revoke the membership and grant what the role needs by itself. Since version 16, a grant with `ADMIN`, `INHERIT` or `SET` is enough to use it.',
      steps: [sql('REVOKE postgres FROM app;', { replace: { postgres: 'the superuser', app: 'the role' } })],
    },
    references: [docs('role-membership.html'), docs('sql-grant.html')],
    safeguards: [excess, control('The role can act as a superuser, who bypasses every access check.')],
  },
  predefinedMember: {
    id: 'postgres.predefined_role_member',
    title: 'A role is a member of a powerful predefined role',
    severity: 'medium',
    why: 'Predefined roles apply to every database and every table, including those created later, and are easily forgotten in reviews of grants.',
    fix: {
      advice:
        'Revoke the membership, and grant privileges on the schemas and tables that the role uses. Monitoring and backup roles often need it: if so, allow them only from their own machine and accept this finding.',
      steps: [
        sql('REVOKE pg_write_all_data FROM app;', {
          replace: { pg_write_all_data: 'the predefined role', app: 'the role' },
        }),
      ],
    },
    references: [predefined],
    safeguards: [excess],
  },
  privilegedFunction: {
    id: 'postgres.privileged_function',
    title: 'A role can call functions reserved for superusers',
    severity: 'high',
    why: 'These functions read and write files as the server’s operating-system user, open connections, or operate the server. By default only superusers may call them.',
    fix: {
      advice:
        'Revoke EXECUTE in each database where it was granted. Load and export files from the client instead. For monitoring, grant `pg_monitor`.',
      steps: [
        sql('REVOKE EXECUTE ON FUNCTION pg_read_file(text) FROM PUBLIC, app;', {
          replace: {
            'pg_read_file(text)': 'the function with its argument types, for each of its forms',
            app: 'the role',
          },
        }),
      ],
    },
    references: [docs('functions-admin.html'), docs('lo-funcs.html')],
    safeguards: [
      excess,
      control('The role can reach files or other servers, bypassing the database’s access checks.'),
    ],
  },
  parameter: {
    id: 'postgres.parameter_privilege',
    title: 'A role can change settings reserved for superusers',
    severity: 'medium',
    why: 'Settings such as archive_command and session_preload_libraries run programs or load code as the server’s operating-system user. Others turn off logging and checks.',
    fix: {
      advice: 'Revoke the privilege, and set the value for the role as a superuser: `ALTER ROLE app SET …`.',
      steps: [
        sql('REVOKE SET, ALTER SYSTEM ON PARAMETER archive_command FROM PUBLIC, app;', {
          version: '15 or newer',
          replace: { archive_command: 'the setting', app: 'the role' },
        }),
      ],
    },
    references: [docs('sql-grant.html'), docs('ddl-priv.html')],
    safeguards: [excess, control('The role can change how the server itself behaves.')],
  },
  apiCreate: {
    id: 'postgres.api_role_create',
    title: 'An API role can create objects',
    severity: 'high',
    why: 'An attacker who gets SQL to run as this role, through a function or an injection, can add functions and tables that the API then serves or other roles call.',
    fix: {
      advice: 'Revoke CREATE from the API’s roles, and deploy with a role that the API cannot switch to.',
      steps: [
        sql('REVOKE CREATE ON SCHEMA public FROM anon, authenticated;', {
          replace: { public: 'the schema', 'anon, authenticated': 'the roles' },
        }),
      ],
    },
    references: [docs('ddl-priv.html'), docs('ddl-schemas.html#DDL-SCHEMAS-PATTERNS')],
    safeguards: [excess, control('Users of the API can create objects that other roles then use.')],
  },
  databaseCreate: {
    id: 'postgres.public_database_create',
    title: 'Every role can create schemas in the database',
    severity: 'medium',
    why: 'Any role that can connect can create a schema and fill it with functions and tables that others use by mistake.',
    fix: {
      advice: 'Revoke CREATE on the database from PUBLIC and grant it to the role that deploys.',
      steps: [sql('REVOKE CREATE ON DATABASE clinic FROM PUBLIC;', { replace: { clinic: 'the database' } })],
    },
    references: [docs('ddl-priv.html')],
    safeguards: [unasked],
  },
  databaseTemporary: {
    id: 'postgres.public_temporary_tables',
    title: 'Every role can create temporary tables',
    severity: 'info',
    why: 'PUBLIC has TEMPORARY on every new database. Even read-only roles can then use disk space, and shadow tables in functions without a fixed search path.',
    fix: {
      advice:
        'Revoke TEMPORARY from PUBLIC and grant it to the roles that use temporary tables. Otherwise, accept this finding.',
      steps: [
        sql('REVOKE TEMPORARY ON DATABASE clinic FROM PUBLIC;', { replace: { clinic: 'the database' } }),
      ],
    },
    references: [docs('ddl-priv.html')],
    safeguards: [],
  },
  defaultPrivileges: {
    id: 'postgres.default_privileges_open',
    title: 'New objects are open by default',
    severity: 'medium',
    why: 'Each object that the role creates is accessible to PUBLIC or an API role from its first moment, also one that should have stayed internal.',
    fix: {
      advice:
        'Revoke the default privileges, then check what existing objects have: changing a default does not change them. Grant access with each new table instead.',
      steps: [
        sql(
          'ALTER DEFAULT PRIVILEGES FOR ROLE app IN SCHEMA public\n  REVOKE ALL ON TABLES FROM PUBLIC, anon;',
          {
            replace: {
              app: 'the role that creates objects',
              'IN SCHEMA public': 'the schema, or nothing for all schemas',
              TABLES: 'the kind of object',
              anon: 'the API role',
            },
          },
        ),
      ],
    },
    references: [docs('sql-alterdefaultprivileges.html')],
    safeguards: [unasked, control('Objects are open before anyone decides who should have access.')],
  },
  eventTrigger: {
    id: 'postgres.event_trigger_owner',
    title: 'An event trigger calls a function of an ordinary role',
    severity: 'high',
    why: 'The function runs with the rights of the role that changes the schema, superusers included: its owner can replace the code and take over the server.',
    fix: {
      advice: 'Review the function’s code, then give it to a superuser.',
      steps: [
        sql('ALTER FUNCTION public.on_ddl() OWNER TO postgres;', {
          replace: { 'public.on_ddl()': 'the function', postgres: 'a superuser' },
        }),
      ],
    },
    references: [docs('event-trigger-definition.html'), docs('sql-createeventtrigger.html')],
    safeguards: [control('The function’s owner can run code with the rights of a superuser.')],
  },
  publication: {
    id: 'postgres.publication_all_tables',
    title: 'A publication contains every table',
    severity: 'low',
    why: 'Subscribers receive all rows of all tables, also of those created later, regardless of grants and row security.',
    fix: {
      advice:
        'Publish the tables that the subscriber needs. If it is a full copy, such as for a migration, accept this finding until it ends.',
      steps: [
        sql(
          'BEGIN;\nDROP PUBLICATION everything;\nCREATE PUBLICATION everything FOR TABLE public.visits;\nCOMMIT;',
          { replace: { everything: 'the publication', 'public.visits': 'the tables' } },
        ),
      ],
    },
    references: [docs('logical-replication-publication.html')],
    safeguards: [control('Subscribers receive every table, regardless of grants and policies.')],
  },
  largeObjects: {
    id: 'postgres.large_objects_public',
    title: 'Large objects are open to PUBLIC or an API role',
    severity: 'medium',
    why: 'Large objects have no row security and no schema: every role that can connect can read or change them by number.',
    fix: {
      advice:
        'Revoke the privileges from each large object and grant them to the role that uses it. Store files that users upload in a table or outside the database instead.',
      steps: [
        sql(
          "SELECT format('REVOKE ALL ON LARGE OBJECT %s FROM PUBLIC, anon', oid) FROM pg_largeobject_metadata\n\\gexec",
          { replace: { anon: 'the API role' } },
        ),
      ],
    },
    references: [docs('lo-intro.html'), docs('sql-grant.html')],
    safeguards: [unasked, control('Every role can read or change the objects’ content.')],
  },
  otherDatabases: {
    id: 'postgres.other_databases',
    title: 'Other databases of the server were not scanned',
    severity: 'info',
    why: 'A connection reads one database. Schemas, tables, functions and extensions of the others are assessed only by sources of their own.',
    fix: {
      advice:
        'Add a source for each database with data that matters, with a DSN that names it. Accept this finding if the others need no scan.',
    },
    references: [docs('manage-ag-overview.html')],
    safeguards: [],
  },
} as const satisfies Record<string, Check>;
