/** A flaw and the finding that it causes. */
export interface MariadbFlaw {
  readonly locator: string;
  /** Run by an administrator; without it, the option file has the flaw. */
  readonly sql?: string;
  /** Replacements for the placeholders in the code. */
  readonly values?: Readonly<Record<string, string>>;
  /** Removes everything that would affect other flaws. */
  readonly after?: string;
}

/** The option file of a server with every flaw that an option file can have. */
export const flawedOptions = `[mysqld]
local_infile = ON
tls_version = TLSv1.1,TLSv1.2,TLSv1.3
sql_mode =
performance_schema = ON
general_log = ON
log_warnings = 1
innodb_flush_log_at_trx_commit = 2
wait_timeout = 86400
ssl_cipher = AES256-SHA:DES-CBC3-SHA
`;

const drop = "DROP USER IF EXISTS 'app'@'10.1.2.%';";
const ofAccount = (sql: string): MariadbFlaw => ({
  locator: "'app'@'10.1.2.%'",
  sql: `CREATE USER 'app'@'10.1.2.%' ${sql}`,
  after: drop,
});
const password = "IDENTIFIED VIA ed25519 USING PASSWORD('x')";

/** By step; for steps that are not proven, the reason. */
export const mariadbFlaws: Readonly<Record<string, MariadbFlaw | { readonly unproven: string }>> = {
  'mysql.plaintext_allowed mariadb.file': {
    ...ofAccount("IDENTIFIED BY 'x';"),
    locator: 'require_secure_transport',
    values: {
      '/etc/mysql/ca.pem': '{folder}/server.crt',
      '/etc/mysql/server.crt': '{folder}/server.crt',
      '/etc/mysql/server.key': '{folder}/server.key',
    },
  },
  'mysql.tls_version_old mariadb.file': { locator: 'tls_version TLSv1.1' },
  'mysql.plaintext_session mariadb.sql': { unproven: 'Ending the open session is done by hand.' },

  'mysql.password_empty mariadb.sql': ofAccount(';'),
  'mysql.anonymous_account mariadb.sql': {
    locator: "''@'localhost'",
    sql: "CREATE USER ''@'localhost' IDENTIFIED BY 'x';",
  },
  'mysql.privileged_from_anywhere mariadb.sql': {
    locator: "'app'@'%'",
    sql: `INSTALL SONAME 'auth_ed25519'; CREATE USER 'app'@'%' ${password}; GRANT CREATE USER ON *.* TO 'app'@'%' WITH GRANT OPTION;`,
    after: `${drop} UNINSTALL SONAME 'auth_ed25519';`,
  },
  'mysql.authentication_plugin_old mariadb.sql': {
    ...ofAccount("IDENTIFIED VIA mysql_old_password USING '0123456789abcdef';"),
    after: `${drop} UNINSTALL SONAME 'auth_ed25519';`,
  },
  'mysql.global_privileges mariadb.sql': ofAccount(
    "IDENTIFIED BY 'x'; GRANT SUPER ON *.* TO 'app'@'10.1.2.%';",
  ),

  'mysql.local_infile mariadb.file': { locator: 'local_infile' },
  'mysql.secure_file_priv mariadb.file': {
    locator: 'secure_file_priv',
    values: { '/var/lib/mysql-files': '{folder}' },
  },
  'mysql.sql_mode_lenient mariadb.file': { locator: 'sql_mode STRICT_TRANS_TABLES' },
  'mysql.password_validation_missing mariadb.file': { locator: 'server' },
  'mysql.audit_missing mariadb.file': { locator: 'server' },

  'mysql.system_schema_writable mariadb.sql': {
    ...ofAccount(`IDENTIFIED BY 'x'; GRANT INSERT, UPDATE, DELETE ON mysql.* TO 'app'@'10.1.2.%';`),
    locator: "'app'@'10.1.2.%' on mysql.*",
  },
  'mysql.password_hashes_readable mariadb.sql': {
    ...ofAccount(`IDENTIFIED BY 'x'; GRANT SELECT ON mysql.* TO 'app'@'10.1.2.%';`),
    locator: "'app'@'10.1.2.%' on mysql.*",
  },
  'mysql.administrative_privileges mariadb.sql': ofAccount(
    `IDENTIFIED BY 'x'; GRANT SET USER ON *.* TO 'app'@'10.1.2.%';`,
  ),
  'mysql.grant_option mariadb.sql': {
    ...ofAccount(`IDENTIFIED BY 'x'; GRANT SELECT ON shop.* TO 'app'@'10.1.2.%' WITH GRANT OPTION;`),
    locator: "'app'@'10.1.2.%' on shop.*",
  },
  'mysql.test_database_open mariadb.sql': {
    locator: 'test.*',
    sql: "INSERT INTO mysql.db (Host, Db, User, Select_priv) VALUES ('%', 'test', '', 'Y'); FLUSH PRIVILEGES;",
  },
  'mysql.proxy_to_administrator mariadb.sql': {
    unproven: 'An account of the server’s operating system grants it.',
  },
  'mysql.replication_plaintext mariadb.sql': { unproven: 'The test’s server listens on loopback only.' },

  'mysql.general_log_on mariadb.file': { locator: 'general_log' },
  'mysql.log_detail_weak mariadb.file': { locator: 'log_warnings' },
  'mysql.protection_disabled mariadb.file': {
    locator: 'log_bin_trust_function_creators',
    sql: 'SET GLOBAL log_bin_trust_function_creators = ON;',
  },
  'mysql.durability_weak mariadb.file': { locator: 'innodb_flush_log_at_trx_commit' },
  'mysql.binary_log_off mariadb.file': { locator: 'log_bin' },
  'mysql.password_policy_weak mariadb.file': {
    locator: 'simple_password_check_minimal_length',
    sql: 'SET GLOBAL simple_password_check_minimal_length = 4;',
  },
  'mysql.password_lifetime_unlimited mariadb.file': { locator: 'default_password_lifetime' },
  'mysql.login_attempts_unlimited mariadb.file': { locator: 'max_password_errors' },
  'mysql.idle_timeout_long mariadb.file': { locator: 'wait_timeout' },
  'mysql.tls_ciphers_weak mariadb.file': { locator: 'ssl_cipher' },
  'mysql.encryption_partial mariadb.file': { unproven: 'It requires a plugin with keys.' },

  'mysql.version_behind mariadb.shell on Debian and Ubuntu': {
    unproven: 'It requires the package repositories.',
  },
};
