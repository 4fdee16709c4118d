import { describe, expect, it } from 'vitest';
import { checksAboveLow } from '../../../test/support/above-low.ts';
import type { PostgresCapture, PostgresHbaRule } from '../../captures/postgres.ts';
import { detectorsFor } from '../catalogue.ts';
import {
  access,
  bootstrap,
  captureWith,
  hbaRule,
  listed,
  notRead,
  relation,
  role,
  superuser,
} from './hardened-capture.ts';

const everyone: Partial<PostgresHbaRule> = { type: 'host', databases: ['all'], users: ['all'] };
const socket = hbaRule({ ...everyone, type: 'local', address: null, netmask: null, method: 'peer' });
const loopback = [
  hbaRule({ ...everyone, address: '127.0.0.1', netmask: '255.255.255.255' }),
  hbaRule({ ...everyone, address: '::1', netmask: 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff' }),
];
/** The customer's administrator on a managed service, which has no superuser for customers. */
const administrator = {
  create_role: true,
  create_db: true,
  replication: true,
  bypass_rls: true,
  owns_relations: true,
};
const member = (name: string, of: string) => ({
  role: of,
  member: name,
  admin: false,
  inherits: true,
  can_set: true,
});
const noPasswords = notRead('Reading pg_authid needs a superuser.');
/** Managed services handle storage themselves, with settings that would be flaws elsewhere. */
const ofService = {
  listen_addresses: '*',
  fsync: 'off',
  data_checksums: 'off',
  archive_mode: 'off',
  logging_collector: 'off',
  log_file_mode: '0644',
};

const servers: readonly { name: string; capture: PostgresCapture; expected?: readonly string[] }[] = [
  {
    name: 'Amazon RDS or Aurora, a minor release behind, with its rules and its proxy',
    capture: captureWith({
      server: {
        ...captureWith().server,
        version: '17.4',
        banner: 'PostgreSQL 17.4 on aarch64-unknown-linux-gnu, compiled by gcc',
      },
      changed: ofService,
      roles: listed(
        role('rdsadmin', { bootstrap: true, ...superuser }),
        role('rds_superuser', { can_log_in: false, has_members: true }),
        role('rdsproxyadmin'),
        role('master', { ...administrator, member_of: ['rds_superuser'] }),
        role('app'),
      ),
      password_kinds: noPasswords,
      hba_rules: listed(
        hbaRule({ ...everyone, users: ['rdsadmin'], address: 'samehost', netmask: null, method: 'trust' }),
        hbaRule({ ...everyone, type: 'hostssl', users: ['rdsproxyadmin'], address: 'all', netmask: null }),
        hbaRule({ ...everyone, address: 'all', netmask: null, method: 'md5' }),
      ),
      plaintext_sessions: listed({ role: 'rdsadmin', database: 'rdsadmin' }),
    }),
  },
  {
    name: 'Google Cloud SQL',
    capture: captureWith({
      changed: ofService,
      roles: listed(
        role('cloudsqladmin', { bootstrap: true, ...superuser }),
        role('cloudsqlsuperuser', { can_log_in: false, has_members: true, ...administrator }),
        role('cloudsqlagent', superuser),
        role('cloudsqlreplica', { replication: true }),
        role('postgres', { ...administrator, member_of: ['cloudsqlsuperuser'] }),
        role('app'),
      ),
      password_kinds: noPasswords,
      hba_rules: notRead(),
      extensions: listed(
        { name: 'plpgsql', schema: 'pg_catalog', installed: '1.0', available: '1.0' },
        { name: 'google_vacuum_mgmt', schema: 'google_vacuum_mgmt', installed: '1.0', available: '1.0' },
      ),
    }),
  },
  {
    name: 'Azure Database for PostgreSQL, flexible server',
    capture: captureWith({
      changed: ofService,
      roles: listed(
        role('azuresu', { bootstrap: true, ...superuser }),
        role('azure_pg_admin', { can_log_in: false, has_members: true }),
        role('replication', { replication: true }),
        role('clinicadmin', { ...administrator, member_of: ['azure_pg_admin'] }),
      ),
      password_kinds: noPasswords,
      hba_rules: notRead(),
    }),
  },
  {
    name: 'Supabase, with its services at work',
    capture: captureWith({
      changed: { ...ofService, log_statement: 'ddl' },
      roles: listed(
        role('supabase_admin', { bootstrap: true, ...superuser }),
        role('postgres', { ...administrator }),
        role('authenticator'),
        role('supabase_auth_admin', { create_role: true, owns_relations: true }),
        role('supabase_storage_admin', { create_role: true, owns_relations: true }),
        role('supabase_replication_admin', { replication: true }),
        role('service_role', { can_log_in: false, bypass_rls: true, has_members: true }),
        role('anon', { can_log_in: false }),
        role('authenticated', { can_log_in: false }),
      ),
      hba_rules: listed(
        socket,
        hbaRule({ ...everyone, address: '127.0.0.1', netmask: '255.255.255.255', method: 'trust' }),
        hbaRule({ ...everyone, address: '0.0.0.0', netmask: '0.0.0.0' }),
        hbaRule({ ...everyone, address: '::', netmask: '::' }),
      ),
      plaintext_sessions: listed(
        { role: 'authenticator', database: 'postgres' },
        { role: 'supabase_auth_admin', database: 'postgres' },
      ),
      relations: listed(
        relation({ access: [access('anon'), access('authenticated')] }),
        relation({ schema: 'auth', name: 'users', access: [] }),
        relation({ schema: 'storage', name: 'objects', access: [access('anon'), access('authenticated')] }),
      ),
      memberships: listed(
        ...['anon', 'authenticated', 'service_role'].map(name => member('authenticator', name)),
        member('postgres', 'pg_read_all_data'),
        member('supabase_storage_admin', 'authenticator'),
      ),
      special_objects: listed(
        {
          kind: 'default privilege',
          name: 'tables of postgres in schema public',
          owner: 'postgres',
          role: 'anon',
          detail: 'DELETE, INSERT, SELECT',
        },
        {
          kind: 'event trigger',
          name: 'issue_pg_cron_access',
          role: null,
          detail: '',
          owner: 'supabase_admin',
        },
      ),
      extensions: listed(
        { name: 'plpgsql', schema: 'pg_catalog', installed: '1.0', available: '1.0' },
        { name: 'pg_graphql', schema: 'graphql', installed: '1.5.11', available: '1.5.11' },
      ),
      definer_functions: listed({
        signature: 'vault.create_secret(text)',
        schema: 'vault',
        owner_is_superuser: true,
        public_may_execute: true,
        api_roles: [],
        trigger: false,
        search_path_fixed: false,
        search_path: null,
      }),
    }),
  },
  {
    name: 'Neon',
    capture: captureWith({
      changed: { ...ofService, ssl: 'off' },
      roles: listed(
        role('cloud_admin', { bootstrap: true, ...superuser }),
        role('neon_superuser', { can_log_in: false, has_members: true, ...administrator }),
        role('neondb_owner', { ...administrator, member_of: ['neon_superuser'] }),
        role('app', { ...administrator, member_of: ['neon_superuser'] }),
      ),
      hba_rules: notRead(),
      password_kinds: noPasswords,
    }),
  },
  {
    name: 'a default server of Debian, with a log by pg_ctlcluster and WAL archiving',
    capture: captureWith({
      server: {
        ...captureWith().server,
        version: '15.18 (Debian 15.18-0+deb12u1)',
        banner: 'PostgreSQL 15.18 (Debian 15.18-0+deb12u1) on x86_64-pc-linux-gnu',
      },
      changed: {
        listen_addresses: 'localhost',
        logging_collector: 'off',
        log_line_prefix: '%m [%p] %q%u@%d ',
      },
      hba_rules: listed(
        hbaRule({
          ...everyone,
          type: 'local',
          users: ['postgres'],
          address: null,
          netmask: null,
          method: 'peer',
        }),
        socket,
        ...loopback,
        hbaRule({
          ...everyone,
          databases: ['replication'],
          type: 'local',
          address: null,
          netmask: null,
          method: 'peer',
        }),
        ...loopback.map(rule => ({ ...rule, databases: ['replication'] })),
      ),
    }),
  },
  {
    name: 'PostgREST with an API of views over private tables',
    capture: captureWith({
      overrides: listed(
        { role: 'authenticator', database: null, name: 'pgrst.db_schemas', value: 'api' },
        { role: 'authenticator', database: null, name: 'pgrst.db_anon_role', value: 'web_anon' },
      ),
      roles: listed(
        bootstrap,
        role('authenticator'),
        role('web_anon', { can_log_in: false, has_members: true, of_api: true }),
        role('owner', { owns_relations: true }),
      ),
      memberships: listed(member('authenticator', 'web_anon')),
      relations: listed(
        relation({ schema: 'private', name: 'todos', access: [] }),
        relation({
          schema: 'api',
          name: 'todos',
          kind: 'view',
          row_security: false,
          access: [access('web_anon')],
        }),
      ),
    }),
  },
  {
    name: 'a primary of Patroni, with replication in a private network and monitoring',
    capture: captureWith({
      changed: {
        unix_socket_permissions: '0777',
        temp_file_limit: '-1',
        ssl_ciphers: 'HIGH:MEDIUM:+3DES:!aNULL',
      },
      roles: listed(
        bootstrap,
        role('app'),
        role('replicator', { replication: true }),
        role('exporter'),
        role('dumper'),
      ),
      memberships: listed(member('exporter', 'pg_monitor'), member('dumper', 'pg_read_all_data')),
      privileged_functions: listed({ name: 'pg_switch_wal', role: 'dumper' }),
      hba_rules: listed(
        socket,
        ...loopback,
        hbaRule({ databases: ['replication'], users: ['replicator'] }),
        hbaRule({ databases: ['clinic'], users: ['app'] }),
      ),
    }),
  },
  {
    name: 'a standby of another server',
    capture: captureWith({
      server: { ...captureWith().server, in_recovery: true },
      changed: { archive_mode: 'off' },
    }),
  },
  {
    name: 'PgBouncer in front, on the same machine',
    capture: captureWith({
      changed: { listen_addresses: '127.0.0.1' },
      roles: listed(bootstrap, role('app'), role('pgbouncer')),
      definer_functions: listed({
        signature: 'pgbouncer.get_auth(text)',
        schema: 'pgbouncer',
        owner_is_superuser: true,
        public_may_execute: false,
        api_roles: [],
        trigger: false,
        search_path_fixed: true,
        search_path: null,
      }),
      hba_rules: listed(socket, ...loopback),
    }),
  },
  {
    name: 'Ubuntu’s package after the project’s end of support: time to plan, not an alarm',
    capture: captureWith({
      server: {
        ...captureWith().server,
        version: '14.23 (Ubuntu 14.23-0ubuntu0.22.04.1)',
        banner: 'PostgreSQL 14.23 (Ubuntu 14.23-0ubuntu0.22.04.1) on x86_64-pc-linux-gnu',
      },
    }),
    expected: ['postgres.end_of_life'],
  },
  {
    name: 'the default container image: open to anyone who reaches the port',
    capture: captureWith({
      changed: { ...ofService, fsync: 'on', ssl: 'off', shared_preload_libraries: '', 'pgaudit.log': '' },
      password_kinds: listed({ role: 'postgres', kind: 'scram' }),
      roles: listed(bootstrap),
      hba_rules: listed(
        { ...socket, method: 'trust' },
        ...loopback.map(rule => ({ ...rule, method: 'trust' })),
        hbaRule({ ...everyone, address: 'all', netmask: null }),
      ),
    }),
    expected: [
      'archive_mode_off',
      'data_checksums_off',
      'hba_all_addresses',
      'hba_remote_superuser',
      'hba_trust',
      'listens_on_all_addresses',
      'pgaudit_missing',
      'plaintext_allowed',
      'ssl_off',
    ].map(id => `postgres.${id}`),
  },
];

describe('typical real servers', () => {
  it.each(servers)('$name', ({ capture, expected = [] }) => {
    expect(checksAboveLow(detectorsFor('postgres'), capture)).toEqual(expected);
  });
});
