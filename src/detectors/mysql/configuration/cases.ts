import type { MysqlCapture } from '../../../captures/mysql.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { mariadbWith, mysqlWith, notSeen } from '../hardened-capture.ts';
import { configurationChecks } from './checks.ts';

const all = Object.values(configurationChecks).map(({ id }) => id);

type Flaw = readonly [check: string, setting: string, value: string, more?: Readonly<Record<string, string>>];

/** Values as https://dev.mysql.com/doc/refman/8.4/en/server-system-variables.html documents them. */
const ofMysql: readonly Flaw[] = [
  ['general_log_on', 'general_log', 'ON'],
  ['log_detail_weak', 'log_error_verbosity', '1'],
  ['log_detail_weak', 'log_error', 'stderr'],
  ['log_detail_weak', 'slow_query_log', 'OFF'],
  ['log_detail_weak', 'log_output', 'NONE'],
  ['log_detail_weak', 'log_output', 'FILE,TABLE'],
  ['protection_disabled', 'skip_grant_tables', 'ON'],
  ['protection_disabled', 'allow_suspicious_udfs', 'ON'],
  ['protection_disabled', 'old_passwords', '1', { version: '5.6.51' }],
  ['protection_disabled', 'log_bin_trust_function_creators', 'ON'],
  ['protection_disabled', 'have_symlink', 'YES'],
  ['protection_disabled', 'foreign_key_checks', 'OFF'],
  ['durability_weak', 'innodb_flush_log_at_trx_commit', '2'],
  ['durability_weak', 'innodb_doublewrite', 'OFF'],
  ['durability_weak', 'sync_binlog', '0'],
  ['durability_weak', 'sync_binlog', '1000'],
  ['binary_log_off', 'log_bin', 'OFF'],
  ['password_policy_weak', 'validate_password.policy', 'LOW'],
  ['password_policy_weak', 'validate_password.length', '4'],
  ['password_policy_weak', 'validate_password.length', '8'],
  ['password_policy_weak', 'validate_password.check_user_name', 'OFF'],
  ['password_policy_weak', 'validate_password.number_count', '0'],
  ['password_policy_weak', 'validate_password.mixed_case_count', '0'],
  ['password_policy_weak', 'validate_password.special_char_count', '0'],
  ['password_policy_weak', 'validate_password_length', '6'],
  ['password_lifetime_unlimited', 'default_password_lifetime', '0'],
  ['password_lifetime_unlimited', 'password_history', '0', { password_reuse_interval: '0' }],
  ['password_lifetime_unlimited', 'password_require_current', 'OFF'],
  ['login_attempts_unlimited', 'connection_control_failed_connections_threshold', '0'],
  ['idle_timeout_long', 'wait_timeout', '31536000'],
  ['tls_ciphers_weak', 'ssl_cipher', 'ECDHE-RSA-AES256-GCM-SHA384:DES-CBC3-SHA'],
  ['encryption_partial', 'innodb_redo_log_encrypt', 'OFF', { default_table_encryption: 'ON' }],
  ['encryption_partial', 'innodb_undo_log_encrypt', 'OFF', { default_table_encryption: 'ON' }],
  ['encryption_partial', 'binlog_encryption', 'OFF', { default_table_encryption: 'ON' }],
];
/** Values as https://mariadb.com/kb/en/server-system-variables/ documents them. */
const ofMariadb: readonly Flaw[] = [
  ['log_detail_weak', 'log_warnings', '1'],
  ['log_detail_weak', 'log_error', ''],
  ['protection_disabled', 'secure_auth', 'OFF'],
  ['protection_disabled', 'old_passwords', 'ON'],
  ['protection_disabled', 'check_constraint_checks', 'OFF'],
  ['durability_weak', 'sync_binlog', '0'],
  ['password_policy_weak', 'simple_password_check_minimal_length', '6'],
  ['password_policy_weak', 'simple_password_check_digits', '0'],
  ['password_policy_weak', 'simple_password_check_letters_same_case', '0'],
  ['password_policy_weak', 'simple_password_check_other_characters', '0'],
  ['password_policy_weak', 'strict_password_validation', 'OFF'],
  ['login_attempts_unlimited', 'max_password_errors', '4294967295'],
  ['idle_timeout_long', 'interactive_timeout', '86400'],
  ['encryption_partial', 'innodb_encrypt_log', 'OFF', { innodb_encrypt_tables: 'FORCE' }],
  ['encryption_partial', 'encrypt_tmp_files', 'OFF', { innodb_encrypt_tables: 'ON' }],
  ['encryption_partial', 'encrypt_binlog', 'OFF', { innodb_encrypt_tables: 'ON' }],
];

const caseOf =
  (product: string, withSettings: typeof mysqlWith) =>
  ([check, setting, value, more = {}]: Flaw): GoldenCase<MysqlCapture> => ({
    name: `${product}, ${setting} = ${value}`,
    capture: withSettings({ ...more, [setting]: value }),
    expected: [{ check: `mysql.${check}`, locator: setting }],
  });

export const cases: readonly GoldenCase<MysqlCapture>[] = [
  { name: 'hardened MySQL', capture: mysqlWith(), expected: [] },
  { name: 'hardened MariaDB', capture: mariadbWith(), expected: [] },
  {
    name: 'privileges and ciphers on a server that listens on a network',
    capture: mysqlWith({ skip_grant_tables: 'ON', ssl_cipher: 'RC4-SHA' }),
    expected: [
      { check: 'mysql.protection_disabled', locator: 'skip_grant_tables', severity: 'critical' },
      { check: 'mysql.tls_ciphers_weak', locator: 'ssl_cipher', severity: 'medium' },
    ],
  },
  {
    name: 'the same on a server that listens on its socket only',
    capture: mysqlWith({ skip_grant_tables: 'ON', ssl_cipher: 'RC4-SHA', skip_networking: 'ON' }),
    expected: [
      { check: 'mysql.protection_disabled', locator: 'skip_grant_tables', severity: 'high' },
      { check: 'mysql.tls_ciphers_weak', locator: 'ssl_cipher', severity: 'low' },
    ],
  },
  ...ofMysql.map(caseOf('MySQL', mysqlWith)),
  ...ofMariadb.map(caseOf('MariaDB', mariadbWith)),
  {
    name: 'logs that are off, to a table',
    capture: mariadbWith({ slow_query_log: 'ON', log_output: 'FILE', general_log: 'OFF' }),
    expected: [],
  },
  {
    name: 'nothing is logged to the binary log',
    capture: mysqlWith({ log_bin: 'OFF', log_bin_trust_function_creators: 'ON', sync_binlog: '0' }),
    expected: ['mysql.binary_log_off'],
  },
  {
    name: 'a policy that checks only the length, with counts that do not apply',
    capture: mysqlWith({ 'validate_password.policy': '0', 'validate_password.number_count': '0' }),
    expected: ['mysql.password_policy_weak'],
  },
  {
    name: 'MySQL 5.7, where old_passwords = 2 is SHA-256',
    capture: mysqlWith({ version: '5.7.44', old_passwords: '2' }),
    expected: [],
  },
  {
    name: 'a service, which decides storage and the binary log',
    capture: mysqlWith({
      basedir: '/rdsdbbin/mysql-8.4.6/',
      log_bin: 'OFF',
      innodb_flush_log_at_trx_commit: '2',
      log_error: '',
    }),
    expected: [],
    notAssessed: ['mysql.durability_weak', 'mysql.binary_log_off', 'mysql.encryption_partial'],
  },
  {
    name: 'no plugin that checks passwords, and none that delays',
    capture: mysqlWith({
      'validate_password.policy': null,
      'validate_password.length': null,
      connection_control_failed_connections_threshold: null,
    }),
    expected: [],
    notAssessed: ['mysql.password_policy_weak', 'mysql.login_attempts_unlimited'],
  },
  {
    name: 'settings could not be read',
    capture: { ...mysqlWith(), variables: notSeen('The server took too long to answer.') },
    expected: [],
    notAssessed: all,
  },
];
