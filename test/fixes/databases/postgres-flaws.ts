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
  `${scram} create role ${name} login password 'long-enough-1' connection limit 1 valid until '2027-01-01';
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
    sql: "alter system set ssl_ciphers = 'HIGH:!aNULL:!3DES';",
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

  'postgres.tls_ciphers_weak postgres.sql': setting('ssl_ciphers', 'ALL'),
  'postgres.damage_ignored postgres.sql': setting('zero_damaged_pages', 'on'),
  'postgres.protection_disabled postgres.sql': setting('lo_compat_privileges', 'on'),
  'postgres.override_weakens postgres.sql': {
    sql: 'alter role app set row_security = off;',
    locator: 'row_security of role app',
    values: { log_statement: 'row_security' },
  },
  'postgres.password_checks_missing postgres.sql': standard('shared_preload_libraries', {
    restart: true,
    after: 'alter system reset shared_preload_libraries;',
  }),
  'postgres.security_module_missing postgres.sql': standard('auth_delay', {
    restart: true,
    after: 'alter system reset shared_preload_libraries;',
  }),
  'postgres.scram_iterations_low postgres.sql 16 or newer': setting('scram_iterations', '1000'),
  'postgres.authentication_timeout_long postgres.sql': setting('authentication_timeout', '600'),
  'postgres.unix_socket_open postgres.sql': {
    settings: { unix_socket_directories: '.' },
    locator: 'unix_socket_permissions',
    restart: true,
    after: 'alter system reset unix_socket_directories;',
  },
  'postgres.library_path_unsafe postgres.sql': setting('dynamic_library_path', '$libdir:/tmp'),
  'postgres.password_in_setting postgres.sql': setting('primary_conninfo', 'host=10.1.0.11 password=x'),
  'postgres.resource_limit_off postgres.sql': setting('superuser_reserved_connections', '0', {
    restart: true,
  }),

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
  'postgres.hba_wide_network postgres.hba': ofRule(
    'hostssl all app 52.0.0.0/8 scram-sha-256',
    'hostssl all app 52.0.0.0 255.0.0.0 scram-sha-256',
  ),
  'postgres.hba_every_role_and_database postgres.hba': ofRule(
    'hostssl all all 10.1.0.0/16 scram-sha-256',
    'hostssl all all 10.1.0.0 255.255.0.0 scram-sha-256',
  ),
  'postgres.hba_replication_open postgres.hba': ofRule(
    'hostssl replication all 10.1.0.0/16 scram-sha-256',
    'hostssl replication all 10.1.0.0 255.255.0.0 scram-sha-256',
  ),
  'postgres.hba_external_unprotected postgres.hba': ofRule(
    'hostssl clinic app 10.1.0.0/16 radius radiusservers=10.1.0.9 radiussecrets=x',
    'hostssl clinic app 10.1.0.0 255.255.0.0 radius',
  ),
  'postgres.md5_password postgres.sql': {
    ...ofRole('aged', 'login'),
    sql: "set password_encryption = 'md5'; create role aged login password 'long-enough-1' connection limit 1 valid until '2027-01-01';",
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

  'postgres.superuser_member postgres.sql': {
    ...ofRole('climber', 'login', 'role climber in admin'),
    sql: `${role('climber', 'login')} grant admin to climber;`,
    values: { postgres: 'admin', app: 'climber' },
  },
  'postgres.predefined_role_member postgres.sql': {
    ...ofRole('writer', 'login', 'role writer in pg_write_all_data'),
    sql: `${role('writer', 'login')} grant pg_write_all_data to writer;`,
  },
  'postgres.privileged_function postgres.sql': {
    sql: 'grant execute on function pg_read_file(text) to public;',
    locator: 'function pg_read_file for PUBLIC',
  },
  'postgres.parameter_privilege postgres.sql 15 or newer': {
    sql: 'grant alter system on parameter archive_command to app;',
    locator: 'setting archive_command for app',
  },
  'postgres.api_role_create postgres.sql': {
    sql: 'grant create on schema public to anon;',
    locator: 'schema public',
  },
  'postgres.public_database_create postgres.sql': {
    sql: 'grant create on database clinic to public;',
    locator: 'database clinic',
  },
  'postgres.public_temporary_tables postgres.sql': standard('database clinic'),
  'postgres.default_privileges_open postgres.sql': {
    sql: 'alter default privileges for role app in schema public grant select on tables to public;',
    locator: 'default privilege for PUBLIC on tables of app in schema public',
  },
  'postgres.event_trigger_owner postgres.sql': {
    sql: `create function public.on_ddl() returns event_trigger language plpgsql as 'begin end';
      alter function public.on_ddl() owner to app;
      create event trigger audit on ddl_command_end execute function public.on_ddl();`,
    locator: 'event trigger audit',
    values: { postgres: 'admin' },
    after: 'drop event trigger audit; drop function public.on_ddl();',
  },
  'postgres.publication_all_tables postgres.sql': ofTable(
    'create publication everything for all tables;',
    'publication everything',
  ),
  'postgres.large_objects_public postgres.sql': {
    sql: 'select lo_create(4242); grant select on large object 4242 to public;',
    locator: 'large objects for PUBLIC',
    after: 'select lo_unlink(4242);',
  },

  'postgres.view_runs_as_owner postgres.sql 15 or newer': ofTable(
    'create view public.visit_list as select id from public.visits; grant select on public.visit_list to anon;',
    'view public.visit_list',
  ),
  'postgres.materialized_view_exposed postgres.sql': {
    sql: 'create materialized view public.visit_totals as select 1 as n; grant select on public.visit_totals to anon;',
    locator: 'materialized view public.visit_totals',
    after: 'drop materialized view public.visit_totals;',
  },
  'postgres.foreign_table_exposed postgres.sql': {
    sql: `create extension postgres_fdw; create server billing foreign data wrapper postgres_fdw;
      create foreign table public.remote_visits (id int) server billing;
      grant select on public.remote_visits to anon;`,
    locator: 'foreign table public.remote_visits',
    after: 'drop extension postgres_fdw cascade;',
  },
  'postgres.queue_exposed postgres.sql': {
    sql: `create schema pgmq; create table pgmq.q_letters (id int); grant usage on schema pgmq to anon;
      grant select on pgmq.q_letters to anon; create role service_role;`,
    locator: 'table pgmq.q_letters',
    after: 'drop schema pgmq cascade; drop role service_role;',
  },
  'postgres.storage_listing_open postgres.sql': {
    sql: `create schema storage; create table storage.objects (bucket_id text);
      alter table storage.objects enable row level security;
      create policy own on storage.objects for select using (bucket_id = current_user);
      create policy listing on storage.objects for select using (bucket_id = 'avatars');`,
    locator: 'policy listing on storage.objects',
    after: 'drop schema storage cascade;',
  },
  'postgres.graphql_exposes_tables postgres.sql': {
    unproven: 'The extension is not installed with the server.',
  },
  'postgres.security_definer_api postgres.sql': {
    sql: `create function public.close_visit(integer) returns int language sql security definer
      set search_path = pg_catalog as 'select 1';
      revoke execute on function public.close_visit(integer) from public;
      grant execute on function public.close_visit(integer) to anon;`,
    locator: 'public.close_visit(integer)',
    after: 'drop function public.close_visit(integer);',
  },
  'postgres.function_search_path_unset postgres.sql': {
    sql: "create function public.close_visit(integer) returns int language sql as 'select 1';",
    locator: 'public.close_visit(integer)',
    after: 'drop function public.close_visit(integer);',
  },
  'postgres.extension_in_public postgres.sql': {
    sql: 'create extension citext;',
    locator: 'extension citext',
    after: 'drop extension citext; drop schema extensions;',
  },
  'postgres.rls_owner_exempt postgres.sql': {
    sql: `${role('keeper', 'login')} ${visits} alter table public.visits enable row level security;
      alter table public.visits owner to keeper;`,
    locator: 'table public.visits',
    after: 'drop table public.visits; drop role keeper;',
  },
  'postgres.foreign_key_to_auth postgres.sql': {
    sql: `create schema auth; create table auth.users (id int primary key, email text unique);
      create table public.members (email text references auth.users (email));`,
    locator: 'constraint members_email_fkey on public.members',
    after: 'drop table public.members; drop schema auth cascade;',
  },
  'postgres.reg_type_column postgres.sql': {
    sql: 'create table public.rules (handler regproc);',
    locator: 'column public.rules.handler',
    after: 'drop table public.rules;',
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
  'postgres.logging_collector_off postgres.sql': {
    settings: { log_directory: '../logs' },
    locator: 'logging_collector',
    restart: true,
  },
  'postgres.log_file_mode_open postgres.sql': {
    settings: { log_file_mode: '0644', logging_collector: 'on' },
    locator: 'log_file_mode',
    restart: true,
  },
  'postgres.debug_print_on postgres.sql': setting('debug_print_plan', 'on'),
  'postgres.pgaudit_missing postgres.file': standard('shared_preload_libraries', { restart: true }),

  'postgres.pgaudit_classes_missing postgres.sql': setting('pgaudit.log', 'write'),
  'postgres.log_rotation_weak postgres.sql': {
    settings: { log_rotation_age: '0', log_rotation_size: '0', logging_collector: 'on' },
    locator: 'log_rotation_age',
    restart: true,
  },
  'postgres.log_detail_weak postgres.sql': setting('log_min_messages', 'fatal'),
  'postgres.log_replication_commands_off postgres.sql': {
    ...ofRole('copier', 'replication'),
    locator: 'log_replication_commands',
  },
  'postgres.log_directory_in_data postgres.sql': {
    settings: { logging_collector: 'on', log_directory: 'log' },
    locator: 'log_directory',
    restart: true,
    values: { '/var/log/postgresql': '../logs' },
  },

  'postgres.data_checksums_off postgres.shell': standard('data_checksums', { restart: true }),
  'postgres.fsync_off postgres.sql': standard('fsync'),
  'postgres.crash_safety_weak postgres.sql': setting('full_page_writes', 'off'),
  'postgres.archive_discards postgres.sql': {
    settings: { archive_mode: 'on', archive_command: '/bin/true' },
    locator: 'archive_command',
    restart: true,
    values: { 'pgbackrest --stanza=main archive-push %p': 'test -f %p' },
    after: 'alter system reset archive_mode; alter system reset archive_command;',
  },
  'postgres.archive_mode_off postgres.sql': standard('archive_mode', {
    restart: true,
    values: { 'pgbackrest --stanza=main archive-push %p': 'test -f %p' },
  }),
  'postgres.checksum_failures postgres.sql': { unproven: 'It requires a repair that depends on the damage.' },
};

/** Steps that require parts of Debian's PostgreSQL: pgaudit, and the program that enables checksums. */
export const debianOnly: ReadonlySet<string> = new Set([
  'postgres.pgaudit_missing postgres.file',
  'postgres.data_checksums_off postgres.shell',
  'postgres.pgaudit_classes_missing postgres.sql',
  // The PostgreSQL from npm has no LDAP.
  'postgres.hba_external_unprotected postgres.hba',
]);

/** Steps for settings that Debian's PostgreSQL does not have yet. */
export const newerOnly: ReadonlySet<string> = new Set([
  'postgres.scram_iterations_low postgres.sql 16 or newer',
]);
