import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';
import { docs, sql } from '../fix.ts';

const rows = lowers(
  safeguards.accessControl,
  'People and programs can access rows that they were not granted.',
);

const rls = docs('ddl-rowsecurity.html');
const supabase = 'https://supabase.com/docs/guides/database/postgres/row-level-security';
const policies = docs('sql-createpolicy.html');

const table = { 'public.visits': 'the table' };
const owner = { ...table, user_id: 'the column with the row’s owner' };
const ownRows = (command: string) =>
  `CREATE POLICY own_rows ON public.visits FOR ${command} TO authenticated\n  USING (user_id = (SELECT auth.uid()));`;

export const rowSecurityChecks = {
  disabled: {
    id: 'postgres.rls_disabled',
    title: 'A table served by an API has no row security',
    severity: 'high',
    why: 'The API gives every user, often anonymous ones, every row of the table that its roles can read.',
    fix: {
      advice:
        'Enable row security and add a policy for the rows each user may see. If everyone may read the table, say so with `USING (true)`. Move tables that the API does not need to a schema that it does not serve, or revoke them: `REVOKE ALL ON public.visits FROM anon, authenticated;`.',
      steps: [
        sql(`ALTER TABLE public.visits ENABLE ROW LEVEL SECURITY;\n${ownRows('ALL')}`, { replace: owner }),
      ],
    },
    references: [rls, supabase, 'https://docs.postgrest.org/en/stable/explanations/db_authz.html'],
    safeguards: [rows],
  },
  inactive: {
    id: 'postgres.rls_policies_inactive',
    title: 'A table has policies, but row security is off',
    severity: 'high',
    why: 'The policies were meant to protect the rows, but have no effect until row security is enabled.',
    fix: {
      advice:
        'Check that the policies allow what the application needs, then enable row security. If the application signs in as the table’s owner, add `FORCE ROW LEVEL SECURITY`. Drop unused policies.',
      steps: [sql('ALTER TABLE public.visits ENABLE ROW LEVEL SECURITY;', { replace: table })],
    },
    references: [rls, docs('sql-altertable.html')],
    safeguards: [rows],
  },
  withoutPolicy: {
    id: 'postgres.rls_without_policy',
    title: 'A table has row security but no policy',
    severity: 'info',
    why: 'Only its owner and roles that bypass row security see any row. That is safe, but sometimes unintended.',
    fix: {
      advice: 'If others should see rows, add a policy. Otherwise, accept this finding.',
      steps: [sql(ownRows('SELECT'), { replace: owner })],
    },
    references: [rls, policies],
    safeguards: [],
  },
  alwaysTrue: {
    id: 'postgres.rls_policy_always_true',
    title: 'A policy lets everyone write any row',
    severity: 'medium',
    why: 'Its condition is true for every row, so row security does not restrict these commands.',
    fix: {
      advice:
        'Limit the policy to the rows of their owner. If only one role needs all rows, name it: `ALTER POLICY own_rows ON public.visits TO service_role;`.',
      steps: [
        sql(
          'ALTER POLICY own_rows ON public.visits\n  USING (user_id = (SELECT auth.uid()))\n  WITH CHECK (user_id = (SELECT auth.uid()));',
          { replace: { own_rows: 'the policy', ...owner } },
        ),
      ],
    },
    references: [policies, supabase],
    safeguards: [rows],
  },
  userMetadata: {
    id: 'postgres.rls_policy_user_metadata',
    title: 'A policy trusts data that users can edit',
    severity: 'high',
    why: 'Users write their own user_metadata in Supabase: anyone who sets a role or an organization there passes the policy.',
    fix: {
      advice:
        'Use app_metadata, which only the server writes, or read the permission from your own table. Move the values with the service_role key: `auth.admin.updateUserById(id, { app_metadata })`.',
      steps: [
        sql(
          "ALTER POLICY admins ON public.visits\n  USING ((auth.jwt() -> 'app_metadata' ->> 'role') = 'admin');",
          { replace: { admins: 'the policy', ...table, "'role'": 'the value that it reads' } },
        ),
      ],
    },
    references: [supabase, 'https://supabase.com/docs/guides/auth/users'],
    safeguards: [rows],
  },
  ownersView: {
    id: 'postgres.view_bypasses_rls',
    title: 'A view served by an API bypasses row security',
    severity: 'high',
    why: 'The view reads its tables with its owner’s rights and ignores their policies, so everyone who can read the view sees all rows.',
    fix: {
      advice:
        'Make the view run with its caller’s rights and grant callers what it reads. Materialized views cannot: move them to a schema that the API does not serve, or revoke them from its roles.',
      steps: [
        sql('ALTER VIEW public.visit_list SET (security_invoker = true);', {
          version: '15 or newer',
          replace: { 'public.visit_list': 'the view' },
        }),
        sql('REVOKE ALL ON public.visit_list FROM PUBLIC, anon, authenticated;', {
          version: '14, or a materialized view',
          replace: { 'public.visit_list': 'the view' },
        }),
      ],
    },
    references: [docs('sql-createview.html'), docs('rules-privileges.html')],
    safeguards: [rows],
  },
  authExposed: {
    id: 'postgres.auth_tables_exposed',
    title: 'Users can read authentication tables',
    severity: 'critical',
    why: 'The tables of an authentication schema contain every user’s address, password hash and tokens: with these, an attacker can take over any account.',
    fix: {
      advice:
        'Revoke the grant or drop the view. Keep what others may see in a separate table, such as `public.profiles`, with row security and a trigger on auth.users that fills it. If hashes or tokens were readable, end all sessions and have passwords changed.',
      steps: [
        sql('REVOKE ALL ON public.people FROM PUBLIC, anon, authenticated;', {
          replace: { 'public.people': 'the view, or the table, such as `auth.users`' },
        }),
      ],
    },
    references: ['https://supabase.com/docs/guides/auth/managing-user-data', rls],
    safeguards: [rows, lowers(safeguards.usesAndDisclosures, 'Users can see who else has an account.')],
  },
  sensitiveColumn: {
    id: 'postgres.sensitive_column_exposed',
    title: 'A column with health or identity data is public',
    severity: 'high',
    why: 'Its name suggests confidential data, and PUBLIC or the API’s anonymous role can read it in every row.',
    fix: {
      advice:
        'Revoke access and grant it to the roles that need it, or enable row security with a policy for each user. If only this column is confidential, grant the others by name: `GRANT SELECT (id, name) ON public.visits TO anon;`.',
      steps: [
        sql('REVOKE SELECT ON public.visits FROM PUBLIC, anon;\nGRANT SELECT ON public.visits TO app;', {
          replace: { ...table, app: 'the role that needs it' },
        }),
      ],
    },
    references: [rls, docs('sql-grant.html')],
    safeguards: [
      rows,
      lowers(safeguards.usesAndDisclosures, 'Everyone who can use the API can read health or identity data.'),
    ],
  },
} as const satisfies Record<string, Check>;
