import { targetLimits } from '../../captures/limits.ts';
import { grantQueries } from './grant-queries.ts';
import { type MysqlQuery, maxRows } from './query.ts';

const variableNames = [
  ...['version', 'version_comment', 'basedir', 'aurora_version', 'performance_schema'],
  ...['require_secure_transport', 'tls_version', 'have_ssl', 'skip_networking', 'bind_address'],
  ...['mysqlx_bind_address', 'admin_address'],
  ...['local_infile', 'secure_file_priv', 'log_raw', 'sql_mode'],
  'mandatory_roles',
  ...['validate_password.policy', 'validate_password_policy'],
  ...['simple_password_check_minimal_length', 'cracklib_password_check_dictionary'],
  ...['server_audit_logging', 'audit_log_file', 'audit_log_policy', 'audit_log_filter.file'],
  ...['audit_log_enabled', 'cloudsql_mysql_audit'],
  ...['general_log', 'log_output', 'slow_query_log', 'log_error', 'log_warnings', 'log_error_verbosity'],
  ...['log_bin', 'sync_binlog', 'innodb_flush_log_at_trx_commit', 'innodb_doublewrite'],
  ...['skip_grant_tables', 'allow_suspicious_udfs', 'secure_auth', 'old_passwords', 'have_symlink'],
  ...['log_bin_trust_function_creators', 'foreign_key_checks', 'check_constraint_checks'],
  ...['validate_password.', 'validate_password_'].flatMap(prefix =>
    ['length', 'check_user_name', 'number_count', 'mixed_case_count', 'special_char_count'].map(
      name => `${prefix}${name}`,
    ),
  ),
  ...['simple_password_check_digits', 'simple_password_check_letters_same_case'],
  ...['simple_password_check_other_characters', 'strict_password_validation'],
  ...['default_password_lifetime', 'password_history', 'password_reuse_interval', 'max_password_errors'],
  'password_require_current',
  'connection_control_failed_connections_threshold',
  'component_connection_control.failed_connections_threshold',
  ...['wait_timeout', 'interactive_timeout', 'ssl_cipher'],
  ...['innodb_encrypt_tables', 'innodb_encrypt_log', 'encrypt_tmp_files', 'encrypt_binlog'],
  ...['group_replication_group_name', 'group_replication_ssl_mode', 'wsrep_on', 'wsrep_provider_options'],
  ...['default_table_encryption', 'innodb_redo_log_encrypt', 'innodb_undo_log_encrypt', 'binlog_encryption'],
];

const variables = `show global variables where variable_name in (${variableNames
  .map(name => `'${name}'`)
  .join(', ')})`;

/** Global privileges: their name in a grant, the column of MySQL's table, and the bit in MariaDB's. */
const privileges = [
  ['SUPER', 'Super_priv', 1n << 15n],
  ['FILE', 'File_priv', 1n << 9n],
  ['PROCESS', 'Process_priv', 1n << 8n],
  ['SHUTDOWN', 'Shutdown_priv', 1n << 7n],
  ['GRANT OPTION', 'Grant_priv', 1n << 10n],
  ['CREATE USER', 'Create_user_priv', 1n << 25n],
] as const;

const ofMysql = privileges.map(([name, column]) => `if(${column} = 'Y', '${name}', null)`);
const ofMariadb = privileges.map(([name, , bit]) => `if(access & ${bit}, '${name}', null)`);

/**
 * `1 plugin` if no password hash is stored, else `0 plugin`; null if the account does not have this way to log in. One
 * without any has the server's default, whose name is empty.
 */
const logInOfMariadb = (path: string) =>
  `if(json_value(priv, '${path}.plugin') is null${path === '$' ? " and json_exists(priv, '$.auth_or')" : ''}, null,
    concat(coalesce(json_value(priv, '${path}.authentication_string'), '') = '', ' ', coalesce(json_value(priv, '${path}.plugin'), '')))`;

const alternatives = Array.from({ length: targetLimits.logIns }, (_, index) => `$.auth_or[${index}]`);

export const mysqlQueries: readonly MysqlQuery[] = [
  {
    name: 'variables',
    reads: 'Global settings by name. Servers omit settings that they do not have.',
    privilege: { mysql: null, mariadb: null },
    sql: { mysql: variables, mariadb: variables },
  },
  {
    name: 'accounts',
    reads:
      'Every account: host pattern, authentication plugins, whether a password is stored, and six global privileges; on MariaDB, all of them, to notice changes. The server makes the comparison; stored passwords are not sent.',
    privilege: { mysql: 'SELECT on mysql.user', mariadb: 'SELECT on mysql.global_priv' },
    sql: {
      mysql: `select user as user, host as host, 'N' as is_role, account_locked as locked,
  if(ssl_type = '', 'N', 'Y') as requires_tls,
  concat(coalesce(authentication_string, '') = '', ' ', plugin) as log_ins,
  concat_ws(',', ${ofMysql.join(',\n    ')}) as privileges,
  '' as all_privileges
from mysql.user order by user, host limit ${maxRows + 1}`,
      mariadb: `select user as user, host as host,
  if(json_value(priv, '$.is_role') = 1, 'Y', 'N') as is_role,
  if(json_value(priv, '$.account_locked') = 1, 'Y', 'N') as locked,
  if(coalesce(json_value(priv, '$.ssl_type'), 0) = 0, 'N', 'Y') as requires_tls,
  concat_ws(',', ${['$', ...alternatives].map(logInOfMariadb).join(',\n    ')}) as log_ins,
  greatest(coalesce(json_length(priv, '$.auth_or'), 0) - ${targetLimits.logIns}, 0) as unread_log_ins,
  concat_ws(',', ${ofMariadb.join(',\n    ')}) as privileges,
  conv(access, 10, 36) as all_privileges
from (
  select user, host, priv, cast(json_value(priv, '$.access') as unsigned) as access
  from mysql.global_priv order by user, host limit ${maxRows + 1}
) as account`,
    },
  },
  {
    name: 'role grants',
    reads:
      'Roles granted to accounts and other roles, active after login or not, and whether they can be granted on. Not sent to MySQL before 8.0, which has no roles.',
    privilege: { mysql: 'SELECT on mysql.role_edges', mariadb: 'SELECT on mysql.roles_mapping' },
    sql: {
      mysql: `select from_user as role, from_host as role_host, to_user as user, to_host as host, with_admin_option as with_admin
from mysql.role_edges order by role, role_host, user, host limit ${maxRows + 1}`,
      mariadb: `select role as role, '' as role_host, user as user, host as host, admin_option as with_admin
from mysql.roles_mapping order by role, user, host limit ${maxRows + 1}`,
    },
  },
  {
    name: 'plaintext users',
    reads: 'Names of accounts with current TCP connections without TLS, except from loopback.',
    privilege: {
      mysql: 'SELECT on performance_schema.threads',
      mariadb: 'SELECT on performance_schema.threads',
    },
    sql: {
      mysql: plaintextUsers(),
      mariadb: plaintextUsers(),
    },
  },
  ...grantQueries,
];

function plaintextUsers(): string {
  return `select distinct processlist_user as user from performance_schema.threads
where type = 'FOREGROUND' and connection_type = 'TCP/IP' and processlist_user is not null
  and processlist_host not in ('localhost', '127.0.0.1', '::1') and processlist_id <> connection_id()
order by processlist_user limit ${maxRows + 1}`;
}
