import { postgresCase } from '../../postgres-case.ts';

const login = (name: string, more = '') =>
  `create role ${name} login ${more} password 'long-enough-1' connection limit 9 valid until '2099-01-01';`;
const api = `create role web_anon nologin; ${login('authenticator', 'noinherit')} grant web_anon to authenticator;
  alter role authenticator set pgrst.db_schemas = 'api'; alter role authenticator set pgrst.db_anon_role = 'web_anon';`;

/** Roles, memberships, grants and what they are worth. */
export const rightsCases = [
  postgresCase({ name: 'hardened', flaws: [] }),
  postgresCase({ name: 'hardened, Debian with pgaudit', debian: true, flaws: [] }),
  postgresCase({
    name: 'an application in the superuser',
    roles: `${login('app')} grant admin to app;`,
    flaws: ['postgres.superuser_member role app in admin'],
  }),
  postgresCase({
    name: 'a superuser through two groups, with SET only',
    roles: `create role dba superuser; create role ops; create role team; ${login('jane')}
      grant dba to ops with inherit false, set true; grant ops to team; grant team to jane with inherit false, set true;`,
    flaws: ['postgres.superuser_member role ops in dba'],
    also: ['postgres.extra_superuser role dba'],
  }),
  postgresCase({
    name: 'a superuser that a role may only grant',
    roles: `create role dba superuser; ${login('hr')} grant dba to hr with admin true, inherit false, set false;`,
    flaws: ['postgres.superuser_member role hr in dba'],
    also: ['postgres.extra_superuser role dba'],
  }),
  postgresCase({
    name: 'a grant that permits nothing',
    roles: `create role dba superuser; ${login('viewer')} grant dba to viewer with admin false, inherit false, set false;`,
    flaws: [],
    also: ['postgres.extra_superuser role dba'],
  }),
  postgresCase({
    name: 'programs through a group',
    roles: `create role jobs; ${login('cron')} grant pg_execute_server_program to jobs; grant jobs to cron;`,
    flaws: ['postgres.server_files_member role jobs in pg_execute_server_program'],
  }),
  postgresCase({
    name: 'files of the server',
    roles: `${login('importer')} grant pg_read_server_files, pg_write_server_files to importer;`,
    flaws: [
      'postgres.server_files_member role importer in pg_read_server_files',
      'postgres.server_files_member role importer in pg_write_server_files',
    ],
  }),
  postgresCase({
    name: 'an application that writes all data',
    roles: `${login('app')} grant pg_write_all_data, pg_signal_backend to app;`,
    flaws: [
      'postgres.predefined_role_member role app in pg_write_all_data',
      'postgres.predefined_role_member role app in pg_signal_backend',
    ],
  }),
  postgresCase({
    name: 'subscriptions and maintenance',
    roles: `${login('mover')} grant pg_create_subscription, pg_maintain to mover;`,
    flaws: [
      'postgres.predefined_role_member role mover in pg_create_subscription',
      'postgres.predefined_role_member role mover in pg_maintain',
    ],
  }),
  postgresCase({
    name: 'CREATEROLE on PostgreSQL 15',
    debian: true,
    roles: login('provisioner', 'createrole'),
    flaws: ['postgres.extra_createrole role provisioner'],
  }),
  postgresCase({
    name: 'an API that reads every table',
    roles: `${api} grant pg_read_all_data to web_anon;`,
    flaws: ['postgres.predefined_role_member role web_anon in pg_read_all_data'],
  }),
  postgresCase({
    name: 'everyone reads files',
    sql: 'grant execute on function pg_read_file(text) to public; grant execute on function pg_ls_dir(text) to public',
    flaws: [
      'postgres.privileged_function pg_read_file for PUBLIC',
      'postgres.privileged_function pg_ls_dir for PUBLIC',
    ],
  }),
  postgresCase({
    name: 'an application imports large objects from files',
    roles: login('app'),
    sql: 'grant execute on function lo_import(text), lo_export(oid, text) to app',
    flaws: [
      'postgres.privileged_function lo_import for app',
      'postgres.privileged_function lo_export for app',
    ],
  }),
  postgresCase({
    name: 'a monitoring role that may reload',
    roles: login('watcher'),
    sql: 'grant execute on function pg_reload_conf() to watcher',
    flaws: ['postgres.privileged_function pg_reload_conf for watcher'],
  }),
  postgresCase({
    name: 'connections without authentication through dblink',
    sql: 'create extension dblink; grant execute on function dblink_connect_u(text) to public',
    flaws: ['postgres.privileged_function dblink_connect_u for PUBLIC', 'postgres.extension_risky dblink'],
  }),
  postgresCase({
    name: 'a role of PostgREST may create in its schema',
    roles: api,
    sql: 'create schema api; grant usage, create on schema api to web_anon',
    flaws: ['postgres.api_role_create schema api'],
  }),
  postgresCase({
    name: 'CREATE on the database for everyone',
    sql: 'grant create on database clinic to public',
    flaws: ['postgres.public_database_create database clinic'],
  }),
  postgresCase({
    name: 'TEMPORARY for everyone',
    sql: 'grant temporary on database clinic to public',
    flaws: ['postgres.public_temporary_tables database clinic'],
  }),
  postgresCase({
    name: 'the schema public as before version 15',
    sql: 'grant create on schema public to public',
    flaws: ['postgres.public_schema_create schema public'],
  }),
  postgresCase({
    name: 'new tables for everyone',
    roles: login('owner_role'),
    sql: 'alter default privileges for role owner_role grant select, insert on tables to public',
    flaws: ['postgres.default_privileges_open PUBLIC on tables of owner_role'],
  }),
  postgresCase({
    name: 'new tables for the API',
    roles: api,
    sql: 'create schema api; alter default privileges in schema api grant select on tables to web_anon',
    flaws: ['postgres.default_privileges_open web_anon on tables of admin in schema api'],
  }),
  postgresCase({
    name: 'stricter defaults are no flaw',
    roles: login('owner_role'),
    sql: `alter default privileges revoke execute on functions from public;
      alter default privileges grant execute on functions to owner_role;
      alter default privileges grant select on tables to owner_role`,
    flaws: [],
  }),
  postgresCase({
    name: 'an event trigger of an application’s function',
    roles: login('app'),
    sql: `create function public.note() returns event_trigger language plpgsql as 'begin end';
      alter function public.note() owner to app; create event trigger note on ddl_command_end execute function public.note()`,
    flaws: ['postgres.event_trigger_owner event trigger note'],
  }),
  postgresCase({
    name: 'a publication of everything',
    sql: 'create table public.t (id int primary key); create publication cdc for all tables',
    flaws: ['postgres.publication_all_tables publication cdc'],
  }),
  postgresCase({
    name: 'a publication of one table',
    sql: 'create table public.t (id int primary key); create publication cdc for table public.t',
    flaws: [],
  }),
  postgresCase({
    name: 'large objects for everyone',
    sql: 'select lo_create(99); grant select, update on large object 99 to public',
    flaws: ['postgres.large_objects_public PUBLIC'],
  }),
  postgresCase({
    name: 'a replication role that also owns tables',
    roles: login('copier', 'replication'),
    sql: 'create table public.t (id int); alter table public.t owner to copier',
    flaws: ['postgres.replication_role_mixed role copier'],
  }),
  postgresCase({
    name: 'ordinary roles of an application',
    roles: `${login('app')} ${login('report')} create role readers; grant readers to report;`,
    sql: `create schema app; create table app.visits (id int); grant usage on schema app to readers, app;
      grant select on app.visits to readers; grant select, insert, update on app.visits to app`,
    flaws: [],
  }),
  postgresCase({
    name: 'a backup role with pg_read_all_data',
    roles: `${login('dumper')} grant pg_read_all_data to dumper;`,
    flaws: ['postgres.predefined_role_member role dumper in pg_read_all_data'],
  }),
  postgresCase({
    name: 'an application that may change the archive command',
    roles: `${login('app')} grant alter system on parameter archive_command to app; grant set on parameter log_statement to app;`,
    flaws: [
      'postgres.parameter_privilege archive_command for app',
      'postgres.parameter_privilege log_statement for app',
    ],
  }),
  postgresCase({
    name: 'a definer function whose path has a schema for everyone',
    sql: `create schema app; grant create, usage on schema app to public;
      create function app.f() returns int language sql security definer set search_path = app as 'select 1';
      revoke execute on function app.f() from public`,
    flaws: ['postgres.search_path_mutable app.f()', 'postgres.public_schema_create schema app'],
  }),
  postgresCase({
    name: 'a role that turns row security off',
    roles: `${login('app')} alter role app set row_security = off; alter role app set session_replication_role = replica;`,
    flaws: [
      'postgres.override_weakens row_security of role app',
      'postgres.override_weakens session_replication_role of role app',
    ],
  }),
];
