import { type PostgresCaseOptions, postgresCase } from '../../postgres-case.ts';

const supabaseRoles = `create role anon nologin; create role authenticated nologin; create role service_role nologin bypassrls;
  create role authenticator login noinherit password 'long-enough-1' connection limit 90 valid until '2099-01-01';
  grant anon, authenticated, service_role to authenticator;`;
const schemas = `create schema auth; create schema extensions; create schema storage;
  grant usage on schema public, storage, auth to anon, authenticated;
  create function auth.uid() returns uuid language sql stable set search_path = '' as 'select null::uuid';
  create table auth.users (id uuid primary key, email text unique);
  create table storage.objects (id int, bucket_id text, owner uuid); alter table storage.objects enable row level security;`;

/** A database like Supabase's, which serves its schema public. */
const supabase = (options: PostgresCaseOptions) =>
  postgresCase({
    ...options,
    superuser: 'supabase_admin',
    roles: `${supabaseRoles} ${options.roles ?? ''}`,
    sql: `${schemas} ${options.sql ?? ''}`,
    ...(options.sql === undefined ? {} : { material: options.sql }),
  });
const own = `create table public.notes (id int, owner uuid); alter table public.notes enable row level security;
  grant select, insert, update, delete on public.notes to anon, authenticated;
  create policy own on public.notes to authenticated using (owner = auth.uid()) with check (owner = auth.uid());`;

/** What APIs serve: the cases of Supabase's public advisor, and PostgREST's own ways to configure it. */
export const servedCases = [
  supabase({ name: 'Supabase, as it should be', sql: own, flaws: [] }),
  supabase({
    name: 'a table without row security',
    sql: 'create table public.notes (id int); grant all on public.notes to anon, authenticated',
    flaws: ['postgres.rls_disabled table public.notes'],
  }),
  supabase({
    name: 'policies, but row security is off',
    sql: 'create table public.notes (id int); create policy p on public.notes for select using (id > 1)',
    flaws: ['postgres.rls_policies_inactive table public.notes'],
  }),
  supabase({
    name: 'row security without a policy',
    sql: 'create table public.notes (id int); alter table public.notes enable row level security',
    flaws: ['postgres.rls_without_policy table public.notes'],
  }),
  supabase({
    name: 'a policy that lets anyone write',
    sql: `${own} create policy loose on public.notes for update to anon using (true)`,
    flaws: ['postgres.rls_policy_always_true policy loose'],
  }),
  supabase({
    name: 'a policy that trusts user_metadata',
    sql: `${own} create policy admins on public.notes for select to authenticated
      using ((current_setting('request.jwt.claims')::json -> 'user_metadata' ->> 'role') = 'admin')`,
    flaws: ['postgres.rls_policy_user_metadata policy admins'],
  }),
  supabase({
    name: 'users through a view',
    sql: 'create view public.people as select id, email from auth.users; grant select on public.people to anon',
    flaws: ['postgres.auth_tables_exposed view public.people'],
  }),
  supabase({
    name: 'a view that bypasses row security',
    sql: `${own} create view public.all_notes as select id from public.notes; grant select on public.all_notes to anon`,
    flaws: ['postgres.view_bypasses_rls view public.all_notes'],
  }),
  supabase({
    name: 'a view with its owner’s rights',
    sql: 'create view public.one as select 1 as n; grant select on public.one to anon, authenticated',
    flaws: ['postgres.view_runs_as_owner view public.one'],
  }),
  supabase({
    name: 'a view with its caller’s rights',
    sql: `${own} create view public.mine with (security_invoker = on) as select id from public.notes;
      grant select on public.mine to authenticated`,
    flaws: [],
  }),
  supabase({
    name: 'a materialized view',
    sql: 'create materialized view public.totals as select 1 as n; grant select on public.totals to anon',
    flaws: ['postgres.materialized_view_exposed public.totals'],
  }),
  supabase({
    name: 'a foreign table',
    sql: `create extension postgres_fdw schema extensions; create server remote foreign data wrapper postgres_fdw;
      create foreign table public.fdw (id int) server remote; grant select on public.fdw to anon`,
    flaws: ['postgres.foreign_table_exposed public.fdw'],
  }),
  supabase({
    name: 'a function with a mutable search path',
    sql: "create function public.f() returns int language sql as 'select 1'",
    flaws: ['postgres.function_search_path_unset public.f()'],
  }),
  supabase({
    name: 'an extension in public',
    sql: 'create extension citext schema public',
    flaws: ['postgres.extension_in_public extension citext'],
  }),
  supabase({
    name: 'a column that blocks upgrades',
    sql: 'create table public.t (c regcollation)',
    flaws: ['postgres.reg_type_column public.t.c'],
  }),
  supabase({
    name: 'columns with types that upgrade',
    sql: 'create table public.t (c regclass, r regrole, t regtype)',
    flaws: [],
  }),
  supabase({
    name: 'a queue that is served',
    roles: "alter role authenticator set pgrst.db_schemas = 'public, pgmq_public';",
    sql: `create schema pgmq; create schema pgmq_public; create table pgmq.q_foo (id int);
      grant usage on schema pgmq to anon; grant select, insert on pgmq.q_foo to anon`,
    flaws: ['postgres.queue_exposed pgmq.q_foo'],
  }),
  supabase({
    name: 'a queue that is not served',
    sql: `create schema pgmq; create table pgmq.q_foo (id int); grant usage on schema pgmq to anon;
      grant select on pgmq.q_foo to anon`,
    flaws: [],
  }),
  supabase({
    name: 'a key to a unique constraint of auth',
    sql: 'create table public.members (email text references auth.users (email))',
    flaws: ['postgres.foreign_key_to_auth members_email_fkey'],
  }),
  supabase({
    name: 'a key to the primary key of auth',
    sql: 'create table public.members (id uuid references auth.users (id))',
    flaws: [],
  }),
  supabase({
    name: 'a bucket that lists its files',
    sql: "create policy listing on storage.objects for select using (bucket_id = 'avatars')",
    flaws: ['postgres.storage_listing_open policy listing'],
  }),
  supabase({
    name: 'files of their owners',
    sql: `create policy mine on storage.objects for select to authenticated
      using (bucket_id = 'avatars' and owner = auth.uid())`,
    flaws: [],
  }),
  supabase({
    name: 'a definer function for anonymous users',
    sql: `create function public.wipe() returns int language sql security definer set search_path = '' as 'select 1';
      revoke execute on function public.wipe() from public; grant execute on function public.wipe() to anon`,
    flaws: ['postgres.security_definer_api public.wipe()'],
  }),
  supabase({
    name: 'a definer function for signed-in users',
    sql: `create function public.act() returns int language sql security definer set search_path = '' as 'select 1';
      revoke execute on function public.act() from public; grant execute on function public.act() to authenticated`,
    flaws: ['postgres.security_definer_api public.act()'],
  }),
  supabase({
    name: 'a definer function for everyone, without a search path',
    sql: "create function public.wipe_all() returns int language sql security definer as 'select 1'",
    flaws: [
      'postgres.security_definer_public public.wipe_all()',
      'postgres.search_path_mutable public.wipe_all()',
    ],
  }),
  supabase({
    name: 'a definer function for servers',
    sql: `create function public.job() returns int language sql security definer set search_path = '' as 'select 1';
      revoke execute on function public.job() from public; grant execute on function public.job() to service_role`,
    flaws: [],
  }),
  supabase({
    name: 'health data for anonymous users',
    sql: 'create table public.patients (id int, ssn text, diagnosis text); grant select on public.patients to anon',
    flaws: [
      'postgres.sensitive_column_exposed ssn',
      'postgres.sensitive_column_exposed diagnosis',
      'postgres.rls_disabled public.patients',
    ],
  }),
  supabase({
    name: 'what Supabase grants by default',
    sql: `alter default privileges in schema public grant all on tables to anon, authenticated, service_role; ${own}`,
    flaws: [],
  }),
  postgresCase({
    name: 'PostgREST with its settings in the database',
    roles: `create role web_anon nologin; create role authenticator login noinherit password 'long-enough-1'
      connection limit 9 valid until '2099-01-01'; grant web_anon to authenticator;
      alter role authenticator set pgrst.db_schemas = 'api'; alter role authenticator set pgrst.db_anon_role = 'web_anon'`,
    sql: `create schema api; create table api.todos (id int); create table public.hidden (id int);
      grant usage on schema api to web_anon; grant select, insert on api.todos to web_anon;
      grant select on public.hidden to web_anon`,
    flaws: ['postgres.rls_disabled table api.todos'],
  }),
  postgresCase({
    name: 'roles of an API that serves another database',
    roles: supabaseRoles,
    sql: 'create table public.notes (id int); grant select on public.notes to anon; create view public.v as select 1 as n',
    flaws: [],
    also: ['postgres.bypassrls_role role service_role'],
  }),
];
