import type { PostgresQuery } from './query.ts';

/** The settings that detectors compare. */
export const settingNames: readonly string[] = [
  ...['ssl', 'ssl_min_protocol_version', 'listen_addresses', 'password_encryption'],
  ...['log_connections', 'log_disconnections', 'log_statement', 'log_line_prefix', 'log_destination'],
  ...['logging_collector', 'log_file_mode'],
  ...['debug_print_parse', 'debug_print_rewritten', 'debug_print_plan'],
  ...['shared_preload_libraries', 'pgaudit.log', 'pgaudit.role'],
  ...['data_checksums', 'fsync', 'archive_mode'],
  ...['statement_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout'],
  'idle_session_timeout',
  ...['ssl_ciphers', 'ssl_prefer_server_ciphers', 'ssl_ecdh_curve', 'ssl_groups', 'ssl_passphrase_command'],
  ...['log_directory', 'log_filename', 'log_rotation_age', 'log_rotation_size', 'log_truncate_on_rotation'],
  ...['log_min_messages', 'log_min_error_statement', 'log_error_verbosity', 'log_hostname'],
  ...['log_replication_commands', 'syslog_sequence_numbers', 'syslog_split_messages', 'log_timezone'],
  ...['full_page_writes', 'synchronous_commit', 'archive_command', 'archive_library', 'restore_command'],
  ...['data_sync_retry', 'check_function_bodies', 'escape_string_warning', 'event_triggers'],
  ...['zero_damaged_pages', 'ignore_checksum_failure', 'ignore_system_indexes', 'ignore_invalid_pages'],
  ...['allow_system_table_mods', 'allow_in_place_tablespaces', 'session_replication_role', 'row_security'],
  ...['lo_compat_privileges', 'standard_conforming_strings', 'backslash_quote', 'db_user_namespace'],
  ...['krb_caseins_users', 'gss_accept_delegation', 'scram_iterations', 'authentication_timeout'],
  ...['unix_socket_permissions', 'unix_socket_directories', 'superuser_reserved_connections'],
  ...['temp_file_limit', 'session_preload_libraries', 'local_preload_libraries', 'dynamic_library_path'],
  ...['extension_control_path', 'primary_conninfo'],
];

/** Those that only members of pg_read_all_settings can read (GUC_SUPERUSER_ONLY in the server's source). */
export const hiddenSettings: ReadonlySet<string> = new Set([
  ...['shared_preload_libraries', 'session_preload_libraries', 'dynamic_library_path'],
  ...['extension_control_path', 'ssl_min_protocol_version', 'ssl_ciphers', 'ssl_ecdh_curve', 'ssl_groups'],
  ...['ssl_passphrase_command', 'log_directory', 'log_filename', 'unix_socket_directories'],
  'primary_conninfo',
]);

/** Settings that may contain a secret: only what kind of value they have is sent. */
const classified = ['archive_command', 'restore_command', 'primary_conninfo', 'ssl_passphrase_command'];

/**
 * Settings that are also assessed for a role or a database, or that hide the server's value there. None of these
 * contains a secret.
 */
const overrideNames: readonly string[] = [
  ...settingNames.filter(name => !classified.includes(name)),
  ...['pgrst.db_schemas', 'pgrst.db_schema', 'pgrst.db_anon_role', 'pgrst.db_pre_config', 'search_path'],
];

const listed = (names: readonly string[]) => names.map(name => `'${name}'`).join(', ');

export const server: PostgresQuery = {
  name: 'server',
  reads: 'The version, whether the server is a standby, and the privileges of the scanning role.',
  privilege: null,
  sql: `select current_setting('server_version') as version, version() as banner,
  pg_is_in_recovery() as in_recovery, current_database() as database, current_user as reader,
  (select rolsuper from pg_catalog.pg_roles where rolname = current_user) as reader_is_superuser,
  pg_has_role('pg_read_all_settings', 'USAGE') as reads_all_settings,
  pg_has_role('pg_read_all_stats', 'USAGE') as reads_all_stats`,
};

export const settings: PostgresQuery = {
  name: 'settings',
  reads:
    'Settings by name. Values set by the scan’s own session are read as they were before. Of commands and connection strings, only whether they are empty, contain a password, or discard what they should archive. Names and places of libraries, logs, sockets and TLS parameters are hidden without the privilege.',
  privilege: 'membership in pg_read_all_settings',
  sql: `select name, case when name in ('statement_timeout', 'idle_in_transaction_session_timeout')
    then reset_val
  when name not in (${listed(classified)}) then left(setting, 10000)
  when btrim(setting) in ('', '(disabled)') then 'empty'
  when setting ~* '(password|passwd|pwd|secret|token|access_?key|cipher-pass)(?![a-z_]*file)[a-z_]*[[:space:]]*=[[:space:]]*["'']?[^[:space:]$"'']'
    or name = 'ssl_passphrase_command' and setting ~ '^[[:space:]]*(/usr)?(/bin/)?(echo|printf)[[:space:]]+[^$]' then 'secret'
  when setting ~ '^[[:space:]]*((/usr)?/bin/)?(true|:|exit[[:space:]]+0|echo([[:space:]].*)?)[[:space:]]*$' then 'discards'
  else 'set' end as value
from pg_catalog.pg_settings
where name in (${listed(settingNames)})
order by name`,
};

export const overrides: PostgresQuery = {
  name: 'overrides',
  reads: 'Settings of roles and of this database, from a fixed list of names that contain no secrets.',
  privilege: null,
  sql: `select r.rolname as role, d.datname as database, split_part(c, '=', 1) as name,
  substr(c, strpos(c, '=') + 1, 1000) as value
from pg_catalog.pg_db_role_setting s
cross join lateral unnest(s.setconfig) as c
left join pg_catalog.pg_roles r on r.oid = s.setrole
left join pg_catalog.pg_database d on d.oid = s.setdatabase
where split_part(c, '=', 1) in (${listed(overrideNames)})
  and (s.setdatabase = 0 or d.datname = current_database())
order by 1, 2, 3`,
};

export const archiver: PostgresQuery = {
  name: 'archiver',
  reads: 'Whether WAL archiving is failing, and whether a physical replication slot exists.',
  privilege: null,
  sql: `select last_failed_time is not null
    and (last_archived_time is null or last_failed_time > last_archived_time) as failing,
  exists (select from pg_catalog.pg_replication_slots where slot_type = 'physical') as has_physical_slot
from pg_catalog.pg_stat_archiver`,
};

export const checksumFailures: PostgresQuery = {
  name: 'checksum failures',
  reads: 'Names of databases with checksum failures.',
  privilege: null,
  sql: `select coalesce(datname, 'shared objects') as name
from pg_catalog.pg_stat_database
where checksum_failures > 0
order by 1`,
};
