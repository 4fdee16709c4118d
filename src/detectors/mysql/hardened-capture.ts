import type { Assessment } from '../../captures/assessment.ts';
import type { MysqlAccount, MysqlCapture } from '../../captures/mysql.ts';

/** Captures of servers for which no check fails; golden cases change one part. */

export const seen = <T>(value: T): Assessment<T> => ({ assessed: true, value });
export const notSeen = (reason = 'The account lacks SELECT on mysql.user.') => ({
  assessed: false as const,
  reason,
});

/** An answer that was read completely. */
export const rows = <T>(...list: readonly T[]) => seen({ rows: list, truncated: false });

export const plaintextUsers = (users: readonly string[]) => seen({ users, truncated: false });

/** Role grants, written as `role@host > user@host`. */
export function roleGrants(...grants: readonly string[]): MysqlCapture['role_grants'] {
  const nameIn = (text = '') => ({ user: text.split('@')[0] ?? '', host: text.split('@')[1] ?? '' });
  return seen({
    grants: grants.map(grant => {
      const [role, to] = grant.split(' > ');
      return { role: nameIn(role), to: nameIn(to), with_admin: false };
    }),
    truncated: false,
  });
}

export function account(user: string, host: string, changes: Partial<MysqlAccount> = {}): MysqlAccount {
  return {
    user,
    host,
    is_role: false,
    locked: false,
    requires_tls: false,
    log_ins: [{ plugin: 'caching_sha2_password', empty: false }],
    unread_log_ins: 0,
    privileges: [],
    all_privileges: '',
    ...changes,
  };
}

export const allPrivileges = ['SUPER', 'FILE', 'PROCESS', 'SHUTDOWN', 'GRANT OPTION', 'CREATE USER'];

/** Both servers report these. */
const commonVariables: Readonly<Record<string, string>> = {
  general_log: 'OFF',
  log_output: 'FILE',
  slow_query_log: 'ON',
  log_error: '/var/log/mysql/error.log',
  log_bin: 'ON',
  sync_binlog: '1',
  innodb_flush_log_at_trx_commit: '1',
  innodb_doublewrite: 'ON',
  log_bin_trust_function_creators: 'OFF',
  foreign_key_checks: 'ON',
  default_password_lifetime: '365',
  wait_timeout: '28800',
  interactive_timeout: '28800',
  ssl_cipher: '',
};

/** MySQL 8.4 from the vendor's packages, hardened. */
const mysqlVariables: Readonly<Record<string, string>> = {
  ...commonVariables,
  version: '8.4.13',
  version_comment: 'MySQL Community Server - GPL',
  basedir: '/usr/',
  performance_schema: 'ON',
  require_secure_transport: 'ON',
  tls_version: 'TLSv1.2,TLSv1.3',
  skip_networking: 'OFF',
  bind_address: '*',
  local_infile: 'OFF',
  secure_file_priv: '/var/lib/mysql-files/',
  log_raw: 'OFF',
  sql_mode:
    'ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION',
  'validate_password.policy': 'MEDIUM',
  'validate_password.length': '14',
  log_error_verbosity: '2',
  have_symlink: 'DISABLED',
  password_history: '5',
  password_reuse_interval: '365',
  connection_control_failed_connections_threshold: '3',
  default_table_encryption: 'OFF',
  innodb_redo_log_encrypt: 'ON',
  innodb_undo_log_encrypt: 'ON',
  binlog_encryption: 'ON',
  audit_log_file: 'audit.log',
};

const system = { locked: true, log_ins: [{ plugin: 'caching_sha2_password', empty: false }] };

export const mysqlAccounts: readonly MysqlAccount[] = [
  account('root', 'localhost', {
    log_ins: [{ plugin: 'auth_socket', empty: true }],
    privileges: allPrivileges,
  }),
  account('shop', '10.1.%'),
  account('mysql.sys', 'localhost', system),
  account('mysql.session', 'localhost', { ...system, privileges: ['SUPER', 'SHUTDOWN'] }),
  account('mysql.infoschema', 'localhost', system),
  // A role of MySQL is a locked account without a password.
  account('readers', '%', { locked: true, log_ins: [{ plugin: 'caching_sha2_password', empty: true }] }),
];

/** MariaDB of Debian 12, hardened. */
const mariadbVariables: Readonly<Record<string, string>> = {
  ...commonVariables,
  version: '10.11.19-MariaDB-0+deb12u1',
  version_comment: 'Debian 12',
  basedir: '/usr/',
  performance_schema: 'ON',
  require_secure_transport: 'ON',
  tls_version: 'TLSv1.2,TLSv1.3',
  have_ssl: 'YES',
  skip_networking: 'OFF',
  bind_address: '0.0.0.0',
  local_infile: 'OFF',
  secure_file_priv: '/var/lib/mysql-files/',
  sql_mode: 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_AUTO_CREATE_USER,NO_ENGINE_SUBSTITUTION',
  simple_password_check_minimal_length: '14',
  strict_password_validation: 'ON',
  log_warnings: '2',
  have_symlink: 'DISABLED',
  max_password_errors: '100',
  innodb_encrypt_tables: 'OFF',
  innodb_encrypt_log: 'ON',
  encrypt_tmp_files: 'ON',
  encrypt_binlog: 'ON',
  server_audit_logging: 'ON',
};

export const mariadbAccounts: readonly MysqlAccount[] = [
  account('root', 'localhost', {
    log_ins: [
      { plugin: 'mysql_native_password', empty: false },
      { plugin: 'unix_socket', empty: true },
    ],
    privileges: allPrivileges,
  }),
  account('mysql', 'localhost', {
    log_ins: [
      { plugin: 'mysql_native_password', empty: false },
      { plugin: 'unix_socket', empty: true },
    ],
    privileges: allPrivileges,
  }),
  account('mariadb.sys', 'localhost', {
    locked: true,
    log_ins: [{ plugin: 'mysql_native_password', empty: true }],
  }),
  account('shop', '10.1.%', { log_ins: [{ plugin: 'ed25519', empty: false }] }),
  account('readers', '', { is_role: true, log_ins: [] }),
  account('PUBLIC', '', { is_role: true, log_ins: [] }),
];

/** A hardened MySQL 8.4 with changed settings; null removes one. */
export function mysqlWith(
  settings: Readonly<Record<string, string | null>> = {},
  accounts: readonly MysqlAccount[] = mysqlAccounts,
): MysqlCapture {
  return capture({ ...mysqlVariables, ...settings }, accounts);
}

/** A hardened MariaDB 10.11 with changed settings; null removes one. */
export function mariadbWith(
  settings: Readonly<Record<string, string | null>> = {},
  accounts: readonly MysqlAccount[] = mariadbAccounts,
): MysqlCapture {
  return capture({ ...mariadbVariables, ...settings }, accounts);
}

function capture(
  settings: Readonly<Record<string, string | null>>,
  accounts: readonly MysqlAccount[],
): MysqlCapture {
  const present = Object.entries(settings).filter((entry): entry is [string, string] => entry[1] !== null);
  return {
    collected_at: '2026-11-21T12:00:00.000Z',
    over: 'loopback',
    variables: seen(Object.fromEntries(present)),
    accounts: seen({ accounts, truncated: false }),
    role_grants: roleGrants(),
    plaintext_users: plaintextUsers([]),
    global_grants: rows(),
    object_grants: rows(),
    proxy_grants: rows(),
  };
}
