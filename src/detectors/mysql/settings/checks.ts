import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';
import { optionFile, settings } from '../fix.ts';

const strict =
  'STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

const unrecorded = lowers(safeguards.auditControls, 'Activity that is not recorded cannot be examined.');

const mysqlVariable = (name: string) =>
  `https://dev.mysql.com/doc/refman/8.4/en/server-system-variables.html#sysvar_${name}`;

export const settingsChecks = {
  localInfile: {
    id: 'mysql.local_infile',
    title: 'LOAD DATA LOCAL is allowed',
    severity: 'medium',
    why: 'An SQL injection, or a malicious server in between, can read files from the machine on which the application runs.',
    fix: {
      advice:
        'Turn `local_infile` off on the server and in clients: `local-infile=0` under `[client]`, `allowLoadLocalInfile=false` in Connector/J. On Amazon RDS, Aurora and Azure, change the parameter of the same name.',
      steps: [
        ...settings({ local_infile: 'OFF' }, { note: 'Until then: `SET GLOBAL local_infile = OFF;`.' }),
      ],
    },
    references: [
      'https://dev.mysql.com/doc/refman/8.4/en/load-data-local-security.html',
      'https://mariadb.com/kb/en/server-system-variables/#local_infile',
    ],
    safeguards: [],
  },
  secureFilePriv: {
    id: 'mysql.secure_file_priv',
    title: 'SQL can read and write files anywhere on the server',
    severity: 'medium',
    why: 'An account with FILE can read keys and configuration from the server’s machine, or write a file that another program executes.',
    fix: {
      advice:
        'Limit file access to a directory that contains nothing else, owned by the server’s user with mode 0750. MySQL can turn it off altogether with `secure_file_priv = NULL`; on MariaDB, an unset value means no limit.',
      steps: [
        ...settings(
          { secure_file_priv: '/var/lib/mysql-files' },
          { replace: { '/var/lib/mysql-files': 'the directory' } },
        ),
      ],
    },
    references: [
      mysqlVariable('secure_file_priv'),
      'https://mariadb.com/kb/en/server-system-variables/#secure_file_priv',
    ],
    safeguards: [
      lowers(safeguards.accessControl, 'An account with FILE can read and write files outside the database.'),
    ],
  },
  logRaw: {
    id: 'mysql.log_raw',
    title: 'Passwords are logged in clear text',
    severity: 'low',
    why: 'Statements that set a password are logged in full, so everyone who can read the log learns the password.',
    fix: {
      advice: 'Turn `log_raw` off. Then delete the logs that contain passwords, or change those passwords.',
      steps: [
        {
          place: 'mysql.file',
          code: optionFile({ log_raw: 'OFF' }),
          note: 'Then restart the server. Until then: `SET GLOBAL log_raw = OFF;`.',
        },
      ],
    },
    references: [mysqlVariable('log_raw'), 'https://dev.mysql.com/doc/refman/8.4/en/password-logging.html'],
    safeguards: [lowers(safeguards.passwordManagement, 'Passwords are written to logs in clear text.')],
  },
  sqlMode: {
    id: 'mysql.sql_mode_lenient',
    title: 'Invalid data is changed instead of rejected',
    severity: 'low',
    why: 'Without strict mode, values that are too long or out of range are truncated with only a warning, so stored data differs from what was sent.',
    fix: {
      advice:
        'Turn strict mode on. Try the application first in one session with `SET SESSION sql_mode`. On MariaDB and MySQL 5.7, `NO_AUTO_CREATE_USER` also keeps GRANT from creating accounts without a password.',
      steps: [
        {
          place: 'mariadb.file',
          code: optionFile({ sql_mode: `${strict},NO_AUTO_CREATE_USER` }),
          note: 'Then restart the server.',
        },
        {
          place: 'mysql.file',
          version: '8.0 or newer',
          code: optionFile({ sql_mode: strict }),
          note: 'Then restart the server.',
        },
      ],
    },
    references: [
      'https://dev.mysql.com/doc/refman/8.4/en/sql-mode.html',
      'https://mariadb.com/kb/en/sql-mode/',
    ],
    safeguards: [
      lowers(
        safeguards.integrity,
        'The server stores data that differs from what was sent, without an error.',
      ),
    ],
  },
  passwordValidation: {
    id: 'mysql.password_validation_missing',
    title: 'Passwords are not validated',
    severity: 'low',
    why: 'Nothing prevents a password that can be guessed in minutes.',
    fix: {
      advice:
        'Load a component or plugin that rejects weak passwords. On MySQL 5.7, use the plugin `validate_password`. Cloud SQL has password policies of its own.',
      steps: [
        {
          place: 'mariadb.file',
          code: optionFile({
            plugin_load_add: 'simple_password_check',
            simple_password_check_minimal_length: '14',
          }),
          note: "Then restart the server. Until then: `INSTALL SONAME 'simple_password_check';`.",
        },
        {
          place: 'mysql.sql',
          version: '8.0 or newer',
          code: "INSTALL COMPONENT 'file://component_validate_password';\nSET PERSIST validate_password.length = 14;",
        },
      ],
    },
    references: [
      'https://dev.mysql.com/doc/refman/8.4/en/validate-password.html',
      'https://mariadb.com/kb/en/simple-password-check-plugin/',
    ],
    safeguards: [
      lowers(safeguards.passwordManagement, 'The server accepts passwords that can be guessed in minutes.'),
    ],
  },
  audit: {
    id: 'mysql.audit_missing',
    title: 'No audit plugin is active',
    severity: 'low',
    why: 'There is no record that shows after an incident what each account read or changed, and failed sign-ins go unnoticed.',
    fix: {
      advice:
        'Load an audit plugin, send its log to another machine, and keep it as long as required. Percona Server has the component `audit_log_filter`, MySQL Enterprise the plugin `audit_log`. On Amazon RDS use the option MARIADB_AUDIT_PLUGIN, on Aurora `server_audit_logging = 1`, on Azure `audit_log_enabled = ON`, on Cloud SQL the flag `cloudsql_mysql_audit`.',
      steps: [
        {
          place: 'mariadb.file',
          code: optionFile({
            plugin_load_add: 'server_audit',
            server_audit_logging: 'ON',
            server_audit_events: 'CONNECT,QUERY_DDL,QUERY_DCL',
          }),
          note: 'Then restart the server.',
        },
      ],
    },
    references: [
      'https://mariadb.com/kb/en/mariadb-audit-plugin/',
      'https://dev.mysql.com/doc/refman/8.4/en/audit-log.html',
      'https://docs.percona.com/percona-server/8.4/audit-log-filter-overview.html',
    ],
    safeguards: [
      unrecorded,
      lowers(safeguards.activityReview, 'There is no record of this activity to review.'),
      lowers(safeguards.logInMonitoring, 'Failed sign-ins that are not logged cannot be monitored.'),
    ],
  },
} as const satisfies Record<string, Check>;
