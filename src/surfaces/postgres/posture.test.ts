import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { canTest } from '../../../test/support/can-test.ts';
import { checksMissing } from '../../../test/support/live-scan.ts';
import { poll } from '../../../test/support/poll.ts';
import {
  type DatabaseServer,
  type PostgresServer,
  startPostgresServer,
} from '../../../test/support/postgres-server.ts';
import { startRelay } from '../../../test/support/relay.ts';
import {
  authority,
  installedPostgres,
  type PostgresScan,
  scanPostgres,
} from '../../../test/support/scan-postgres.ts';

const servers: DatabaseServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map(server => server.close()));
});
async function running(starting: Promise<DatabaseServer>): Promise<DatabaseServer> {
  const server = await starting;
  servers.push(server);
  return server;
}
const file = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');
const example = (name: string) => file(`examples/hardened-postgres/${name}`);

/** Sends statements to a different database than the one that `filling` is connected to. */
async function inDatabase(
  server: number | pg.Client,
  logIn: string | { user: string; password: string; database: string },
  work: (client: pg.Client) => Promise<unknown>,
) {
  const port = typeof server === 'number' ? server : server.port;
  const by = typeof logIn === 'string' ? { user: 'admin', database: logIn } : logIn;
  const client = new pg.Client({ host: '127.0.0.1', port, ...by });
  await client.connect();
  await work(client).finally(() => client.end());
}

/** It must not leave the server. */
const secret = 'hunter2hunter2';
const boss = { user: 'boss', password: secret, database: 'clinic' };
const badRoles = `
  -- Without TLS, Parapet itself logs in with SCRAM only, which the method md5 speaks where the verifier is one.
  set password_encryption = 'scram-sha-256';
  create role boss superuser login password '${secret}' valid until '2099-01-01';
  reset password_encryption;
  create role hirer createrole login connection limit 1 valid until '2099-01-01' password '${secret}';
  create role builder createdb login connection limit 1 valid until '2099-01-01' password '${secret}';
  create role copier replication login connection limit 1 valid until '2099-01-01' password '${secret}';
  create role ghost bypassrls login connection limit 1 valid until '2099-01-01' password '${secret}';
  create role careless login password '${secret}';
  create role loader;
  grant pg_execute_server_program to loader;
  grant admin to careless; grant pg_write_all_data to ghost;
  alter role careless set row_security = off;
  create role anon; create role authenticated;`;
const badSchema = `
  grant create on schema public to public;
  create table public.open_table (id int, "dateOfBirth" date); grant select, insert on public.open_table to public;
  alter table public.open_table owner to copier;
  create table public.unswitched (id int); create policy p on public.unswitched using (id > 1);
  create table public.empty (id int); alter table public.empty enable row level security;
  create table public.loose (id int); alter table public.loose enable row level security;
  create policy everything on public.loose using (1 = 1);
  create table public.claims (id int, claim json); alter table public.claims enable row level security;
  create policy trusting on public.claims using (claim -> 'user_metadata' ->> 'role' = '${secret}');
  create view public.claim_list as select id from public.claims; grant select on public.claim_list to anon;
  create schema auth; create table auth.users (id int, email text); grant usage on schema auth to public;
  create view public.people as select id, email from auth.users; grant select on public.people to anon;
  create function public.drop_all(a integer) returns int language sql security definer as 'select 1 -- ${secret}';
  create function public.led_astray() returns int language sql security definer as 'select 2';
  revoke execute on function public.led_astray() from public;
  create function public.fine() returns int language sql security definer set search_path = pg_catalog as 'select 3';
  revoke execute on function public.fine() from public;
  create function public.handler() returns language_handler language c
    as '$libdir/plpgsql', 'plpgsql_call_handler';
  create language anything handler public.handler;
  create extension dblink;
  create extension pg_stat_statements version '1.9';
  create extension postgres_fdw;
  create server billing foreign data wrapper postgres_fdw options (host 'billing.example');
  create user mapping for careless server billing options (user 'app', password '${secret}');
  create user mapping for boss server billing options (user 'app', password_required 'false');
  grant execute on function pg_read_file(text) to public;
  grant set on parameter session_preload_libraries to careless;
  create schema api; grant create on schema api to anon; grant create on database clinic to public;
  alter default privileges in schema api grant select on tables to public;
  create publication everything for all tables;
  select lo_create(4242); grant select on large object 4242 to public;
  create view public.plain_list as select id from public.open_table; grant select on public.plain_list to anon;
  create materialized view public.totals as select 1 as n; grant select on public.totals to anon;
  create foreign table public.remote (id int) server billing; grant select on public.remote to anon;
  create schema pgmq; create table pgmq.q_letters (id int); grant usage on schema pgmq to anon;
  grant select on pgmq.q_letters to anon;
  create schema storage; create table storage.objects (id int, bucket_id text);
  alter table storage.objects enable row level security;
  create policy listing on storage.objects for select using (bucket_id = 'avatars');
  create function public.for_api() returns int language sql security definer set search_path = pg_catalog as 'select 1';
  revoke execute on function public.for_api() from public; grant execute on function public.for_api() to anon;
  alter table public.loose owner to careless;
  alter table auth.users add primary key (id), add unique (email);
  create table public.members (email text references auth.users (email));
  create table public.hooks (f regproc);
  create extension pg_surgery schema auth;
  create function public.on_ddl() returns event_trigger language plpgsql as 'begin end';
  alter function public.on_ddl() owner to careless;
  create event trigger audit on ddl_command_end execute function public.on_ddl();`;
/** Without `ssl`, `hostssl` never matches. */
const badRules = `
  host clinic boss 127.0.0.1/32 md5
  host clinic app 10.1.0.0/16 trust
  host clinic app 10.2.0.0/16 password
  hostssl clinic app 10.3.0.0/16 md5
  host clinic boss 10.4.0.0/16 scram-sha-256
  host clinic app 0.0.0.0/0 scram-sha-256
  host clinic app 52.0.0.0/8 scram-sha-256
  host all all 10.5.0.0/16 scram-sha-256
  host replication all 10.6.0.0/16 scram-sha-256
  host clinic app 10.7.0.0/16 radius radiusservers=10.1.0.9 radiussecrets=hunter2hunter2
  host clinic app 10.8.0.0/16 ident map=staff
`;
const badMaps = 'staff /^(.*)$ boss\n';
const badSettings = {
  ssl: 'off',
  listen_addresses: '*',
  password_encryption: 'md5',
  log_line_prefix: '%m ',
  logging_collector: 'on',
  log_file_mode: '0644',
  debug_print_plan: 'on',
  archive_mode: 'on',
  archive_command: '/bin/false',
  log_connections: 'off',
  log_rotation_age: '0',
  log_rotation_size: '0',
  log_min_messages: 'fatal',
  zero_damaged_pages: 'on',
  lo_compat_privileges: 'on',
  authentication_timeout: '600',
  dynamic_library_path: '$libdir:/tmp',
  superuser_reserved_connections: '0',
  primary_conninfo: `host=10.1.0.11 password=${secret}`,
  full_page_writes: 'off',
};

/** Checks with their locators, sorted. */
function flawsOf({ observations }: PostgresScan): string[] {
  return observations.map(({ check, locator }) => `${check.replace('postgres.', '')}: ${locator}`).sort();
}

const badFlaws = [
  'api_role_create: schema api',
  'archiver_failing: archiver',
  'auth_tables_exposed: view public.people',
  'authentication_timeout_long: authentication_timeout',
  'bypassrls_role: role ghost',
  'crash_safety_weak: full_page_writes',
  'damage_ignored: zero_damaged_pages',
  'data_checksums_off: data_checksums',
  'debug_print_on: debug_print_plan',
  'default_privileges_open: default privilege for PUBLIC on tables of admin in schema api',
  'event_trigger_owner: event trigger audit',
  'extension_in_public: extension dblink',
  'extension_in_public: extension pg_stat_statements',
  'extension_in_public: extension postgres_fdw',
  'extension_outdated: extension pg_stat_statements',
  'extension_risky: extension dblink',
  'extension_risky: extension pg_surgery',
  'extra_createdb: role builder',
  'extra_createrole: role hirer',
  'extra_superuser: role boss',
  'foreign_key_to_auth: constraint members_email_fkey on public.members',
  'foreign_server_password: foreign server billing for careless',
  'foreign_table_exposed: foreign table public.remote',
  'fsync_off: fsync',
  'function_search_path_unset: public.on_ddl()',
  'hba_all_addresses: host clinic app 0.0.0.0 0.0.0.0 scram-sha-256',
  'hba_every_role_and_database: host all all 10.5.0.0 255.255.0.0 scram-sha-256',
  'hba_external_unprotected: host clinic app 10.7.0.0 255.255.0.0 radius',
  'hba_md5: host clinic boss 127.0.0.1 255.255.255.255 md5',
  'hba_password: host clinic app 10.2.0.0 255.255.0.0 password',
  'hba_password: host clinic app 10.7.0.0 255.255.0.0 radius',
  'hba_remote_superuser: host all all 10.5.0.0 255.255.0.0 scram-sha-256',
  'hba_remote_superuser: host clinic boss 10.4.0.0 255.255.0.0 scram-sha-256',
  'hba_remote_superuser: host replication all 10.6.0.0 255.255.0.0 scram-sha-256',
  'hba_replication_open: host replication all 10.6.0.0 255.255.0.0 scram-sha-256',
  'hba_trust: host clinic app 10.1.0.0 255.255.0.0 trust',
  'hba_trust: host clinic app 10.8.0.0 255.255.0.0 ident',
  'hba_wide_network: host clinic app 52.0.0.0 255.0.0.0 scram-sha-256',
  'ident_map_wide: map staff to boss',
  'idle_timeout_off: idle_in_transaction_session_timeout',
  'large_objects_public: large objects for PUBLIC',
  'library_path_unsafe: dynamic_library_path',
  'listens_on_all_addresses: listen_addresses',
  'log_connections_off: log_connections',
  'log_detail_weak: log_min_messages',
  'log_directory_in_data: log_directory',
  'log_disconnections_off: log_disconnections',
  'log_file_mode_open: log_file_mode',
  'log_line_prefix_incomplete: log_line_prefix',
  'log_replication_commands_off: log_replication_commands',
  'log_rotation_weak: log_rotation_age',
  'log_statement_none: log_statement',
  'materialized_view_exposed: materialized view public.totals',
  'md5_password: role builder',
  'md5_password: role careless',
  'md5_password: role copier',
  'md5_password: role ghost',
  'md5_password: role hirer',
  'other_databases: other databases',
  'override_weakens: row_security of role careless',
  'parameter_privilege: setting session_preload_libraries for careless',
  'password_checks_missing: shared_preload_libraries',
  'password_encryption_weak: password_encryption',
  'password_in_setting: primary_conninfo',
  'pgaudit_missing: shared_preload_libraries',
  'plaintext_allowed: host all all 10.5.0.0 255.255.0.0 scram-sha-256',
  'plaintext_allowed: host clinic app 0.0.0.0 0.0.0.0 scram-sha-256',
  'plaintext_allowed: host clinic app 10.1.0.0 255.255.0.0 trust',
  'plaintext_allowed: host clinic app 10.2.0.0 255.255.0.0 password',
  'plaintext_allowed: host clinic app 10.7.0.0 255.255.0.0 radius',
  'plaintext_allowed: host clinic app 10.8.0.0 255.255.0.0 ident',
  'plaintext_allowed: host clinic app 52.0.0.0 255.0.0.0 scram-sha-256',
  'plaintext_allowed: host clinic boss 10.4.0.0 255.255.0.0 scram-sha-256',
  'plaintext_allowed: host replication all 10.6.0.0 255.255.0.0 scram-sha-256',
  'predefined_role_member: role ghost in pg_write_all_data',
  'privileged_function: function pg_read_file for PUBLIC',
  'protection_disabled: lo_compat_privileges',
  'public_database_create: database clinic',
  'public_schema_create: schema public',
  'public_table_write: table public.open_table',
  'public_temporary_tables: database clinic',
  'publication_all_tables: publication everything',
  'queue_exposed: table pgmq.q_letters',
  'reg_type_column: column public.hooks.f',
  'replication_role_mixed: role copier',
  'resource_limit_off: superuser_reserved_connections',
  'resource_limit_off: temp_file_limit',
  'rls_disabled: table public.open_table',
  'rls_owner_exempt: table public.loose',
  'rls_policies_inactive: table public.unswitched',
  'rls_policy_always_true: policy everything on public.loose',
  'rls_policy_user_metadata: policy trusting on public.claims',
  'rls_without_policy: table public.empty',
  'role_without_connection_limit: role careless',
  'role_without_expiry: role careless',
  'search_path_mutable: public.drop_all(integer)',
  'search_path_mutable: public.led_astray()',
  'security_definer_api: public.for_api()',
  'security_definer_public: public.drop_all(integer)',
  'security_module_missing: auth_delay',
  'security_module_missing: set_user',
  'sensitive_column_exposed: column public.open_table.dateOfBirth',
  'server_files_member: role loader in pg_execute_server_program',
  'ssl_off: ssl',
  'statement_timeout_off: statement_timeout',
  'storage_listing_open: policy listing on storage.objects',
  'superuser_member: role careless in admin',
  'untrusted_language: language anything',
  'view_bypasses_rls: view public.claim_list',
  'view_runs_as_owner: view public.plain_list',
];

const laterFlaws = [
  'archive_discards: archive_command',
  'graphql_exposes_tables: GraphQL for anon',
  'graphql_exposes_tables: GraphQL for authenticated',
];
const auditFlaws = ['pgaudit_classes_missing: pgaudit.log'];

describe.each(await installedPostgres())('the posture of $name', ({ programs }) => {
  const certificate = authority.issue({ covers: ['127.0.0.1'] });
  const ofServer = programs ? { programs } : {};

  it('has every flaw that a server without special setup can have', async () => {
    const server = await running(
      startPostgresServer(certificate, [], {
        ...ofServer,
        hba: badRules,
        settings: badSettings,
        initdb: programs ? [] : ['--no-data-checksums'],
        fill: async client => {
          await client.query(badRoles);
          const { ident_file } = (await client.query('show ident_file')).rows[0];
          await writeFile(ident_file, badMaps);
          await client.query('create database clinic');
          await client.query("alter database clinic set pgrst.db_schemas = 'public, pgmq_public'");
          await client.query('create database billing');
          await inDatabase(client, 'clinic', other => other.query(badSchema));
          await client.query('select pg_switch_wal()');
          const failing = 'select failed_count > 0 as failing from pg_stat_archiver';
          await poll(
            'archiving to fail',
            async () => (await client.query(failing)).rows[0].failing || undefined,
          );
        },
      }),
    );
    const scan = await scanPostgres(server.port, `boss:${secret}`, 'clinic?sslmode=disable');
    expect(flawsOf(scan)).toEqual(badFlaws);
    // A password for RADIUS over an encrypted connection is not a finding, but the check does not pass either.
    const partly = scan.notAssessed.filter(({ inapplicable }) => !inapplicable);
    expect(partly.map(({ check }) => check)).toEqual(['postgres.hba_password']);
    expect(JSON.stringify(scan)).not.toContain(secret);
    expect(JSON.stringify(scan)).not.toMatch(/md5[0-9a-f]{32}|SCRAM-SHA-256\$/);
    await inDatabase(server.port, boss, async client => {
      await client.query("alter system set archive_command = '/bin/true'");
      await client.query('select pg_reload_conf()');
      const current = "select setting = '/bin/true' as done from pg_settings where name = 'archive_command'";
      await poll('the new command', async () => (await client.query(current)).rows[0].done || undefined);
    });
    // PostgreSQL itself has no GraphQL: a relay replaces the name of another extension.
    const relay = await startRelay(server.port, text => text.replaceAll('pg_surgery', 'pg_graphql'));
    try {
      const later = flawsOf(await scanPostgres(relay.port, `boss:${secret}`, 'clinic?sslmode=disable'));
      expect(later.filter(flaw => !badFlaws.includes(flaw))).toEqual(laterFlaws);
    } finally {
      await relay.close();
    }
  });

  it('reports pgaudit without the class role', async () => {
    if (!programs || !(await hasPgaudit(programs))) return;
    const server = await running(
      startPostgresServer(certificate, ["alter role admin password 'x'"], {
        programs,
        settings: { shared_preload_libraries: 'pgaudit', 'pgaudit.log': 'ddl' },
      }),
    );
    expect(flawsOf(await scanPostgres(server.port, 'admin:x', 'postgres'))).toEqual(
      expect.arrayContaining(auditFlaws),
    );
  });

  it('has no findings on the hardened server of the examples, except an extension to install', async () => {
    const settings = Object.fromEntries(
      [...(await example('postgresql.conf')).matchAll(/^([a-z_.]+) = '?([^'\n]*)'?$/gm)].map(
        ([, name, value]) => [name!, value!],
      ),
    );
    // This machine does not have its addresses, its certificate and pgBackRest.
    const {
      ssl_cert_file,
      ssl_key_file,
      log_directory,
      shared_preload_libraries,
      'pgaudit.log': pgaudit,
      ...rest
    } = settings;
    const own = [ssl_cert_file, ssl_key_file, log_directory, shared_preload_libraries, pgaudit];
    expect(own).not.toContain(undefined);
    // The server from npm has no pgaudit to load; Debian's package can have it.
    const audit =
      programs !== undefined &&
      canTest(
        await hasPgaudit(programs),
        'pgaudit (package postgresql-*-pgaudit) is not installed for PostgreSQL of Debian',
      );
    const server = await running(
      startPostgresServer(certificate, [], {
        ...ofServer,
        hba: await example('pg_hba.conf'),
        initdb: ['--data-checksums'],
        settings: {
          ...rest,
          listen_addresses: '127.0.0.1',
          archive_command: 'test -f %p',
          log_directory: '../logs',
          shared_preload_libraries: shared_preload_libraries!.replace(/^pgaudit, /, audit ? '$&' : ''),
          fsync: 'on',
          ...(audit ? { 'pgaudit.log': pgaudit! } : {}),
        },
        fill: async client => {
          await client.query(await example('roles.sql'));
          await client.query('create database clinic owner clinic_owner');
          await inDatabase(client, 'clinic', async other => {
            await other.query(await example('schema.sql'));
            await other.query(await file('docs/databases/parapet-reader.sql'));
            await other.query(await file('docs/databases/parapet-reader-passwords.sql'));
            await other.query("alter role parapet_reader password 'long-enough-1'");
          });
          // Access of an API is assessed only if the database names its schemas.
          await client.query("alter database clinic set pgrst.db_schemas = 'clinic'");
        },
      }),
    );
    const scan = await scanPostgres(server.port, 'parapet_reader:long-enough-1', 'clinic');
    expect(scan.observations.map(({ check }) => check)).toEqual([
      // set_user is no part of PostgreSQL.
      'postgres.security_module_missing',
      ...(audit ? [] : ['postgres.pgaudit_missing']),
    ]);
    const without = [
      'postgres.pgaudit_classes_missing',
      'postgres.log_replication_commands_off',
      'postgres.unix_socket_open',
      // A setting since version 16.
      ...(programs ? ['postgres.scram_iterations_low'] : []),
    ];
    expect(scan.notAssessed.map(({ check }) => check).filter(check => !without.includes(check))).toEqual([]);
  });

  it('cannot be misled by objects that users create to shadow the catalogs', async () => {
    const server = await running(
      startPostgresServer(certificate, [], {
        ...ofServer,
        hba: 'host all all 127.0.0.1/32 scram-sha-256',
        fill: async client => {
          await client.query("alter role admin password 'x'; create table public.called ()");
          // Replacements for what the queries use, first in the search path of the scanning role.
          await client.query(`
            create schema trap;
            create function trap.note() returns text language plpgsql as 'begin raise exception ''called''; end';
            create function trap.eq(name, name) returns boolean language sql as 'select trap.note() is not null';
            create operator trap.= (function = trap.eq, leftarg = name, rightarg = name);
            create function trap.left(name, integer) returns text language sql as 'select trap.note()';
            create function trap.has_schema_privilege(text, oid, text) returns boolean language sql
              as 'select trap.note() is null';
            create view trap.pg_roles as select trap.note();
            alter role admin set search_path = trap, pg_catalog, public`);
        },
      }),
    );
    const { capture } = await scanPostgres(server.port, 'admin:x', 'postgres');
    expect(capture.roles).toMatchObject({ assessed: true });
    expect(capture.schemas).toMatchObject({ assessed: true });
    const unread = Object.entries(capture).filter(([, part]) => JSON.stringify(part).includes('refused'));
    expect(unread).toEqual([]);
  });
});

/** It accepts old TLS versions, keeps no log, and its disk is failing. */
const habits = {
  hba: 'host all all samehost scram-sha-256',
  initdb: ['--data-checksums'],
  settings: {
    listen_addresses: '*',
    ssl_min_protocol_version: 'TLSv1',
    log_destination: 'csvlog',
    log_connections: 'on',
    scram_iterations: '1000',
    unix_socket_directories: '.',
  },
  fill: async (client: pg.Client) => {
    // Without TLS, Parapet itself does not log in with a weaker verifier.
    await client.query(`set scram_iterations = 4096; alter role admin password 'x';
      create role app login password 'x'`);
    await client.query('create database sound');
    await inDatabase(client, 'sound', other =>
      other.query('create table public.letters as select 1 as id; checkpoint'),
    );
    // Copied file by file, so that the server reads its pages from disk.
    await client.query('create database damaged template sound strategy file_copy');
    await inDatabase(client, 'damaged', async other => {
      const question = `select current_setting('data_directory') || '/' || pg_relation_filepath('public.letters') as path`;
      const { path } = (await other.query(question)).rows[0];
      const page = await readFile(path);
      page.writeUInt8(page.readUInt8(8_000) ^ 0xff, 8_000);
      await writeFile(path, page);
      await expect(other.query('select * from public.letters')).rejects.toThrow('invalid page');
    });
  },
};
const invalid = ['hba_line_invalid: pg_hba.conf'];
const habitFlaws = [
  'archive_mode_off: archive_mode',
  'checksum_failures: database damaged',
  'fsync_off: fsync',
  'idle_timeout_off: idle_in_transaction_session_timeout',
  'log_disconnections_off: log_disconnections',
  'log_statement_none: log_statement',
  'logging_collector_off: logging_collector',
  'other_databases: other databases',
  'password_checks_missing: shared_preload_libraries',
  'pgaudit_missing: shared_preload_libraries',
  'public_temporary_tables: database postgres',
  'resource_limit_off: temp_file_limit',
  'role_without_connection_limit: role app',
  'role_without_expiry: role app',
  'scram_iterations_low: scram_iterations',
  'security_module_missing: auth_delay',
  'security_module_missing: set_user',
  'statement_timeout_off: statement_timeout',
  'tls_ciphers_weak: ssl_ciphers',
  'tls_minimum_old: ssl_min_protocol_version',
  'unix_socket_open: unix_socket_permissions',
];
const inTime = ['end_of_life: server version', 'version_table_outdated: server version'];
const behind = ['minor_behind: server version'];
const fromElsewhere = ['plaintext_session: role app on database postgres'];

describe('a server with old habits', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgresServer(authority.issue({ covers: ['127.0.0.1'] }), [], habits);
  });
  afterAll(() => server?.close());
  const scan = (port = server.port, at?: Date) =>
    scanPostgres(port, 'admin:x', 'postgres?sslmode=prefer', at);

  it('has exactly its flaws', async () => {
    expect(flawsOf(await scan())).toEqual(habitFlaws);
  });

  it('reports end of life and an outdated version table in time', async () => {
    expect(flawsOf(await scan(server.port, new Date('2040-01-01')))).toEqual(
      [...habitFlaws, ...inTime].sort(),
    );
  });

  it('lacks fixes if it is the first release of its line', async () => {
    // No older PostgreSQL is available here: a relay replaces the server's version with an older one.
    const { version } = (await scan()).capture.server;
    const [own = ''] = /^\d+\.\d+/.exec(version) ?? [];
    const first = own.replace(/\d+$/, minor => '0'.repeat(minor.length));
    const relay = await startRelay(server.port, text => text.replaceAll(own, first));
    try {
      const path = 'postgres?sslmode=disable';
      expect(flawsOf(await scanPostgres(relay.port, 'admin:x', path))).toEqual(
        [...habitFlaws, ...behind].sort(),
      );
    } finally {
      await relay.close();
    }
  });

  it('has an unencrypted session from another machine', async () => {
    // This machine's network address acts as another machine: nothing leaves this machine.
    const [own] = Object.values(networkInterfaces())
      .flatMap(addresses => addresses ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal);
    if (own === undefined) {
      console.warn(
        'This machine has no address besides loopback: unencrypted sessions were not tested with a live server.',
      );
      return;
    }
    const connect = async (host: string) => {
      const client = new pg.Client({
        host,
        port: server.port,
        user: 'app',
        password: 'x',
        database: 'postgres',
      });
      await client.connect();
      return client;
    };
    const local = await connect('127.0.0.1');
    expect(flawsOf(await scan())).toEqual(habitFlaws);
    const remote = await connect(own.address);
    expect(flawsOf(await scan())).toEqual([...habitFlaws, ...fromElsewhere].sort());
    await Promise.all([local.end(), remote.end()]);
  });

  it('has an invalid line in pg_hba.conf', async () => {
    await appendFile(join(server.data, 'pg_hba.conf'), 'host all all 10.1.0.0/16 scram-sha-265\n');
    expect(flawsOf(await scan())).toEqual([...habitFlaws, ...invalid].sort());
  });
});

it('shows every check firing somewhere', () => {
  const all = [badFlaws, laterFlaws, auditFlaws, habitFlaws, invalid, inTime, behind, fromElsewhere]
    .flat()
    .map(flaw => `postgres.${flaw.replace(':', '')}`);
  expect(checksMissing('postgres', all)).toEqual([]);
});

async function hasPgaudit(programs: string): Promise<boolean> {
  const library = programs.replace(/bin$/, 'lib/pgaudit.so');
  return readFile(library).then(
    () => true,
    () => false,
  );
}
