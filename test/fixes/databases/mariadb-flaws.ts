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
    sql: `INSTALL SONAME 'auth_ed25519'; CREATE USER 'app'@'%' ${password}; GRANT CREATE USER ON *.* TO 'app'@'%';`,
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

  'mysql.version_behind mariadb.shell on Debian and Ubuntu': {
    unproven: 'It requires the package repositories.',
  },
};
