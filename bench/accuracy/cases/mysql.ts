import type { Family } from '../case.ts';
import { mysqlCase } from '../mysql-case.ts';

const setting = (check: string, option: string, value: string, more: Readonly<Record<string, string>> = {}) =>
  mysqlCase({
    name: `${option} = ${value}`,
    options: { ...more, [option]: value },
    flaws: [`mysql.${check} ${option.replaceAll('-', '_')}`],
  });
const grant = (name: string, sql: readonly string[], ...flaws: readonly string[]) =>
  mysqlCase({ name, sql, flaws: flaws.map(flaw => `mysql.${flaw}`) });
const app = "'app'@'10.1.%'";
const binlog = { 'log-bin': 'binlog' };

export const mysqlFamily: Family = {
  name: 'mysql',
  cases: [
    setting('local_infile', 'local-infile', '1'),
    setting('secure_file_priv', 'secure-file-priv', ''),
    setting('sql_mode_lenient', 'sql-mode', 'NO_AUTO_CREATE_USER'),
    setting('tls_version_old', 'tls-version', 'TLSv1.1,TLSv1.2'),
    setting('plaintext_allowed', 'require-secure-transport', '0'),
    setting('general_log_on', 'general-log', '1'),
    setting('log_detail_weak', 'log-warnings', '0'),
    setting('log_detail_weak', 'log-output', 'NONE', { 'slow-query-log': '1' }),
    setting('protection_disabled', 'allow-suspicious-udfs', '1'),
    setting('protection_disabled', 'secure-auth', '0'),
    setting('protection_disabled', 'log-bin-trust-function-creators', '1', binlog),
    setting('durability_weak', 'innodb-flush-log-at-trx-commit', '0'),
    setting('durability_weak', 'innodb-doublewrite', '0'),
    setting('durability_weak', 'sync-binlog', '500', binlog),
    setting('password_policy_weak', 'simple-password-check-minimal-length', '6'),
    setting('password_policy_weak', 'simple-password-check-letters-same-case', '0'),
    setting('password_policy_weak', 'simple-password-check-other-characters', '0'),
    setting('password_policy_weak', 'strict-password-validation', '0'),
    setting('idle_timeout_long', 'wait-timeout', '31536000'),
    setting('idle_timeout_long', 'interactive-timeout', '604800'),
    setting('tls_ciphers_weak', 'ssl-cipher', 'ECDHE-RSA-AES256-GCM-SHA384:ALL'),
    mysqlCase({
      name: 'no audit',
      options: { 'server-audit-logging': 'OFF' },
      flaws: ['mysql.audit_missing'],
    }),
    grant('all on everything', [`grant all on *.* to ${app}`], 'global_privileges'),
    grant('FILE', [`grant file on *.* to ${app}`], 'global_privileges'),
    grant(
      'SUPER by a role',
      ['create role r', 'grant super on *.* to r', `grant r to ${app}`],
      'global_privileges',
    ),
    grant(
      'data everywhere',
      [`grant select, insert, update, delete on *.* to ${app}`],
      'system_schema_writable',
      'password_hashes_readable',
    ),
    grant('writes to mysql', [`grant insert, update on mysql.* to ${app}`], 'system_schema_writable'),
    grant('writes to one table', [`grant update on mysql.db to ${app}`], 'system_schema_writable'),
    grant('reads mysql', [`grant select on mysql.* to ${app}`], 'password_hashes_readable'),
    grant(
      'reads every database by a pattern',
      [`grant select on \`%\`.* to ${app}`],
      'password_hashes_readable',
    ),
    grant('acts as another definer', [`grant set user on *.* to ${app}`], 'administrative_privileges'),
    grant(
      'acts as another, from anywhere',
      ["grant set user on *.* to 'any'@'%'"],
      'administrative_privileges',
    ),
    grant('stops the server', [`grant shutdown on *.* to ${app}`], 'administrative_privileges'),
    grant(
      'writes a server that is read-only',
      [`grant read_only admin on *.* to ${app}`],
      'administrative_privileges',
    ),
    grant('grants on', [`grant select on shop.* to ${app} with grant option`], 'grant_option'),
    grant('tests for everyone', ['grant all on test.* to public'], 'test_database_open'),
    grant('acts as root', [`grant proxy on root@127.0.0.1 to ${app}`], 'proxy_to_administrator'),
    grant(
      'no password',
      [
        `insert into mysql.global_priv values ('10.2.%', 'open', '{"access":0,"plugin":"mysql_native_password"}')`,
        'flush privileges',
      ],
      'password_empty',
    ),
    mysqlCase({
      name: 'a replica without TLS',
      options: { 'require-secure-transport': '0' },
      sql: [`grant replication slave on *.* to ${app}`],
      flaws: ['mysql.replication_plaintext'],
      also: ['mysql.plaintext_allowed'],
    }),
    mysqlCase({ name: 'hardened', flaws: [] }),
    mysqlCase({
      name: 'other values that are as good',
      options: {
        ...binlog,
        'ssl-cipher': 'ECDHE+AESGCM:ECDHE+CHACHA20',
        'log-warnings': '9',
        'sync-binlog': '1',
        'slow-query-log': '1',
        'sql-mode': 'TRADITIONAL,NO_AUTO_CREATE_USER',
        'wait-timeout': '600',
      },
      flaws: [],
    }),
    mysqlCase({
      name: 'usual accounts and roles',
      sql: [
        'create role reading',
        'grant select on shop.* to reading',
        `grant reading to ${app}`,
        'create database test_reports',
        `grant all on test_reports.* to ${app}`,
        'create user monitor@localhost identified via unix_socket',
        'grant process, binlog monitor, slave monitor on *.* to monitor@localhost',
        'create role unused',
        'grant update on mysql.* to unused',
        'revoke unused from root@127.0.0.1',
        `grant select on mysql.time_zone_name to ${app}`,
        `grant execute, create temporary tables, create view on shop.* to ${app}`,
      ],
      flaws: [],
    }),
  ],
};
