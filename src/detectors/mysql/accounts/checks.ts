import { lowers, safeguards, shows } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';
import { account, statements } from '../fix.ts';

const excess = lowers(
  safeguards.accessModification,
  'The account has more privileges than such an account usually needs, which an access review would correct.',
);

export const accountsChecks = {
  emptyPassword: {
    id: 'mysql.password_empty',
    title: 'An account has no password',
    severity: 'critical',
    why: 'Anyone who reaches the server from an allowed host can sign in with the account’s privileges, and cannot be identified afterwards.',
    fix: {
      advice:
        'Set a long random password. On the server itself, an operating-system account can sign in without one through `auth_socket` (MySQL) or `unix_socket` (MariaDB). Drop unused accounts, and lock those that only own objects.',
      steps: [
        ...statements("ALTER USER 'app'@'10.1.2.%' IDENTIFIED BY 'a-long-random-password';", {
          replace: { ...account, 'a-long-random-password': 'a password' },
        }),
      ],
    },
    references: [
      'https://dev.mysql.com/doc/refman/8.4/en/assigning-passwords.html',
      'https://mariadb.com/kb/en/alter-user/',
    ],
    safeguards: [
      shows(
        safeguards.authentication,
        'The list of accounts shows whether one can sign in without authentication.',
      ),
      lowers(safeguards.passwordManagement, 'The account has no password.'),
    ],
  },
  anonymous: {
    id: 'mysql.anonymous_account',
    title: 'An account has no name',
    severity: 'high',
    why: 'An anonymous account matches every username that has no better match, so activity cannot be traced to a person.',
    fix: {
      advice:
        'Drop the account for each host that the finding names. `mysql_secure_installation` (`mariadb-secure-installation`) does this and also removes the test database.',
      steps: [...statements("DROP USER ''@'localhost';", { replace: { localhost: 'the host' } })],
    },
    references: [
      'https://dev.mysql.com/doc/refman/8.4/en/connection-access.html',
      'https://mariadb.com/kb/en/mariadb-secure-installation/',
    ],
    safeguards: [
      shows(
        safeguards.authentication,
        'The list of accounts shows whether clients can sign in under any name.',
      ),
      lowers(safeguards.uniqueUser, 'Activity of an account without a name cannot be traced to a person.'),
    ],
  },
  privilegedFromAnywhere: {
    id: 'mysql.privileged_from_anywhere',
    title: 'A privileged account can sign in from any host',
    severity: 'high',
    why: 'With a leaked or guessed password, the whole server can be taken over from anywhere it can be reached, not only from its administrators’ machines.',
    fix: {
      advice:
        'Limit the account to the hosts where it is used, ideally `localhost` with an SSH tunnel. For official container images, set `MYSQL_ROOT_HOST` or `MARIADB_ROOT_HOST` to `localhost` before the first start. Give applications their own accounts without global privileges.',
      steps: [
        ...statements("RENAME USER 'app'@'%' TO 'app'@'10.1.2.%';", {
          replace: { "'app'@'%'": 'the account', '10.1.2.%': 'the hosts where it is used' },
        }),
      ],
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
    title: 'An account uses an outdated password hash',
    severity: 'medium',
    why: 'The server stores an unsalted SHA-1 or weaker hash. Once it leaks, graphics cards can try billions of guesses per second.',
    fix: {
      advice:
        'Move the account to a current authentication plugin, after updating its clients’ drivers. Accounts with `mysql_old_password` need a new password at once. On MySQL 8.4, also set `mysql_native_password = OFF` once no account uses it.',
      steps: [
        {
          place: 'mariadb.sql',
          code: "INSTALL SONAME 'auth_ed25519';\nALTER USER 'app'@'10.1.2.%' IDENTIFIED VIA ed25519 USING PASSWORD('a-long-random-password');",
          replace: { ...account, 'a-long-random-password': 'its password' },
          note: 'On 11.6 and newer, `parsec` is the better plugin.',
        },
        {
          place: 'mysql.sql',
          version: '8.0 or newer',
          code: "ALTER USER 'app'@'10.1.2.%' IDENTIFIED WITH caching_sha2_password BY 'a-long-random-password';",
          replace: { ...account, 'a-long-random-password': 'its password' },
        },
      ],
    },
    references: [
      'https://dev.mysql.com/doc/refman/8.4/en/native-pluggable-authentication.html',
      'https://dev.mysql.com/doc/refman/8.4/en/caching-sha2-pluggable-authentication.html',
      'https://mariadb.com/kb/en/authentication-plugin-ed25519/',
    ],
    safeguards: [
      shows(
        safeguards.authentication,
        'The list of accounts shows whether passwords are verified with an outdated hash, which can be cracked quickly.',
      ),
      lowers(
        safeguards.passwordManagement,
        'A password stored as an outdated hash can be cracked quickly once the hash leaks.',
      ),
    ],
  },
  globalPrivileges: {
    id: 'mysql.global_privileges',
    title: 'A non-administrator has SUPER, FILE or PROCESS',
    severity: 'medium',
    why: 'SUPER changes the server at will, FILE reads and writes files on its machine, and PROCESS shows other sessions’ statements with their values.',
    fix: {
      advice:
        'Revoke what the account does not need, and grant narrower privileges for what it does: `CONNECTION_ADMIN` or `BINLOG_ADMIN` on MySQL 8, `CONNECTION ADMIN` or `BINLOG ADMIN` on MariaDB 10.5 and newer. `LOAD DATA LOCAL` and exports by a client do not need FILE.',
      steps: [
        ...statements("REVOKE SUPER, FILE, PROCESS ON *.* FROM 'app'@'10.1.2.%';", { replace: account }),
      ],
    },
    references: [
      'https://dev.mysql.com/doc/refman/8.4/en/privileges-provided.html',
      'https://mariadb.com/kb/en/grant/#global-privileges',
    ],
    safeguards: [
      excess,
      lowers(safeguards.accessControl, 'The account can bypass the privileges on individual databases.'),
    ],
  },
} as const satisfies Record<string, Check>;
