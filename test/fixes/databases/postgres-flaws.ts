/** A flaw in the database `clinic` and the finding that it causes. */
export interface PostgresFlaw {
  readonly locator: string;
  /** Run by a superuser. */
  readonly sql?: string;
  /** Server parameters. */
  readonly settings?: Readonly<Record<string, string>>;
  /** A rule of pg_hba.conf. */
  readonly rule?: string;
  /** The fix adds its rule before the flawed one instead of replacing it. */
  readonly before?: true;
  /** The step also requires a restart. */
  readonly restart?: true;
  /** Replacements for the placeholders in the code. */
  readonly values?: Readonly<Record<string, string>>;
  /** Removes everything that would affect other flaws. */
  readonly after?: string;
}

const scram = "set password_encryption = 'scram-sha-256';";
/** A role without flaws except for this one. */
const role = (name: string, flaw: string) =>
  `${scram} create role ${name} login password 'x' connection limit 1 valid until '2027-01-01';
   alter role ${name} ${flaw};`;
const ofRole = (name: string, flaw: string, locator = `role ${name}`): PostgresFlaw => ({
  locator,
  sql: role(name, flaw),
  values: { app: name },
  after: `drop role ${name};`,
});

const rule = 'host all all 10.1.0.0/16';
const ofRule = (text: string, locator: string): PostgresFlaw => ({ rule: text, locator });

const auth = `create schema auth; grant usage on schema auth to public; create table auth.users (id uuid, email text);
  create function auth.uid() returns uuid language sql stable as 'select null::uuid';
  create function auth.jwt() returns jsonb language sql stable as 'select null::jsonb';
  create role service_role;`;
const dropAuth = 'drop schema auth cascade; drop role service_role;';
const visits = 'create table public.visits (id int, user_id uuid);';
const ofTable = (sql: string, locator = 'table public.visits'): PostgresFlaw => ({
  sql: `${auth} ${visits} ${sql}`,
  locator,
  after: `drop table public.visits cascade; ${dropAuth}`,
});
const setting = (name: string, value: string, more: Partial<PostgresFlaw> = {}): PostgresFlaw => ({
  settings: { [name]: value },
  locator: name,
  ...more,
});
/** The default is the flaw. */
const standard = (locator: string, more: Partial<PostgresFlaw> = {}): PostgresFlaw => ({ locator, ...more });

/** By step; for steps that are not proven, the reason. */
export const postgresFlaws: Readonly<Record<string, PostgresFlaw | { readonly unproven: string }>> = {
  'postgres.minor_behind postgres.shell 15 on Debian and Ubuntu': {
    unproven: 'It requires the package repositories.',
  },
  'postgres.minor_behind postgres.shell 15 on Red Hat and Rocky': {
    unproven: 'It requires another operating system.',
  },

  'postgres.ssl_off postgres.sql': setting('ssl', 'off', {
    values: { '/etc/postgresql/server.crt': '../server.crt', '/etc/postgresql/server.key': '../server.key' },
  }),
  'postgres.tls_minimum_old postgres.sql': setting('ssl_min_protocol_version', 'TLSv1'),
  'postgres.listens_on_all_addresses postgres.sql': setting('listen_addresses', '*', {
    rule: 'hostssl all app 0.0.0.0/0 scram-sha-256',
    restart: true,
    values: { '10.1.2.3': '127.0.0.2' },
  }),
  'postgres.listens_on_all_addresses postgres.hba': setting('listen_addresses', '*', {
    rule: 'hostssl all app 0.0.0.0/0 scram-sha-256',
    restart: true,
  }),
  'postgres.password_encryption_weak postgres.sql': setting('password_encryption', 'md5'),
  'postgres.statement_timeout_off postgres.sql': standard('statement_timeout'),
  'postgres.idle_timeout_off postgres.sql': standard('idle_in_transaction_session_timeout'),
  'postgres.plaintext_session postgres.hba': { unproven: 'It requires a client on another machine.' },

  'postgres.hba_trust postgres.hba': ofRule(`${rule} trust`, 'host all all 10.1.0.0 255.255.0.0 trust'),
  'postgres.hba_password postgres.hba': ofRule(
    `${rule} password`,
    'host all all 10.1.0.0 255.255.0.0 password',
  ),
  'postgres.hba_md5 postgres.hba': ofRule(`${rule} md5`, 'host all all 10.1.0.0 255.255.0.0 md5'),
  'postgres.hba_all_addresses postgres.hba': ofRule(
    'hostssl all app 0.0.0.0/0 scram-sha-256',
    'hostssl all app 0.0.0.0 0.0.0.0 scram-sha-256',
  ),
  'postgres.plaintext_allowed postgres.hba': ofRule(
    'host all app 10.1.0.0/16 scram-sha-256',
    'host all app 10.1.0.0 255.255.0.0 scram-sha-256',
  ),
  'postgres.hba_remote_superuser postgres.hba': {
    ...ofRole('boss', 'superuser'),
    rule: 'hostssl all boss 10.1.0.0/16 scram-sha-256',
    locator: 'hostssl all boss 10.1.0.0 255.255.0.0 scram-sha-256',
    before: true,
    values: { postgres: 'boss' },
  },
  'postgres.md5_password postgres.sql': {
    ...ofRole('aged', 'login'),
    sql: "set password_encryption = 'md5'; create role aged login password 'x' connection limit 1 valid until '2027-01-01';",
  },
  'postgres.public_schema_create postgres.sql': {
    sql: 'grant create on schema public to public;',
    locator: 'schema public',
  },
  'postgres.public_table_write postgres.sql': ofTable('grant insert, update on public.visits to public;'),

  'postgres.extra_superuser postgres.sql': ofRole('boss', 'superuser'),
  'postgres.extra_createrole postgres.sql': ofRole('hirer', 'createrole'),
  'postgres.extra_createdb postgres.sql': ofRole('builder', 'createdb'),
  'postgres.replication_role_mixed postgres.sql': {
    ...ofRole('copier', 'replication'),
    sql: `${role('copier', 'replication')} ${visits} alter table public.visits owner to copier;`,
    after: 'drop owned by copier; drop role copier; drop role replicator;',
  },
  'postgres.bypassrls_role postgres.sql': ofRole('ghost', 'bypassrls'),
  'postgres.role_without_expiry postgres.sql': ofRole('ageless', "valid until 'infinity'"),
  'postgres.role_without_connection_limit postgres.sql': ofRole('greedy', 'connection limit -1'),
  'postgres.server_files_member postgres.sql': {
    ...ofRole('loader', 'login', 'role loader in pg_execute_server_program'),
    sql: `${role('loader', 'login')} grant pg_execute_server_program to loader;`,
  },

  'postgres.rls_disabled postgres.sql': ofTable('grant select on public.visits to authenticated;'),
  'postgres.rls_policies_inactive postgres.sql': ofTable(
    'create policy own_rows on public.visits using (user_id = auth.uid());',
  ),
  'postgres.rls_without_policy postgres.sql': ofTable('alter table public.visits enable row level security;'),
  'postgres.rls_policy_always_true postgres.sql': ofTable(
    'alter table public.visits enable row level security; create policy own_rows on public.visits using (true);',
    'policy own_rows on public.visits',
  ),
  'postgres.rls_policy_user_metadata postgres.sql': ofTable(
    `alter table public.visits enable row level security; create policy admins on public.visits
       using ((auth.jwt() -> 'user_metadata' ->> 'role') = 'admin');`,
    'policy admins on public.visits',
  ),
  'postgres.view_bypasses_rls postgres.sql 15 or newer': ofTable(
    `alter table public.visits enable row level security; create policy own_rows on public.visits using (user_id = auth.uid());
     create view public.visit_list as select id from public.visits; grant select on public.visit_list to anon;`,
    'view public.visit_list',
  ),
  'postgres.view_bypasses_rls postgres.sql 14, or a materialized view': ofTable(
    `alter table public.visits enable row level security; create policy own_rows on public.visits using (user_id = auth.uid());
     create materialized view public.visit_list as select id from public.visits; grant select on public.visit_list to anon;`,
    'materialized view public.visit_list',
  ),
  'postgres.auth_tables_exposed postgres.sql': ofTable(
    'create view public.people as select id, email from auth.users; grant select on public.people to anon;',
    'view public.people',
  ),
  'postgres.sensitive_column_exposed postgres.sql': ofTable(
    'alter table public.visits add "dateOfBirth" date; grant select on public.visits to public;',
    'column public.visits.dateOfBirth',
  ),

  'postgres.security_definer_public postgres.sql': {
    sql: `create function public.close_visit(integer) returns int language sql security definer
      set search_path = pg_catalog as 'select 1';`,
    locator: 'public.close_visit(integer)',
    after: 'drop function public.close_visit(integer);',
  },
  'postgres.search_path_mutable postgres.sql': {
    sql: `create function public.close_visit(integer) returns int language sql security definer as 'select 1';
      revoke execute on function public.close_visit(integer) from public;`,
    locator: 'public.close_visit(integer)',
    after: 'drop function public.close_visit(integer);',
  },

  'postgres.untrusted_language postgres.sql': {
    unproven: 'The language’s own libraries are not installed with the server.',
  },
  'postgres.extension_outdated postgres.sql': {
    sql: "create extension pg_stat_statements version '1.9';",
    locator: 'extension pg_stat_statements',
    after: 'drop extension pg_stat_statements;',
  },
  'postgres.extension_risky postgres.sql': { sql: 'create extension dblink;', locator: 'extension dblink' },
  'postgres.foreign_server_password postgres.sql': {
    sql: `create extension postgres_fdw;
      create server billing foreign data wrapper postgres_fdw options (host 'billing.example');
      create user mapping for app server billing options (user 'app', password 'x');`,
    locator: 'foreign server billing for app',
    after: 'drop extension postgres_fdw cascade;',
  },

  'postgres.log_connections_off postgres.sql': setting('log_connections', 'off'),
  'postgres.log_disconnections_off postgres.sql': standard('log_disconnections'),
  'postgres.log_statement_none postgres.sql': standard('log_statement'),
  'postgres.log_line_prefix_incomplete postgres.sql': setting('log_line_prefix', '%m '),
  'postgres.logging_collector_off postgres.sql': standard('logging_collector', { restart: true }),
  'postgres.log_file_mode_open postgres.sql': {
    settings: { log_file_mode: '0644', logging_collector: 'on' },
    locator: 'log_file_mode',
    restart: true,
  },
  'postgres.debug_print_on postgres.sql': setting('debug_print_plan', 'on'),
  'postgres.pgaudit_missing postgres.file': standard('shared_preload_libraries', { restart: true }),

  'postgres.data_checksums_off postgres.shell': standard('data_checksums', { restart: true }),
  'postgres.fsync_off postgres.sql': standard('fsync'),
  'postgres.archive_mode_off postgres.sql': standard('archive_mode', {
    restart: true,
    values: { 'pgbackrest --stanza=main archive-push %p': '/bin/true' },
  }),
  'postgres.checksum_failures postgres.sql': { unproven: 'It requires a repair that depends on the damage.' },
};

/** Steps that require parts of Debian's PostgreSQL: pgaudit, and the program that enables checksums. */
export const debianOnly: ReadonlySet<string> = new Set([
  'postgres.pgaudit_missing postgres.file',
  'postgres.data_checksums_off postgres.shell',
]);
