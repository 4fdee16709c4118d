import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';
import { account, statements } from '../fix.ts';

const excess = lowers(
  safeguards.accessModification,
  'The account has more privileges than such an account usually needs, which an access review would correct.',
);
const control = lowers(
  safeguards.accessControl,
  'The account can bypass the privileges on individual databases.',
);
const references = [
  'https://dev.mysql.com/doc/refman/8.4/en/privileges-provided.html',
  'https://mariadb.com/kb/en/grant/',
];

export const grantsChecks = {
  schemaWritable: {
    id: 'mysql.system_schema_writable',
    title: 'An ordinary account can change accounts and privileges in tables',
    severity: 'high',
    why: 'Who can write the tables of the schema mysql can give any account a password or all privileges, and so take over the server.',
    fix: {
      advice:
        'Grant privileges on the databases that the account uses, and nothing on `*.*` or `mysql`. Administrators use `CREATE USER` and `GRANT`, which need no access to these tables.',
      steps: [
        ...statements("REVOKE INSERT, UPDATE, DELETE ON mysql.* FROM 'app'@'10.1.2.%';", {
          replace: { ...account, 'mysql.*': 'the place that the finding names, or `*.*`' },
        }),
      ],
    },
    references: [...references, 'https://dev.mysql.com/doc/refman/8.4/en/grant-tables.html'],
    safeguards: [excess, control],
  },
  hashesReadable: {
    id: 'mysql.password_hashes_readable',
    title: 'An ordinary account can read password hashes',
    severity: 'medium',
    why: 'Hashes of all accounts can be copied and guessed on another machine.',
    fix: {
      advice:
        'Grant SELECT on the databases that the account uses, and nothing on `*.*`, `mysql.*` or `mysql.user`. A backup needs all databases: limit its account to one host.',
      steps: [
        ...statements("REVOKE SELECT ON mysql.* FROM 'app'@'10.1.2.%';", {
          replace: { ...account, 'mysql.*': 'the place that the finding names, or `*.*`' },
        }),
      ],
    },
    references,
    safeguards: [
      excess,
      lowers(safeguards.passwordManagement, 'Password hashes of all accounts can be read.'),
    ],
  },
  adminPrivileges: {
    id: 'mysql.administrative_privileges',
    title: 'An ordinary account has administrative privileges',
    severity: 'medium',
    why: 'Each of these privileges replaces a part of SUPER. With some of them an account can act as another, change settings or stop the server.',
    fix: {
      advice: 'Revoke the privileges that the finding names, unless the account belongs to an administrator.',
      steps: [
        {
          place: 'mariadb.sql',
          code: "REVOKE SET USER ON *.* FROM 'app'@'10.1.2.%';",
          replace: { ...account, 'SET USER': 'the privileges' },
        },
        {
          place: 'mysql.sql',
          version: '8.0 or newer',
          code: "REVOKE SYSTEM_VARIABLES_ADMIN ON *.* FROM 'app'@'10.1.2.%';",
          replace: { ...account, SYSTEM_VARIABLES_ADMIN: 'the privileges' },
        },
      ],
    },
    references,
    safeguards: [excess, control],
  },
  grantOption: {
    id: 'mysql.grant_option',
    title: 'An ordinary account can grant its privileges to others',
    severity: 'low',
    why: 'A compromised application can give its access to further accounts, and reviews of privileges miss how they got it.',
    fix: {
      advice: 'Revoke GRANT OPTION. Only administrators grant privileges.',
      steps: [
        ...statements("REVOKE GRANT OPTION ON shop.* FROM 'app'@'10.1.2.%';", {
          replace: { ...account, 'shop.*': 'the place that the finding names' },
        }),
      ],
    },
    references,
    safeguards: [excess],
  },
  testDatabase: {
    id: 'mysql.test_database_open',
    title: 'Every account may use a database',
    severity: 'medium',
    why: 'Older installations let every account write databases whose name begins with test. They can fill the disk, or hide and exchange data there.',
    fix: {
      advice:
        'Remove the entry and the databases for tests. `mysql_secure_installation` (`mariadb-secure-installation`) does this.',
      steps: [
        ...statements(
          "DELETE FROM mysql.db WHERE User = '' AND Db LIKE 'test%';\nFLUSH PRIVILEGES;\nDROP DATABASE IF EXISTS test;",
          { note: 'Privileges of PUBLIC are revoked with `REVOKE … FROM PUBLIC`.' },
        ),
      ],
    },
    references: [
      'https://dev.mysql.com/doc/refman/8.4/en/mysql-secure-installation.html',
      'https://mariadb.com/kb/en/mariadb-secure-installation/',
    ],
    safeguards: [control],
  },
  proxy: {
    id: 'mysql.proxy_to_administrator',
    title: 'An ordinary account may act as an administrator',
    severity: 'high',
    why: 'With PROXY, a sign-in through an authentication plugin such as PAM gets all privileges of the other account.',
    fix: {
      advice: 'Revoke PROXY, or give the account another one with fewer privileges.',
      steps: [
        ...statements("REVOKE PROXY ON 'root'@'localhost' FROM 'app'@'10.1.2.%';", {
          replace: { ...account, "'root'@'localhost'": 'the account that it may act as' },
        }),
      ],
    },
    references: [
      'https://dev.mysql.com/doc/refman/8.4/en/proxy-users.html',
      'https://mariadb.com/kb/en/authentication-plugin-pam/',
    ],
    safeguards: [excess, control],
  },
  replicationPlaintext: {
    id: 'mysql.replication_plaintext',
    title: 'A replica may connect without TLS',
    severity: 'medium',
    why: 'Replication sends every changed row. Without TLS, others on the network path can read and change it.',
    fix: {
      advice:
        'Require TLS for the account, and set `SOURCE_SSL = 1` (MySQL) or `MASTER_SSL = 1` (MariaDB) on replicas.',
      steps: [...statements("ALTER USER 'app'@'10.1.2.%' REQUIRE SSL;", { replace: account })],
    },
    references: [
      'https://dev.mysql.com/doc/refman/8.4/en/replication-encrypted-connections.html',
      'https://mariadb.com/kb/en/replication-with-secure-connections/',
    ],
    safeguards: [
      lowers(safeguards.transmissionEncryption, 'Replicated rows can be sent without encryption.'),
    ],
  },
} as const satisfies Record<string, Check>;
