import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';
import { docs, sql } from '../fix.ts';

const rows = lowers(
  safeguards.accessControl,
  'People and programs can access rows that they were not granted.',
);
const advisor = (id: string) => `https://supabase.com/docs/guides/database/database-advisors?lint=${id}`;
const revoke = (relation: string, what: string) =>
  sql(`REVOKE ALL ON public.${relation} FROM PUBLIC, anon, authenticated;`, {
    replace: { [`public.${relation}`]: what },
  });

export const apiChecks = {
  ownersView: {
    id: 'postgres.view_runs_as_owner',
    title: 'A view served by an API runs with its owner’s rights',
    severity: 'low',
    why: 'The view reads its tables as its owner: grants on these tables, and row security that is enabled later, do not limit who sees their rows.',
    fix: {
      advice:
        'Make the view run with its caller’s rights and grant callers what it reads. If the view is the API on purpose, and its tables are in a schema that is not served, accept this finding.',
      steps: [
        sql('ALTER VIEW public.visit_list SET (security_invoker = true);', {
          version: '15 or newer',
          replace: { 'public.visit_list': 'the view' },
        }),
      ],
    },
    references: [docs('sql-createview.html'), advisor('0010_security_definer_view')],
    safeguards: [rows],
  },
  materializedView: {
    id: 'postgres.materialized_view_exposed',
    title: 'An API serves a materialized view',
    severity: 'medium',
    why: 'Materialized views have no row security: every user of the API sees all rows.',
    fix: {
      advice:
        'Revoke access, and serve a view or a function that returns the rows each user may see. If all rows are public, accept this finding.',
      steps: [revoke('visit_totals', 'the materialized view')],
    },
    references: [docs('rules-materializedviews.html'), advisor('0016_materialized_view_in_api')],
    safeguards: [rows],
  },
  foreignTable: {
    id: 'postgres.foreign_table_exposed',
    title: 'An API serves a foreign table',
    severity: 'medium',
    why: 'Foreign tables have no row security: every user of the API can use the other server with the stored credentials.',
    fix: {
      advice:
        'Revoke access, move the table to a schema that is not served, and serve a function that returns the rows each user may see.',
      steps: [revoke('remote_visits', 'the foreign table')],
    },
    references: [docs('ddl-foreign-data.html'), advisor('0017_foreign_table_in_api')],
    safeguards: [rows],
  },
  queue: {
    id: 'postgres.queue_exposed',
    title: 'An API serves a message queue without row security',
    severity: 'high',
    why: 'Users of the API can read, change and delete messages of the queue, and send their own.',
    fix: {
      advice:
        'Enable row security on the queue’s table and add policies, or remove `pgmq_public` from the schemas that the API serves.',
      steps: [
        sql(
          'ALTER TABLE pgmq.q_letters ENABLE ROW LEVEL SECURITY;\nCREATE POLICY servers ON pgmq.q_letters TO service_role USING (true);',
          { replace: { 'pgmq.q_letters': 'the queue’s table', service_role: 'the role that may use it' } },
        ),
      ],
    },
    references: [advisor('0019_insecure_queue_exposed_in_api')],
    safeguards: [rows],
  },
  storageListing: {
    id: 'postgres.storage_listing_open',
    title: 'A policy lets everyone list files in storage',
    severity: 'medium',
    why: 'The policy on storage.objects allows reading every row of a bucket, so that anyone can list its files, even those whose names are meant to be unguessable. Public buckets serve files without a policy.',
    fix: {
      advice:
        'Drop the policy if the bucket is public: links continue to work. Otherwise limit it to files of the user.',
      steps: [sql('DROP POLICY listing ON storage.objects;', { replace: { listing: 'the policy' } })],
    },
    references: [
      advisor('0025_public_bucket_allows_listing'),
      'https://supabase.com/docs/guides/storage/security/access-control',
    ],
    safeguards: [
      lowers(safeguards.accessControl, 'People can list files without having been granted access to them.'),
    ],
  },
  graphql: {
    id: 'postgres.graphql_exposes_tables',
    title: 'GraphQL shows an API role the names of tables and columns',
    severity: 'low',
    why: 'pg_graphql describes every table that the role may select from, with its columns, even if row security hides all rows.',
    fix: {
      advice:
        'Drop the extension if nothing uses GraphQL. Otherwise revoke SELECT on what the role does not need.',
      steps: [sql('DROP EXTENSION pg_graphql;')],
    },
    references: [
      'https://supabase.github.io/pg_graphql/security/',
      advisor('0026_pg_graphql_anon_table_exposed'),
    ],
    safeguards: [],
  },
  definerFunction: {
    id: 'postgres.security_definer_api',
    title: 'API users can call a SECURITY DEFINER function',
    severity: 'medium',
    why: 'The API serves the function, which runs with its owner’s rights and ignores the policies that apply to its caller.',
    fix: {
      advice:
        'Revoke EXECUTE, make the function SECURITY INVOKER, or move it to a schema that is not served. If the API needs it, check that it verifies the caller and accept this finding.',
      steps: [
        sql('REVOKE EXECUTE ON FUNCTION public.close_visit(integer) FROM anon, authenticated;', {
          replace: { 'public.close_visit(integer)': 'the function with its argument types' },
        }),
      ],
    },
    references: [
      docs('sql-createfunction.html#SQL-CREATEFUNCTION-SECURITY'),
      advisor('0028_anon_security_definer_function_executable'),
    ],
    safeguards: [
      lowers(safeguards.accessControl, 'Users of the API can act with the rights of the function’s owner.'),
    ],
  },
  searchPath: {
    id: 'postgres.function_search_path_unset',
    title: 'A function uses its caller’s search_path',
    severity: 'info',
    why: 'The function may use other tables or functions than meant, depending on who calls it. It has its caller’s rights only, but a privileged caller can be misled.',
    fix: {
      advice: 'Set the search path on the function, with `pg_temp` last or empty.',
      steps: [
        sql('ALTER FUNCTION public.close_visit(integer)\n  SET search_path = pg_catalog, public, pg_temp;', {
          replace: {
            'public.close_visit(integer)': 'the function with its argument types',
            public: 'the schema of the tables it uses',
          },
        }),
      ],
    },
    references: [docs('sql-createfunction.html'), advisor('0011_function_search_path_mutable')],
    safeguards: [],
  },
  extensionServed: {
    id: 'postgres.extension_in_public',
    title: 'An extension is in a schema served by an API',
    severity: 'low',
    why: 'The API serves the extension’s functions to its users, and names of its objects can collide with yours.',
    fix: {
      advice:
        'Move the extension to a separate schema. Some, such as PostGIS, must be created there again instead.',
      steps: [
        sql('CREATE SCHEMA IF NOT EXISTS extensions;\nALTER EXTENSION citext SET SCHEMA extensions;', {
          replace: { citext: 'the extension' },
        }),
      ],
    },
    references: [docs('sql-alterextension.html'), advisor('0014_extension_in_public')],
    safeguards: [],
  },
  ownerExempt: {
    id: 'postgres.rls_owner_exempt',
    title: 'Row security does not apply to a table’s owner, who can log in',
    severity: 'low',
    why: 'Policies do not restrict the owner of a table: if the application connects as this role, row security has no effect.',
    fix: {
      advice:
        'Connect the application with a role that owns nothing, or apply the policies to the owner too. Owners who only run migrations then need a separate policy.',
      steps: [
        sql('ALTER TABLE public.visits FORCE ROW LEVEL SECURITY;', {
          replace: { 'public.visits': 'the table' },
        }),
      ],
    },
    references: [docs('ddl-rowsecurity.html')],
    safeguards: [rows],
  },
  authKey: {
    id: 'postgres.foreign_key_to_auth',
    title: 'A foreign key blocks upgrades of the authentication service',
    severity: 'low',
    why: 'The key refers to a unique constraint that belongs to the service. While it exists, updates that remove the constraint, with their security fixes, fail.',
    fix: {
      advice: 'Drop the key, and refer to the primary key of the table instead.',
      steps: [
        sql('ALTER TABLE public.members DROP CONSTRAINT members_email_fkey;', {
          replace: { 'public.members': 'the table', members_email_fkey: 'the constraint' },
        }),
      ],
    },
    references: [advisor('0021_fkey_to_auth_unique')],
    safeguards: [],
  },
  regType: {
    id: 'postgres.reg_type_column',
    title: 'A column’s type blocks upgrades',
    severity: 'info',
    why: 'The type refers to an object by a number that changes in an upgrade: pg_upgrade stops at the column, and the server stays on its old version.',
    fix: {
      advice: 'Store the name as text.',
      steps: [
        sql('ALTER TABLE public.rules ALTER COLUMN handler TYPE text USING handler::text;', {
          replace: { 'public.rules': 'the table', handler: 'the column' },
        }),
      ],
    },
    references: [docs('pgupgrade.html'), advisor('0018_unsupported_reg_types')],
    safeguards: [],
  },
} as const satisfies Record<string, Check>;
