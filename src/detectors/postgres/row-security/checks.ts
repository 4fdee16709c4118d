import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

const rows = lowers(
  safeguards.accessControl,
  'People and programs can reach rows that they were not granted access to.',
);

const rls = 'https://www.postgresql.org/docs/current/ddl-rowsecurity.html';
const supabase = 'https://supabase.com/docs/guides/database/postgres/row-level-security';
const policies = 'https://www.postgresql.org/docs/current/sql-createpolicy.html';

export const rowSecurityChecks = {
  disabled: {
    id: 'postgres.rls_disabled',
    title: 'A table that an API serves has no row security',
    severity: 'high',
    why: 'The API hands every user, often anybody at all, every row of the table that its roles were granted.',
    fix: {
      advice:
        'Turn it on and say who may see what: `alter table public.visits enable row level security; create policy own_rows on public.visits for all to authenticated using (user_id = (select auth.uid()));`. For a table that everybody may read say so: `create policy readable on public.countries for select using (true);`. What the API need not see belongs into a schema that it does not serve, or without grants: `revoke all on public.visits from anon, authenticated;`.',
    },
    references: [rls, supabase, 'https://docs.postgrest.org/en/stable/explanations/db_authz.html'],
    safeguards: [rows],
  },
  inactive: {
    id: 'postgres.rls_policies_inactive',
    title: 'A table has policies, but row security is off',
    severity: 'high',
    why: 'Somebody meant to protect the rows, and believes that they are: without the switch the policies do nothing.',
    fix: {
      advice:
        '`alter table schema_name.table_name enable row level security;` after a look at whether the policies permit what the application needs; `force row level security` besides, if the application logs in as the owner. Policies that nobody needs: `drop policy name on schema_name.table_name;`.',
    },
    references: [rls, 'https://www.postgresql.org/docs/current/sql-altertable.html'],
    safeguards: [rows],
  },
  withoutPolicy: {
    id: 'postgres.rls_without_policy',
    title: 'A table has row security and no policy',
    severity: 'info',
    why: 'Nobody but its owner and roles that bypass row security sees a row: that is safe, and sometimes not what was meant.',
    fix: {
      advice:
        'If others should see rows, add a policy: `create policy own_rows on public.visits for select to authenticated using (user_id = (select auth.uid()));`. If nobody should, leave it as it is.',
    },
    references: [rls, policies],
    safeguards: [],
  },
  alwaysTrue: {
    id: 'postgres.rls_policy_always_true',
    title: 'A policy lets everybody write any row',
    severity: 'medium',
    why: 'Its condition holds for every row, so that for these commands row security is on in name only.',
    fix: {
      advice:
        'Say whose rows they are: `alter policy name on public.visits using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));`. If one role only needs all rows, name it: `alter policy name on public.visits to service_role;`.',
    },
    references: [policies, supabase],
    safeguards: [rows],
  },
  userMetadata: {
    id: 'postgres.rls_policy_user_metadata',
    title: 'A policy trusts what users may edit themselves',
    severity: 'high',
    why: 'user_metadata in a token of Supabase is written by its user: who sets a role or an organization there passes the policy.',
    fix: {
      advice:
        "Use what the server alone writes: `(auth.jwt() -> 'app_metadata' ->> 'role') = 'admin'`, or look the right up in a table of your own: `exists (select from public.members m where m.user_id = (select auth.uid()) and m.role = 'admin')`. Move the values with the service_role key: `auth.admin.updateUserById(id, { app_metadata })`.",
    },
    references: [supabase, 'https://supabase.com/docs/guides/auth/users'],
    safeguards: [rows],
  },
  ownersView: {
    id: 'postgres.view_bypasses_rls',
    title: 'A view that an API serves passes row security by',
    severity: 'high',
    why: 'The view reads its tables with the rights of its owner, for whom their policies do not hold, and shows the rows to all who may read it.',
    fix: {
      advice:
        'Let it ask with its caller’s rights (version 15 or newer): `alter view public.visit_list set (security_invoker = true);`, and grant the callers what it reads. Materialized views cannot: move them to a schema that the API does not serve, or revoke: `revoke all on public.visit_list from anon, authenticated;`.',
    },
    references: [
      'https://www.postgresql.org/docs/current/sql-createview.html',
      'https://www.postgresql.org/docs/current/rules-privileges.html',
    ],
    safeguards: [rows],
  },
  authExposed: {
    id: 'postgres.auth_tables_exposed',
    title: 'Tables of log-ins can be read by users',
    severity: 'critical',
    why: 'The tables of an authentication schema hold addresses, password hashes and tokens of all users: with them anybody can become anybody.',
    fix: {
      advice:
        'Take the grant or the view away: `revoke select on auth.users from anon, authenticated, public;`, `drop view public.users;`. Keep what others should see in a table of its own (`public.profiles`) with row security, filled by a trigger on auth.users. If hashes or tokens could be read, end all sessions and have passwords changed.',
    },
    references: ['https://supabase.com/docs/guides/auth/managing-user-data', rls],
    safeguards: [rows, lowers(safeguards.usesAndDisclosures, 'Users can read who else has an account.')],
  },
  sensitiveColumn: {
    id: 'postgres.sensitive_column_exposed',
    title: 'A column with health or identity data is open to everybody',
    severity: 'high',
    why: 'By its name the column holds what must stay between few people, and PUBLIC or the anonymous role of the API may read it in every row.',
    fix: {
      advice:
        'Revoke it: `revoke select on schema_name.table_name from public, anon;`, and grant it to the roles that need it, or turn on row security with a policy for each user. Where only this column is the matter, grant the others by name: `grant select (id, name) on schema_name.table_name to anon;`.',
    },
    references: [rls, 'https://www.postgresql.org/docs/current/sql-grant.html'],
    safeguards: [
      rows,
      lowers(
        safeguards.usesAndDisclosures,
        'Health or identity data is open to everyone who can use the API.',
      ),
    ],
  },
} as const satisfies Record<string, Check>;
