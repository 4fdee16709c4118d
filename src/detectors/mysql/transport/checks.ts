import { lowers, safeguards, shows } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

const changeable = lowers(
  safeguards.transmissionIntegrity,
  'Unencrypted or weakly encrypted connections can be changed in transit unnoticed.',
);

export const transportChecks = {
  plaintextAllowed: {
    id: 'mysql.plaintext_allowed',
    title: 'The database accepts connections without encryption',
    severity: 'high',
    why: 'Whoever can listen on the network between a client and the server reads every query, every row and, with some plugins, the password.',
    fix: {
      advice:
        'Give the server a certificate (`ssl_cert`, `ssl_key`, `ssl_ca` under `[mysqld]`), let all clients use TLS, then set `require_secure_transport = ON`. It can be tried at runtime: `SET GLOBAL require_secure_transport = ON;`. Amazon RDS and Aurora: set it to 1 in the parameter group. Azure: server parameter `require_secure_transport`. MariaDB before 10.5 has no such setting: `ALTER USER … REQUIRE SSL` for every account.',
    },
    references: [
      'https://dev.mysql.com/doc/refman/8.4/en/using-encrypted-connections.html',
      'https://mariadb.com/kb/en/securing-connections-for-client-and-server/',
    ],
    safeguards: [
      shows(
        safeguards.transmissionEncryption,
        'The server’s setting, or the requirement of each remote account, says whether a connection without TLS is refused.',
      ),
      changeable,
    ],
  },
  oldVersion: {
    id: 'mysql.tls_version_old',
    title: 'The database accepts TLS 1.0 or 1.1',
    severity: 'medium',
    why: 'Both versions rest on broken hash functions and were withdrawn in 2021; somebody in between may push clients down to them.',
    fix: {
      advice:
        'Under `[mysqld]` set `tls_version = TLSv1.2,TLSv1.3` and restart, or `SET GLOBAL tls_version = …; ALTER INSTANCE RELOAD TLS;` on MySQL. Amazon RDS: parameter `tls_version` in the parameter group. Clients that speak nothing newer need an update of their driver.',
    },
    references: [
      'https://www.rfc-editor.org/rfc/rfc8996',
      'https://dev.mysql.com/doc/refman/8.4/en/encrypted-connection-protocols-ciphers.html',
      'https://mariadb.com/kb/en/ssltls-system-variables/',
    ],
    safeguards: [
      shows(
        safeguards.transmissionEncryption,
        'The server’s own setting says whether it refuses TLS 1.0 and 1.1, which can be broken.',
      ),
      changeable,
    ],
  },
  plaintextSession: {
    id: 'mysql.plaintext_session',
    title: 'An account is connected without encryption now',
    severity: 'high',
    why: 'What this account asks and gets can be read and changed by anybody on the network between the two machines.',
    fix: {
      advice:
        "Turn TLS on in the client that uses the account: `ssl-mode=VERIFY_IDENTITY` (mysql, Connector/J: `sslMode=VERIFY_IDENTITY`), `ssl-verify-server-cert` (mariadb), `ssl: { ca }` (Node drivers). Then `ALTER USER 'name'@'host' REQUIRE SSL;` so that it cannot fall back. For replication: `CHANGE REPLICATION SOURCE TO SOURCE_SSL = 1`, in MariaDB `CHANGE MASTER TO MASTER_SSL = 1`.",
    },
    references: [
      'https://dev.mysql.com/doc/refman/8.4/en/performance-schema-threads-table.html',
      'https://mariadb.com/kb/en/securing-connections-for-client-and-server/',
    ],
    safeguards: [
      lowers(
        safeguards.transmissionEncryption,
        'What a session from the network carries is not encrypted, and that none is there at the moment shows nothing.',
      ),
      changeable,
    ],
  },
} as const satisfies Record<string, Check>;
