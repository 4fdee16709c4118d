import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

const unrecorded = lowers(safeguards.auditControls, 'Activity that is not recorded cannot be examined.');

const mysqlVariable = (name: string) =>
  `https://dev.mysql.com/doc/refman/8.4/en/server-system-variables.html#sysvar_${name}`;

export const settingsChecks = {
  localInfile: {
    id: 'mysql.local_infile',
    title: 'Clients may be asked for their local files',
    severity: 'medium',
    why: 'With LOAD DATA LOCAL a flaw in an application’s SQL, or a hostile server in between, reads files of the machine on which the application runs.',
    fix: {
      advice:
        'Under `[mysqld]` set `local_infile = OFF` and restart, or at once: `SET GLOBAL local_infile = OFF;`. Amazon RDS, Aurora and Azure: the parameter of the same name. Turn it off in clients too: `local-infile=0` under `[client]`, `allowLoadLocalInfile=false` in Connector/J.',
    },
    references: [
      'https://dev.mysql.com/doc/refman/8.4/en/load-data-local-security.html',
      'https://mariadb.com/kb/en/server-system-variables/#local_infile',
    ],
    safeguards: [],
  },
  secureFilePriv: {
    id: 'mysql.secure_file_priv',
    title: 'SQL may read and write files anywhere on the server',
    severity: 'medium',
    why: 'An account with FILE can read keys and configuration of the server’s machine, or write a file that another program there executes.',
    fix: {
      advice:
        'Under `[mysqld]` set `secure_file_priv` to a directory that holds nothing else, such as `/var/lib/mysql-files`, owned by the server’s user with mode 0750, and restart. MySQL can turn import and export off altogether with `secure_file_priv = NULL`; MariaDB cannot: there an unset value means no limit.',
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
    title: 'Passwords are written to the logs as they are',
    severity: 'low',
    why: 'Statements that set a password stand in the general, slow and binary logs in full, where more people can read them than may know the password.',
    fix: {
      advice:
        'Remove `log-raw` from the configuration, or set `log_raw = OFF` under `[mysqld]`; at once: `SET GLOBAL log_raw = OFF;`. Then delete the logs that have passwords in them, or change the passwords.',
    },
    references: [mysqlVariable('log_raw'), 'https://dev.mysql.com/doc/refman/8.4/en/password-logging.html'],
    safeguards: [lowers(safeguards.passwordManagement, 'Passwords are written to logs in clear text.')],
  },
  sqlMode: {
    id: 'mysql.sql_mode_lenient',
    title: 'The server changes wrong data silently instead of refusing it',
    severity: 'low',
    why: 'Without strict mode values that are too long or out of range are cut to fit with no more than a warning, and what was stored is not what was sent.',
    fix: {
      advice:
        "Under `[mysqld]` set `sql_mode = STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION`, and in MariaDB and MySQL 5.7 also `NO_AUTO_CREATE_USER`, without which GRANT makes accounts with no password. Try the application first in one session: `SET SESSION sql_mode = '…';`.",
    },
    references: [
      'https://dev.mysql.com/doc/refman/8.4/en/sql-mode.html',
      'https://mariadb.com/kb/en/sql-mode/',
    ],
    safeguards: [
      lowers(safeguards.integrity, 'The server stores something other than what was sent, without an error.'),
    ],
  },
  passwordValidation: {
    id: 'mysql.password_validation_missing',
    title: 'The server takes any password, however weak',
    severity: 'low',
    why: 'Nothing stops somebody from giving an account a password that is guessed in minutes.',
    fix: {
      advice:
        "MySQL 8: `INSTALL COMPONENT 'file://component_validate_password';` then `SET PERSIST validate_password.length = 14;`. MySQL 5.7: the plugin `validate_password`. MariaDB: `INSTALL SONAME 'simple_password_check';` and `simple_password_check_minimal_length = 14` under `[mysqld]`, or the plugin `cracklib_password_check`. Cloud SQL has password policies of its own.",
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
    title: 'No audit plugin records who did what',
    severity: 'low',
    why: 'After an incident nobody can tell which account read or changed which data, nor see failed log-ins in time.',
    fix: {
      advice:
        "MariaDB: `INSTALL SONAME 'server_audit';` and under `[mysqld]` `server_audit_logging = ON`, `server_audit_events = CONNECT,QUERY_DDL,QUERY_DCL`. Percona Server: component `audit_log_filter`; MySQL Enterprise: plugin `audit_log`. Amazon RDS: option MARIADB_AUDIT_PLUGIN; Aurora: `server_audit_logging = 1`; Azure: `audit_log_enabled = ON`; Cloud SQL: flag `cloudsql_mysql_audit`. Send the log to another machine and keep it for as long as you must.",
    },
    references: [
      'https://mariadb.com/kb/en/mariadb-audit-plugin/',
      'https://dev.mysql.com/doc/refman/8.4/en/audit-log.html',
      'https://docs.percona.com/percona-server/8.4/audit-log-filter-overview.html',
    ],
    safeguards: [
      unrecorded,
      lowers(safeguards.activityReview, 'Without this record there is less to review.'),
      lowers(safeguards.logInMonitoring, 'Failed log-ins that are not recorded cannot be monitored.'),
    ],
  },
} as const satisfies Record<string, Check>;
