import { lowers, safeguards, shows } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

const excess = lowers(
  safeguards.accessModification,
  'The account has more rights than such an account usually needs, which a review of access rights would settle.',
);

export const accountsChecks = {
  emptyPassword: {
    id: 'mysql.password_empty',
    title: 'An account can be logged in to without a password',
    severity: 'critical',
    why: 'Whoever reaches the server from a host that the account permits is let in with all its privileges, and leaves no trace of who it was.',
    fix: {
      advice:
        "Set a long random password: `ALTER USER 'name'@'host' IDENTIFIED BY '…';`. On the machine itself an account of the operating system needs none: `IDENTIFIED WITH auth_socket` (MySQL), `IDENTIFIED VIA unix_socket` (MariaDB). Accounts that nobody uses: `DROP USER 'name'@'host';`, or `ALTER USER … ACCOUNT LOCK;` where they only own objects.",
    },
    references: [
      'https://dev.mysql.com/doc/refman/8.4/en/assigning-passwords.html',
      'https://mariadb.com/kb/en/alter-user/',
    ],
    safeguards: [
      shows(
        safeguards.authentication,
        'The list of accounts says whether one is admitted without proving who it is.',
      ),
      lowers(safeguards.passwordManagement, 'The account has no password.'),
    ],
  },
  anonymous: {
    id: 'mysql.anonymous_account',
    title: 'There is an account without a name',
    severity: 'high',
    why: 'An account with an empty name takes in every name for which no better match exists, so nobody can tell who was connected.',
    fix: {
      advice:
        "Remove it: `DROP USER ''@'localhost';` for each host that is listed, or run `mysql_secure_installation` (`mariadb-secure-installation`), which also removes the test database that comes with it.",
    },
    references: [
      'https://dev.mysql.com/doc/refman/8.4/en/connection-access.html',
      'https://mariadb.com/kb/en/mariadb-secure-installation/',
    ],
    safeguards: [
      shows(
        safeguards.authentication,
        'The list of accounts says whether someone is admitted under any name.',
      ),
      lowers(safeguards.uniqueUser, 'Activity of an account without a name cannot be traced to a person.'),
    ],
  },
  privilegedFromAnywhere: {
    id: 'mysql.privileged_from_anywhere',
    title: 'A privileged account may log in from any host',
    severity: 'high',
    why: 'With a leaked or guessed password the whole server can be taken over from wherever it can be reached, not only from the machines of its administrators.',
    fix: {
      advice:
        "Name the hosts from which it is used: `RENAME USER 'name'@'%' TO 'name'@'10.1.2.%';`, better still `'localhost'` with an SSH tunnel. Official container images: set `MYSQL_ROOT_HOST` or `MARIADB_ROOT_HOST` to `localhost` before the first start. Give applications accounts of their own without global privileges: `GRANT SELECT, INSERT, UPDATE, DELETE ON shop.* TO …;`.",
    },
    references: [
      'https://dev.mysql.com/doc/refman/8.4/en/account-names.html',
      'https://mariadb.com/kb/en/create-user/#host-name-component',
    ],
    safeguards: [
      lowers(
        safeguards.accessControl,
        'A leaked password of a privileged account gives access from any machine.',
      ),
    ],
  },
  oldPlugin: {
    id: 'mysql.authentication_plugin_old',
    title: 'An account logs in with an outdated password hash',
    severity: 'medium',
    why: 'The server keeps an unsalted SHA-1 or weaker hash of the password, which graphics cards guess billions of times a second once it leaks.',
    fix: {
      advice:
        "MySQL 8: `ALTER USER 'name'@'host' IDENTIFIED WITH caching_sha2_password BY '…';` after updating the client's driver; then `mysql_native_password=OFF` (8.4) under `[mysqld]`. MariaDB: `INSTALL SONAME 'auth_ed25519'; ALTER USER 'name'@'host' IDENTIFIED VIA ed25519 USING PASSWORD('…');`, from 11.6 on `parsec`. `mysql_old_password` must go at once: `SET GLOBAL old_passwords = OFF, secure_auth = ON;` and a new password.",
    },
    references: [
      'https://dev.mysql.com/doc/refman/8.4/en/native-pluggable-authentication.html',
      'https://dev.mysql.com/doc/refman/8.4/en/caching-sha2-pluggable-authentication.html',
      'https://mariadb.com/kb/en/authentication-plugin-ed25519/',
    ],
    safeguards: [
      shows(
        safeguards.authentication,
        'The list of accounts says whether an outdated hash, which can be guessed fast, is accepted as proof.',
      ),
      lowers(
        safeguards.passwordManagement,
        'A password kept as an outdated hash can be guessed fast once the hash leaks.',
      ),
    ],
  },
  globalPrivileges: {
    id: 'mysql.global_privileges',
    title: 'SUPER, FILE or PROCESS is granted beyond the administrator',
    severity: 'medium',
    why: 'SUPER changes the server at will, FILE reads and writes files of its machine, and PROCESS shows the statements of every other session with the values in them.',
    fix: {
      advice:
        "Take back what is not needed: `REVOKE SUPER, FILE ON *.* FROM 'name'@'host';` (and `PROCESS`). Grant what the work takes instead: MySQL 8 has `SYSTEM_VARIABLES_ADMIN`, `BINLOG_ADMIN`, `CONNECTION_ADMIN`, …; MariaDB 10.5 and newer `READ_ONLY ADMIN`, `BINLOG ADMIN`, `CONNECTION ADMIN`, …. `LOAD DATA LOCAL` and the export of a query by a client need no FILE.",
    },
    references: [
      'https://dev.mysql.com/doc/refman/8.4/en/privileges-provided.html',
      'https://mariadb.com/kb/en/grant/#global-privileges',
    ],
    safeguards: [
      excess,
      lowers(safeguards.accessControl, 'The account can pass by the access rights to single databases.'),
    ],
  },
} as const satisfies Record<string, Check>;
