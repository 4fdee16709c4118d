import { readFile, writeFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { canTest } from '../../../test/support/can-test.ts';
import { checksMissing } from '../../../test/support/live-scan.ts';
import { poll } from '../../../test/support/poll.ts';
import { type DatabaseServer, startPostgresServer } from '../../../test/support/postgres-server.ts';
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
  filling: pg.Client,
  database: string,
  work: (client: pg.Client) => Promise<unknown>,
) {
  const client = new pg.Client({ host: '127.0.0.1', port: filling.port, user: 'admin', database });
  await client.connect();
  await work(client).finally(() => client.end());
}

/** It must not leave the server. */
const secret = 'hunter2hunter2';
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
  create user mapping for boss server billing options (user 'app', password_required 'false');`;
/** Without `ssl`, `hostssl` never matches. */
const badRules = `
  host clinic boss 127.0.0.1/32 md5
  host clinic app 10.1.0.0/16 trust
  host clinic app 10.2.0.0/16 password
  hostssl clinic app 10.3.0.0/16 md5
  host clinic boss 10.4.0.0/16 scram-sha-256
  host clinic app 0.0.0.0/0 scram-sha-256
`;
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
};

/** Checks with their locators, sorted. */
function flawsOf({ observations }: PostgresScan): string[] {
  return observations.map(({ check, locator }) => `${check.replace('postgres.', '')}: ${locator}`).sort();
}

const badFlaws = [
  'archiver_failing: archiver',
  'auth_tables_exposed: view public.people',
  'bypassrls_role: role ghost',
  'data_checksums_off: data_checksums',
  'debug_print_on: debug_print_plan',
  'extension_outdated: extension pg_stat_statements',
  'extension_risky: extension dblink',
  'extra_createdb: role builder',
  'extra_createrole: role hirer',
  'extra_superuser: role boss',
  'foreign_server_password: foreign server billing for careless',
  'fsync_off: fsync',
  'hba_all_addresses: host clinic app 0.0.0.0 0.0.0.0 scram-sha-256',
  'hba_md5: host clinic boss 127.0.0.1 255.255.255.255 md5',
  'hba_password: host clinic app 10.2.0.0 255.255.0.0 password',
  'hba_remote_superuser: host clinic boss 10.4.0.0 255.255.0.0 scram-sha-256',
  'hba_trust: host clinic app 10.1.0.0 255.255.0.0 trust',
  'idle_timeout_off: idle_in_transaction_session_timeout',
  'listens_on_all_addresses: listen_addresses',
  'log_connections_off: log_connections',
  'log_disconnections_off: log_disconnections',
  'log_file_mode_open: log_file_mode',
  'log_line_prefix_incomplete: log_line_prefix',
  'log_statement_none: log_statement',
  ...['builder', 'careless', 'copier', 'ghost', 'hirer'].map(name => `md5_password: role ${name}`),
  'password_encryption_weak: password_encryption',
  'pgaudit_missing: shared_preload_libraries',
  'plaintext_allowed: host clinic app 0.0.0.0 0.0.0.0 scram-sha-256',
  'plaintext_allowed: host clinic app 10.1.0.0 255.255.0.0 trust',
  'plaintext_allowed: host clinic app 10.2.0.0 255.255.0.0 password',
  'plaintext_allowed: host clinic boss 10.4.0.0 255.255.0.0 scram-sha-256',
  'public_schema_create: schema public',
  'public_table_write: table public.open_table',
  'replication_role_mixed: role copier',
  'rls_disabled: table public.open_table',
  'rls_policies_inactive: table public.unswitched',
  'rls_policy_always_true: policy everything on public.loose',
  'rls_policy_user_metadata: policy trusting on public.claims',
  'rls_without_policy: table public.empty',
  'role_without_connection_limit: role careless',
  'role_without_expiry: role careless',
  'search_path_mutable: public.drop_all(integer)',
  'search_path_mutable: public.led_astray()',
  'security_definer_public: public.drop_all(integer)',
  'sensitive_column_exposed: column public.open_table.dateOfBirth',
  'server_files_member: role loader in pg_execute_server_program',
  'ssl_off: ssl',
  'statement_timeout_off: statement_timeout',
  'untrusted_language: language anything',
  'view_bypasses_rls: view public.claim_list',
];

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
          await client.query('create database clinic');
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
    expect(scan.notAssessed.filter(({ inapplicable }) => !inapplicable)).toEqual([]);
    expect(JSON.stringify(scan)).not.toContain(secret);
    expect(JSON.stringify(scan)).not.toMatch(/md5[0-9a-f]{32}|SCRAM-SHA-256\$/);
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
      shared_preload_libraries,
      'pgaudit.log': pgaudit,
      ...rest
    } = settings;
    expect([ssl_cert_file, ssl_key_file, shared_preload_libraries, pgaudit]).not.toContain(undefined);
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
          archive_command: '/bin/true',
          fsync: 'on',
          ...(audit ? { shared_preload_libraries: shared_preload_libraries!, 'pgaudit.log': pgaudit! } : {}),
        },
        fill: async client => {
          await client.query(await example('roles.sql'));
          await client.query('create database clinic owner clinic_owner');
          await inDatabase(client, 'clinic', async other => {
            await other.query(await example('schema.sql'));
            await other.query(await file('docs/databases/parapet-reader.sql'));
            await other.query(await file('docs/databases/parapet-reader-passwords.sql'));
            await other.query("alter role parapet_reader password 'x'");
          });
          // Access of an API is assessed only if the database names its schemas.
          await client.query("alter database clinic set pgrst.db_schemas = 'clinic'");
        },
      }),
    );
    const scan = await scanPostgres(server.port, 'parapet_reader:x', 'clinic');
    expect(scan.observations.map(({ check }) => check)).toEqual(audit ? [] : ['postgres.pgaudit_missing']);
    expect(scan.notAssessed).toEqual([]);
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
  },
  fill: async (client: pg.Client) => {
    await client.query("alter role admin password 'x'; create role app login password 'x'");
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
const habitFlaws = [
  'archive_mode_off: archive_mode',
  'checksum_failures: database damaged',
  'fsync_off: fsync',
  'idle_timeout_off: idle_in_transaction_session_timeout',
  'log_disconnections_off: log_disconnections',
  'log_statement_none: log_statement',
  'logging_collector_off: logging_collector',
  'pgaudit_missing: shared_preload_libraries',
  'role_without_connection_limit: role app',
  'role_without_expiry: role app',
  'statement_timeout_off: statement_timeout',
  'tls_minimum_old: ssl_min_protocol_version',
];
const inTime = ['end_of_life: server version', 'version_table_outdated: server version'];
const behind = ['minor_behind: server version'];
const fromElsewhere = ['plaintext_session: role app on database postgres'];

describe('a server with old habits', () => {
  let server: DatabaseServer;
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
});

it('shows every check firing somewhere', () => {
  const all = [badFlaws, habitFlaws, inTime, behind, fromElsewhere]
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
