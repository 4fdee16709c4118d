import type {
  Listed,
  PostgresCapture,
  PostgresHbaRule,
  PostgresPolicy,
  PostgresRelation,
  PostgresRole,
} from '../../captures/postgres.ts';

import type { PostgresDatabase } from '../../captures/postgres-rights.ts';

/** The capture of a server for which no check fails; golden cases change one part. */

export const listed = <T>(...rows: T[]) => ({ assessed: true as const, value: { rows, truncated: false } });
export const truncated = <T>(...rows: T[]): Listed<T> => ({
  assessed: true,
  value: { rows, truncated: true },
});
export const notRead = (reason = 'Reading it needs a privilege.') => ({ assessed: false as const, reason });

const hardenedSettings: Readonly<Record<string, string>> = {
  ssl: 'on',
  ssl_min_protocol_version: 'TLSv1.2',
  listen_addresses: '10.1.2.3',
  password_encryption: 'scram-sha-256',
  log_connections: 'on',
  log_disconnections: 'on',
  log_statement: 'ddl',
  log_line_prefix: '%m [%p] %q%u@%d %h ',
  log_destination: 'stderr',
  logging_collector: 'on',
  log_file_mode: '0600',
  debug_print_parse: 'off',
  debug_print_rewritten: 'off',
  debug_print_plan: 'off',
  shared_preload_libraries: 'pgaudit, passwordcheck, auth_delay, set_user',
  'pgaudit.log': 'ddl, role, write',
  'pgaudit.role': '',
  data_checksums: 'on',
  fsync: 'on',
  archive_mode: 'on',
  statement_timeout: '60000',
  transaction_timeout: '0',
  idle_in_transaction_session_timeout: '60000',
  idle_session_timeout: '0',
  ssl_ciphers: 'HIGH:!aNULL:!3DES',
  ssl_prefer_server_ciphers: 'on',
  ssl_ecdh_curve: 'prime256v1',
  ssl_groups: 'X25519:prime256v1',
  ssl_passphrase_command: 'empty',
  log_directory: '/var/log/postgresql',
  log_filename: 'postgresql-%Y-%m-%d_%H%M%S.log',
  log_rotation_age: '1440',
  log_rotation_size: '10240',
  log_truncate_on_rotation: 'off',
  log_min_messages: 'warning',
  log_min_error_statement: 'error',
  log_error_verbosity: 'default',
  log_hostname: 'off',
  log_replication_commands: 'on',
  syslog_sequence_numbers: 'on',
  syslog_split_messages: 'on',
  log_timezone: 'Etc/UTC',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  archive_command: 'set',
  archive_library: '',
  restore_command: 'empty',
  data_sync_retry: 'off',
  check_function_bodies: 'on',
  escape_string_warning: 'on',
  event_triggers: 'on',
  zero_damaged_pages: 'off',
  ignore_checksum_failure: 'off',
  ignore_system_indexes: 'off',
  ignore_invalid_pages: 'off',
  allow_system_table_mods: 'off',
  allow_in_place_tablespaces: 'off',
  session_replication_role: 'origin',
  row_security: 'on',
  lo_compat_privileges: 'off',
  standard_conforming_strings: 'on',
  backslash_quote: 'safe_encoding',
  db_user_namespace: 'off',
  krb_caseins_users: 'off',
  gss_accept_delegation: 'off',
  scram_iterations: '4096',
  authentication_timeout: '60',
  unix_socket_permissions: '0770',
  unix_socket_directories: '/var/run/postgresql',
  superuser_reserved_connections: '3',
  temp_file_limit: '10485760',
  session_preload_libraries: '',
  local_preload_libraries: '',
  dynamic_library_path: '$libdir',
  extension_control_path: '$system',
  primary_conninfo: 'empty',
};

/** Settings of the hardened server with changes; null omits one, like a server that hides it. */
function settingsWith(changes: Readonly<Record<string, string | null>>): PostgresCapture['settings'] {
  return Object.entries({ ...hardenedSettings, ...changes }).map(([name, value]) => ({
    name,
    value: value === null ? notRead() : { assessed: true, value },
  }));
}

export function hbaRule(changes: Partial<PostgresHbaRule> = {}): PostgresHbaRule {
  return {
    type: 'hostssl',
    databases: ['clinic'],
    users: ['app'],
    address: '10.0.0.0',
    netmask: '255.0.0.0',
    method: 'scram-sha-256',
    client_certificate: false,
    map: null,
    ldap_tls: false,
    any_realm: false,
    broken: false,
    ...changes,
  };
}

/** A login role of the hardened server. */
export function role(name: string, changes: Partial<PostgresRole> = {}): PostgresRole {
  return {
    name,
    bootstrap: false,
    superuser: false,
    can_log_in: true,
    create_role: false,
    create_db: false,
    replication: false,
    bypass_rls: false,
    connection_limit: 20,
    expires: true,
    valid_until: '2027-01-01T00:00:00',
    has_members: false,
    owns_relations: false,
    of_api: false,
    member_of: [],
    memberships_hash: null,
    ...changes,
  };
}

/** Attributes of a superuser, as created by `initdb` and by services. */
export const superuser = {
  superuser: true,
  create_role: true,
  create_db: true,
  replication: true,
  bypass_rls: true,
  connection_limit: -1,
  expires: false,
  valid_until: null,
} as const;

/** The superuser created by `initdb`. Its name identifies a managed service. */
export const firstSuperuser = (name: string) => role(name, { bootstrap: true, ...superuser });
export const bootstrap = firstSuperuser('postgres');

export function relation(changes: Partial<PostgresRelation> = {}): PostgresRelation {
  return {
    schema: 'public',
    name: 'visits',
    kind: 'table',
    row_security: true,
    exempt_owner: null,
    security_invoker: false,
    access: [],
    bypasses_row_security: false,
    reads_schemas: [],
    ...changes,
  };
}

export function policy(changes: Partial<PostgresPolicy> = {}): PostgresPolicy {
  return {
    schema: 'public',
    relation: 'visits',
    name: 'own rows',
    row_security: true,
    permissive: true,
    command: 'all',
    roles: ['PUBLIC'],
    using: 'other',
    check: 'other',
    ...changes,
  };
}

/** A role's privileges on a relation. */
export function access(name: string, may: { write?: boolean; truncate?: boolean; read?: boolean } = {}) {
  return { role: name, read: true, write: false, truncate: false, ...may };
}

export function database(name: string, changes: Partial<PostgresDatabase> = {}): PostgresDatabase {
  return {
    name,
    is_template: false,
    public_may_create: false,
    public_may_create_temporary: false,
    api_creators: [],
    ...changes,
  };
}

/** The hardened server's capture with some parts replaced. An API serves its schema public. */
export function captureWith(
  changes: Partial<PostgresCapture> & { readonly changed?: Readonly<Record<string, string | null>> } = {},
): PostgresCapture {
  const { changed = {}, ...parts } = changes;
  return {
    collected_at: '2026-11-21T08:00:00.000Z',
    over: 'loopback',
    server: {
      version: '18.4',
      banner: 'PostgreSQL 18.4 on x86_64-pc-linux-gnu, compiled by gcc, 64-bit',
      in_recovery: false,
      database: 'clinic',
      reader: 'parapet_reader',
      reader_is_superuser: false,
    },
    settings: settingsWith(changed),
    overrides: listed({ role: 'authenticator', database: null, name: 'pgrst.db_schemas', value: 'public' }),
    hba_rules: listed(
      hbaRule({
        type: 'local',
        databases: ['all'],
        users: ['all'],
        address: null,
        netmask: null,
        method: 'peer',
      }),
      hbaRule(),
    ),
    hba_changed: { assessed: true, value: false },
    plaintext_sessions: listed(),
    roles: listed(
      bootstrap,
      role('app'),
      role('anon', { can_log_in: false, connection_limit: -1, of_api: true }),
    ),
    password_kinds: listed({ role: 'postgres', kind: 'none' }, { role: 'app', kind: 'scram' }),
    grants: listed({ name: 'table public.t', hash: '1' }),
    row_security_hashes: listed({ name: 'row security of public.visits', hash: '1' }),
    memberships: listed(),
    ident_mappings: listed(),
    databases: listed(database('clinic')),
    privileged_functions: listed(),
    parameter_privileges: listed(),
    special_objects: listed(),
    mutable_functions: listed(),
    schemas: listed({ name: 'public', public_may_create: false, api_creators: [] }),
    relations: listed(relation({ access: [access('anon')] })),
    columns: listed(),
    policies: listed(policy()),
    definer_functions: listed(),
    untrusted_languages: listed(),
    extensions: listed({ name: 'plpgsql', schema: 'pg_catalog', installed: '1.0', available: '1.0' }),
    user_mappings: listed(),
    archiver: { assessed: true, value: { failing: false, has_physical_slot: false } },
    checksum_failures: listed(),
    ...parts,
  };
}

/** Only the first query was answered. */
export const nothingRead: PostgresCapture = {
  ...captureWith(),
  settings: [],
  overrides: notRead(),
  hba_rules: notRead(),
  hba_changed: notRead(),
  plaintext_sessions: notRead(),
  roles: notRead(),
  password_kinds: notRead(),
  memberships: notRead(),
  ident_mappings: notRead(),
  databases: notRead(),
  privileged_functions: notRead(),
  parameter_privileges: notRead(),
  special_objects: notRead(),
  mutable_functions: notRead(),
  schemas: notRead(),
  grants: notRead(),
  row_security_hashes: notRead(),
  relations: notRead(),
  columns: notRead(),
  policies: notRead(),
  definer_functions: notRead(),
  untrusted_languages: notRead(),
  extensions: notRead(),
  user_mappings: notRead(),
  archiver: notRead(),
  checksum_failures: notRead(),
};
