import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';
import { optionFile, settings } from '../fix.ts';

const mysql = (page: string) => `https://dev.mysql.com/doc/refman/8.4/en/${page}.html`;
const mariadb = (page: string) => `https://mariadb.com/kb/en/${page}/`;
const restart = 'Then restart the server.';

const logFiles = { log_output: 'FILE', slow_query_log: 'ON' } as const;

export const configurationChecks = {
  generalLog: {
    id: 'mysql.general_log_on',
    title: 'The general log records every statement',
    severity: 'medium',
    why: 'Statements contain personal data and secrets of applications. The log keeps them in clear text, often readable by more people than the tables.',
    fix: {
      advice:
        'Turn the general log off and delete its files. To record activity, use an audit plugin, which can be limited to certain events.',
      steps: [...settings({ general_log: 'OFF' }, { note: 'Until then: `SET GLOBAL general_log = OFF;`.' })],
    },
    references: [mysql('query-log'), mariadb('general-query-log')],
    safeguards: [
      lowers(safeguards.accessControl, 'Data is copied to a log outside the privileges of tables.'),
    ],
  },
  logDetail: {
    id: 'mysql.log_detail_weak',
    title: 'Logs lack events that show attacks or failures',
    severity: 'low',
    why: 'Failed sign-ins, aborted connections and errors cannot be investigated if they were not recorded.',
    fix: {
      advice:
        'Log errors and warnings to a file (`log_error`, unless the service manager keeps them), and send it to another machine.',
      steps: [
        { place: 'mariadb.file', code: optionFile({ log_warnings: '2', ...logFiles }), note: restart },
        { place: 'mysql.file', code: optionFile({ log_error_verbosity: '2', ...logFiles }), note: restart },
      ],
    },
    references: [mysql('error-log'), mariadb('error-log'), mysql('slow-query-log')],
    safeguards: [
      lowers(safeguards.auditControls, 'Activity that is not recorded cannot be examined.'),
      lowers(safeguards.logInMonitoring, 'Failed sign-ins that are not logged cannot be monitored.'),
    ],
  },
  binaryLog: {
    id: 'mysql.binary_log_off',
    title: 'The binary log is off',
    severity: 'info',
    why: 'Without it, a restore loses everything since the last backup.',
    fix: {
      advice: 'Turn the binary log on, and copy its files to another machine with the backups.',
      steps: [...settings({ log_bin: 'binlog', sync_binlog: '1' })],
    },
    references: [mysql('binary-log'), mariadb('binary-log')],
    safeguards: [],
  },
  protectionOff: {
    id: 'mysql.protection_disabled',
    title: 'A setting turns off a protection',
    severity: 'medium',
    why: 'The setting exists for repairs or old applications. It turns off a check of privileges, passwords or data for everyone.',
    fix: {
      advice:
        'Remove the setting that the finding names from the option file and the command line, or give it the value that protects: `ON` for `secure_auth`, `foreign_key_checks` and `check_constraint_checks`, otherwise `OFF`. For `have_symlink`, set `symbolic-links = OFF`.',
      steps: [
        ...settings(
          { log_bin_trust_function_creators: 'OFF' },
          { replace: { log_bin_trust_function_creators: 'the setting that the finding names' } },
        ),
      ],
    },
    references: [mysql('server-options'), mariadb('mariadbd-options')],
    safeguards: [lowers(safeguards.accessControl, 'The server skips a check that applies by default.')],
  },
  durability: {
    id: 'mysql.durability_weak',
    title: 'A crash can lose committed data',
    severity: 'low',
    why: 'The application has the confirmation that its data is stored, but a power failure removes it. Replicas can then have different data.',
    fix: {
      advice: 'Write every commit to disk. Fast disks or group commit make up for most of the cost.',
      steps: [
        ...settings({
          innodb_flush_log_at_trx_commit: '1',
          sync_binlog: '1',
          innodb_doublewrite: 'ON',
        }),
      ],
    },
    references: [mysql('innodb-parameters'), mariadb('innodb-system-variables')],
    safeguards: [lowers(safeguards.integrity, 'Committed data can be lost without an error.')],
  },
  passwordPolicy: {
    id: 'mysql.password_policy_weak',
    title: 'Password rules accept weak passwords',
    severity: 'low',
    why: 'Short and simple passwords are guessed first.',
    fix: {
      advice: 'Require at least 14 characters of several kinds.',
      steps: [
        {
          place: 'mariadb.file',
          code: optionFile({
            simple_password_check_minimal_length: '14',
            simple_password_check_digits: '1',
            simple_password_check_letters_same_case: '1',
            simple_password_check_other_characters: '1',
            strict_password_validation: 'ON',
          }),
          note: restart,
        },
        {
          place: 'mysql.sql',
          version: '8.0 or newer',
          code: [
            'SET PERSIST validate_password.length = 14;',
            'SET PERSIST validate_password.policy = MEDIUM;',
            'SET PERSIST validate_password.check_user_name = ON;',
            ...['number', 'mixed_case', 'special_char'].map(
              kind => `SET PERSIST validate_password.${kind}_count = 1;`,
            ),
          ].join('\n'),
        },
      ],
    },
    references: [mysql('validate-password'), mariadb('simple-password-check-plugin')],
    safeguards: [
      lowers(safeguards.passwordManagement, 'The server accepts passwords that are easy to guess.'),
    ],
  },
  passwordLifetime: {
    id: 'mysql.password_lifetime_unlimited',
    title: 'Passwords never expire or can be reused',
    severity: 'info',
    why: 'A password that leaked unnoticed works forever. Some standards require a limit; others advise against it.',
    fix: {
      advice:
        'Set a limit for all accounts if your policy requires one, and exempt accounts of applications with `PASSWORD EXPIRE NEVER`.',
      steps: [
        { place: 'mariadb.file', code: optionFile({ default_password_lifetime: '365' }), note: restart },
        {
          place: 'mysql.file',
          version: '8.0 or newer',
          code: optionFile({
            default_password_lifetime: '365',
            password_history: '6',
            password_reuse_interval: '365',
            password_require_current: 'ON',
          }),
          note: restart,
        },
      ],
    },
    references: [mysql('password-management'), mariadb('user-password-expiry')],
    safeguards: [],
  },
  loginAttempts: {
    id: 'mysql.login_attempts_unlimited',
    title: 'Passwords can be guessed without limit',
    severity: 'info',
    why: 'Nothing slows down an attacker who tries passwords one after another.',
    fix: {
      advice:
        'Delay or block failed sign-ins, and allow connections only from the networks of applications. MariaDB blocks an account until `FLUSH PRIVILEGES`; on MySQL, `FAILED_LOGIN_ATTEMPTS` locks single accounts.',
      steps: [
        { place: 'mariadb.file', code: optionFile({ max_password_errors: '100' }), note: restart },
        {
          place: 'mysql.file',
          code: optionFile({ connection_control_failed_connections_threshold: '3' }),
          note: restart,
        },
      ],
    },
    references: [mysql('connection-control'), mariadb('server-system-variables')],
    safeguards: [],
  },
  idleTimeout: {
    id: 'mysql.idle_timeout_long',
    title: 'Idle sessions stay open for very long',
    severity: 'low',
    why: 'Forgotten sessions keep their privileges, and use up the connections that others need.',
    fix: {
      advice: 'End idle sessions earlier than applications’ connection pools keep them.',
      steps: [...settings({ wait_timeout: '3600', interactive_timeout: '3600' })],
    },
    references: [mysql('server-system-variables'), mariadb('server-system-variables')],
    safeguards: [lowers(safeguards.automaticLogOff, 'Idle sessions are not terminated for hours.')],
  },
  tlsCiphers: {
    id: 'mysql.tls_ciphers_weak',
    title: 'TLS allows weak ciphers',
    severity: 'medium',
    why: 'Ciphers without authentication or with broken encryption let an attacker on the network path read or change what clients and server exchange.',
    fix: {
      advice: 'Allow strong ciphers only. The setting applies to TLS 1.2; TLS 1.3 has no weak ones.',
      steps: [
        ...settings({
          ssl_cipher: 'ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:ECDHE-RSA-AES128-GCM-SHA256',
        }),
      ],
    },
    references: [mysql('encrypted-connection-protocols-ciphers'), mariadb('ssltls-system-variables')],
    safeguards: [
      lowers(safeguards.transmissionEncryption, 'Weak ciphers can be broken by others on the network path.'),
    ],
  },
  partialEncryption: {
    id: 'mysql.encryption_partial',
    title: 'Tables are encrypted, but logs are not',
    severity: 'low',
    why: 'The logs contain the same rows in clear text, so a stolen disk or copy still reveals them.',
    fix: {
      advice: 'Encrypt the logs and temporary files as well.',
      steps: [
        {
          place: 'mariadb.file',
          code: optionFile({ innodb_encrypt_log: 'ON', encrypt_tmp_files: 'ON', encrypt_binlog: 'ON' }),
          note: restart,
        },
        {
          place: 'mysql.file',
          code: optionFile({
            innodb_redo_log_encrypt: 'ON',
            innodb_undo_log_encrypt: 'ON',
            binlog_encryption: 'ON',
          }),
          note: restart,
        },
      ],
    },
    references: [mysql('innodb-data-encryption'), mariadb('data-at-rest-encryption-overview')],
    safeguards: [lowers(safeguards.accessControl, 'Rows can be read from logs on a stolen disk.')],
  },
} as const satisfies Record<string, Check>;
