import { lowers, safeguards, shows } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';
import { account, settings, statements } from '../fix.ts';

const changeable = lowers(
  safeguards.transmissionIntegrity,
  'Unencrypted or weakly encrypted connections can be changed in transit unnoticed.',
);

export const transportChecks = {
  plaintextAllowed: {
    id: 'mysql.plaintext_allowed',
    title: 'Unencrypted connections are accepted',
    severity: 'high',
    why: 'Anyone on the network between a client and the server can read every query, every row and, with some plugins, the password.',
    fix: {
      advice:
        'Give the server a certificate, let all clients use TLS, then require it. On Amazon RDS and Aurora set `require_secure_transport = 1` in the parameter group, on Azure set the server parameter of the same name. MariaDB before 10.5 has no such setting: use `ALTER USER` with `REQUIRE SSL` for every account.',
      steps: [
        ...settings(
          {
            ssl_ca: '/etc/mysql/ca.pem',
            ssl_cert: '/etc/mysql/server.crt',
            ssl_key: '/etc/mysql/server.key',
            require_secure_transport: 'ON',
          },
          {
            replace: {
              '/etc/mysql/ca.pem': 'the authority’s certificate',
              '/etc/mysql/server.crt': 'the server’s certificate',
              '/etc/mysql/server.key': 'its key',
            },
            note: 'To try it at runtime: `SET GLOBAL require_secure_transport = ON;`.',
          },
        ),
      ],
    },
    references: [
      'https://dev.mysql.com/doc/refman/8.4/en/using-encrypted-connections.html',
      'https://mariadb.com/kb/en/securing-connections-for-client-and-server/',
    ],
    safeguards: [
      shows(
        safeguards.transmissionEncryption,
        'The server’s setting, or the requirement of each remote account, shows whether unencrypted connections are refused.',
      ),
      changeable,
    ],
  },
  oldVersion: {
    id: 'mysql.tls_version_old',
    title: 'TLS 1.0 or 1.1 is accepted',
    severity: 'medium',
    why: 'Both versions rely on broken hash functions and were deprecated in 2021; an attacker in between may downgrade clients to them.',
    fix: {
      advice:
        'Allow TLS 1.2 and 1.3 only. On Amazon RDS, change `tls_version` in the parameter group. Clients that support nothing newer need a driver update.',
      steps: [...settings({ tls_version: 'TLSv1.2,TLSv1.3' })],
    },
    references: [
      'https://www.rfc-editor.org/rfc/rfc8996',
      'https://dev.mysql.com/doc/refman/8.4/en/encrypted-connection-protocols-ciphers.html',
      'https://mariadb.com/kb/en/ssltls-system-variables/',
    ],
    safeguards: [
      shows(
        safeguards.transmissionEncryption,
        'The server’s setting shows whether it refuses TLS 1.0 and 1.1, which can be broken.',
      ),
      changeable,
    ],
  },
  plaintextSession: {
    id: 'mysql.plaintext_session',
    title: 'An account is connected without encryption',
    severity: 'high',
    why: 'Everything this account sends and receives can be read and changed by anyone on the network between the two machines.',
    fix: {
      advice:
        'Turn TLS on in the client: `ssl-mode=VERIFY_IDENTITY` (mysql), `sslMode=VERIFY_IDENTITY` (Connector/J), `ssl-verify-server-cert` (mariadb) or `ssl: { ca }` (Node.js drivers). Then require it for the account and end its open sessions. For replication, set `SOURCE_SSL = 1` (MySQL) or `MASTER_SSL = 1` (MariaDB).',
      steps: [
        ...statements("ALTER USER 'app'@'10.1.2.%' REQUIRE SSL;", {
          replace: account,
          note: 'Sessions that are already open stay as they are: end them with `KILL`.',
        }),
      ],
    },
    references: [
      'https://dev.mysql.com/doc/refman/8.4/en/performance-schema-threads-table.html',
      'https://mariadb.com/kb/en/securing-connections-for-client-and-server/',
    ],
    safeguards: [
      lowers(
        safeguards.transmissionEncryption,
        'A session from another machine is not encrypted, and finding none at one moment proves nothing.',
      ),
      changeable,
    ],
  },
} as const satisfies Record<string, Check>;
