import type { Severity } from '../../../contract/severity.ts';
import { weakestOf } from '../../ciphers.ts';
import type { Check } from '../../detector.ts';
import { configurationChecks as checks } from './checks.ts';

type Variables = Readonly<Record<string, string>>;

/** What is wrong with a setting's value. */
export interface SettingRule {
  readonly check: Check;
  readonly setting: string;
  /** Whether the value, as the server spells it, is a flaw. */
  readonly isFlaw: (value: string, variables: Variables) => boolean;
  /** Why, as the end of a sentence about the setting. */
  readonly because: string;
  readonly severity?: Severity;
  /** A managed service decides it. */
  readonly ofService?: true;
}

const isOn = (value: string | undefined) =>
  value !== undefined && ['ON', '1', 'YES', 'FORCE'].includes(value.toUpperCase());
const isOff = (value: string | undefined) =>
  value !== undefined && ['OFF', '0', 'NO'].includes(value.toUpperCase());
const on = (value: string) => isOn(value);
const off = (value: string) => isOff(value);
const below = (least: number) => (value: string) => value !== '' && Number(value) < least;
const above = (most: number) => (value: string) => Number(value) > most;
const offWith = (other: string) => (value: string, variables: Variables) =>
  isOff(value) && isOn(variables[other]);
const rule = (
  check: Check,
  setting: string,
  isFlaw: SettingRule['isFlaw'],
  because: string,
  more: Pick<SettingRule, 'severity' | 'ofService'> = {},
): SettingRule => ({ check, setting, isFlaw, because, ...more });
const info = { severity: 'info' } as const;
const ofService = { ofService: true } as const;

/** Defaults of both servers: eight hours. */
const usualTimeout = 28_800;

/** Strength rules apply from the policy MEDIUM, which is 1. */
const isCounted = (policy: string | undefined) => policy !== undefined && !/^(?:LOW|0)$/i.test(policy);

/** Settings of MySQL’s validate_password: a plugin with underscores until 5.7, later a component with dots. */
const ofValidation = ['validate_password.', 'validate_password_'].flatMap(prefix => {
  const counted = (name: string, of: string) =>
    rule(
      checks.passwordPolicy,
      `${prefix}${name}`,
      (value, variables) => value === '0' && isCounted(variables[`${prefix}policy`]),
      `passwords need no ${of}`,
    );
  return [
    rule(
      checks.passwordPolicy,
      `${prefix}policy`,
      value => /^(?:LOW|0)$/i.test(value),
      'only the length of passwords is checked',
    ),
    ...lengthOf(`${prefix}length`),
    rule(checks.passwordPolicy, `${prefix}check_user_name`, off, 'a password may be the name of its account'),
    counted('number_count', 'digits'),
    counted('mixed_case_count', 'letters of both cases'),
    counted('special_char_count', 'special characters'),
  ];
});

function lengthOf(setting: string): SettingRule[] {
  return [
    rule(checks.passwordPolicy, setting, below(8), 'passwords may have fewer than 8 characters'),
    rule(
      checks.passwordPolicy,
      setting,
      value => Number(value) >= 8 && Number(value) < 14,
      'benchmarks require 14 characters',
      info,
    ),
  ];
}

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
    { severity: 'critical' },
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

  ...ofValidation,
  ...lengthOf('simple_password_check_minimal_length'),
  rule(checks.passwordPolicy, 'simple_password_check_digits', below(1), 'passwords need no digits'),
  rule(
    checks.passwordPolicy,
    'simple_password_check_letters_same_case',
    below(1),
    'passwords need no letters of both cases',
  ),
  rule(
    checks.passwordPolicy,
    'simple_password_check_other_characters',
    below(1),
    'passwords need no special characters',
  ),
  rule(
    checks.passwordPolicy,
    'strict_password_validation',
    (value, variables) => isOff(value) && variables.simple_password_check_minimal_length !== undefined,
    'hashes of passwords that were never checked are accepted',
  ),

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
