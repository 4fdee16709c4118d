import { weakestOf } from '../../ciphers.ts';
import { configurationChecks as checks } from './checks.ts';
import { passwordRules } from './password-rules.ts';
import {
  above,
  below,
  info,
  isOff,
  isOn,
  off,
  ofService,
  on,
  rule,
  type SettingRule,
  type Variables,
} from './rule.ts';

const offWith = (other: string) => (value: string, variables: Variables) =>
  isOff(value) && isOn(variables[other]);

/** Defaults of both servers: eight hours. */
const usualTimeout = 28_800;

const logsAreOn = ({ general_log, slow_query_log }: Variables) => isOn(general_log) || isOn(slow_query_log);
const outputs = (value: string) => value.toUpperCase().split(',');

export const settingRules: readonly SettingRule[] = [
  rule(checks.generalLog, 'general_log', on, 'every statement is logged with its values'),

  rule(checks.logDetail, 'log_warnings', below(2), 'failed sign-ins and aborted connections are not logged'),
  rule(checks.logDetail, 'log_error_verbosity', below(2), 'warnings are not logged'),
  rule(
    checks.logDetail,
    'log_error',
    value => ['', 'stderr'].includes(value),
    'errors go to the standard error stream, so the service manager decides whether they are kept',
    { ...info, ...ofService },
  ),
  rule(checks.logDetail, 'slow_query_log', off, 'slow statements are not logged', info),
  rule(
    checks.logDetail,
    'log_output',
    (value, variables) => logsAreOn(variables) && outputs(value).includes('NONE'),
    'the logs that are on are discarded',
  ),
  rule(
    checks.logDetail,
    'log_output',
    (value, variables) =>
      logsAreOn(variables) && outputs(value).includes('TABLE') && !outputs(value).includes('NONE'),
    'statements are logged to tables of the schema mysql, which its administrators can empty',
    { ...info, ...ofService },
  ),

  rule(
    checks.protectionOff,
    'skip_grant_tables',
    on,
    'everyone who reaches the server has all privileges, without a password',
    { severity: 'critical', unreachable: 'high' },
  ),
  rule(
    checks.protectionOff,
    'allow_suspicious_udfs',
    on,
    'any function of a shared library can be loaded as a user-defined function',
  ),
  rule(checks.protectionOff, 'secure_auth', off, 'hashes of the format before MySQL 4.1 are accepted'),
  rule(
    checks.protectionOff,
    'old_passwords',
    (value, variables) =>
      isOn(value) && (isMariadb(variables) || /^(?:[1-4]\.|5\.[0-6]\.)/.test(variables.version ?? '')),
    'new passwords are stored in the format before MySQL 4.1',
  ),
  rule(
    checks.protectionOff,
    'log_bin_trust_function_creators',
    (value, variables) => isOn(value) && isOn(variables.log_bin),
    'functions that are not deterministic are accepted without SUPER, and replicas can differ',
    { severity: 'low', ...ofService },
  ),
  rule(
    checks.protectionOff,
    'have_symlink',
    value => value.toUpperCase() === 'YES',
    'tables can be symbolic links to files outside the data directory',
    { ...info, ...ofService },
  ),
  rule(checks.protectionOff, 'foreign_key_checks', off, 'foreign keys do not apply', { severity: 'low' }),
  rule(checks.protectionOff, 'check_constraint_checks', off, 'check constraints do not apply', {
    severity: 'low',
  }),

  rule(
    checks.durability,
    'innodb_flush_log_at_trx_commit',
    value => value === '0' || value === '2',
    'a crash can lose committed transactions',
    ofService,
  ),
  rule(
    checks.durability,
    'sync_binlog',
    (value, variables) =>
      value !== '1' && isOn(variables.log_bin) && !(value === '0' && isMariadb(variables)),
    'a crash can lose events of the binary log, and replicas then differ',
    ofService,
  ),
  rule(
    checks.durability,
    'sync_binlog',
    (value, variables) => value === '0' && isOn(variables.log_bin) && isMariadb(variables),
    'a crash can lose events of the binary log, MariaDB’s default',
    { ...info, ...ofService },
  ),
  rule(
    checks.durability,
    'innodb_doublewrite',
    off,
    'a crash can leave pages that are half written, unless the file system prevents it',
    ofService,
  ),

  rule(
    checks.binaryLog,
    'log_bin',
    off,
    'there is no binary log for recovery to a point in time between two backups',
    ofService,
  ),

  ...passwordRules,

  rule(checks.passwordLifetime, 'default_password_lifetime', below(1), 'passwords never expire'),
  rule(
    checks.passwordLifetime,
    'password_require_current',
    off,
    'accounts can change their passwords without the current one',
  ),
  rule(
    checks.passwordLifetime,
    'password_history',
    (value, variables) => value === '0' && variables.password_reuse_interval === '0',
    'old passwords can be used again at once',
  ),

  rule(
    checks.loginAttempts,
    'max_password_errors',
    above(1_000_000),
    'an account is not blocked after wrong passwords',
  ),
  ...[
    'connection_control_failed_connections_threshold',
    'component_connection_control.failed_connections_threshold',
  ].map(name => rule(checks.loginAttempts, name, value => value === '0', 'failed sign-ins cause no delay')),

  rule(checks.idleTimeout, 'wait_timeout', above(usualTimeout), 'idle sessions stay open for over 8 hours'),
  rule(
    checks.idleTimeout,
    'interactive_timeout',
    above(usualTimeout),
    'idle sessions of clients such as mysql stay open for over 8 hours',
  ),

  rule(
    checks.tlsCiphers,
    'ssl_cipher',
    value => value !== '' && weakestOf(value) === 'weak',
    'it allows weak ciphers',
    { unreachable: 'low' },
  ),

  ...(
    [
      ['innodb_encrypt_tables', 'innodb_encrypt_log', 'the redo log contains their rows in clear text'],
      ['innodb_encrypt_tables', 'encrypt_tmp_files', 'temporary files contain their rows in clear text'],
      [
        'default_table_encryption',
        'innodb_redo_log_encrypt',
        'the redo log contains their rows in clear text',
      ],
      [
        'default_table_encryption',
        'innodb_undo_log_encrypt',
        'the undo log contains their rows in clear text',
      ],
    ] as const
  ).map(([tables, setting, because]) =>
    rule(
      checks.partialEncryption,
      setting,
      offWith(tables),
      `tables are encrypted, but ${because}`,
      ofService,
    ),
  ),
  ...(
    [
      ['innodb_encrypt_tables', 'encrypt_binlog'],
      ['default_table_encryption', 'binlog_encryption'],
    ] as const
  ).map(([tables, setting]) =>
    rule(
      checks.partialEncryption,
      setting,
      (value, variables) => offWith(tables)(value, variables) && isOn(variables.log_bin),
      'tables are encrypted, but the binary log contains their rows in clear text',
      ofService,
    ),
  ),
];

function isMariadb({ version = '' }: Variables): boolean {
  return /mariadb/i.test(version);
}
