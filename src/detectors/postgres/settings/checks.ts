import { lowers, safeguards, shows } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';
import { docs, managed, rule, setAtRestart, setParameters } from '../fix.ts';

const changeable = lowers(
  safeguards.transmissionIntegrity,
  'Unencrypted or weakly encrypted connections can be changed in transit unnoticed.',
);

export const settingsChecks = {
  sslOff: {
    id: 'postgres.ssl_off',
    title: 'TLS is off',
    severity: 'high',
    why: 'Password exchanges, queries and rows cross the network unencrypted, so anyone on the path can read and change them.',
    fix: {
      advice:
        'Give the server a certificate and turn TLS on. Then require it with `hostssl` instead of `host` in pg_hba.conf, and have clients connect with `sslmode=verify-full`. In Docker, mount the two files and pass `-c ssl=on` with their paths.',
      steps: [
        setParameters(
          {
            ssl_cert_file: '/etc/postgresql/server.crt',
            ssl_key_file: '/etc/postgresql/server.key',
            ssl: 'on',
          },
          {
            replace: {
              '/etc/postgresql/server.crt': 'the certificate’s file',
              '/etc/postgresql/server.key': 'the key’s file',
            },
          },
        ),
      ],
    },
    references: [docs('ssl-tcp.html'), docs('auth-pg-hba-conf.html')],
    safeguards: [
      shows(safeguards.transmissionEncryption, 'The server’s setting shows whether it offers TLS.'),
      changeable,
    ],
  },
  tlsMinimum: {
    id: 'postgres.tls_minimum_old',
    title: 'TLS 1.0 or 1.1 is allowed',
    severity: 'medium',
    why: 'TLS 1.0 and 1.1 rely on broken hash functions and are deprecated (RFC 8996). An attacker on the path may downgrade both sides to them.',
    fix: {
      advice: `Require TLS 1.2, or \`TLSv1.3\` if every client supports it. ${managed}`,
      steps: [setParameters({ ssl_min_protocol_version: 'TLSv1.2' })],
    },
    references: [
      docs('runtime-config-connection.html#GUC-SSL-MIN-PROTOCOL-VERSION'),
      'https://www.rfc-editor.org/rfc/rfc8996',
    ],
    safeguards: [
      shows(
        safeguards.transmissionEncryption,
        'The server’s setting shows whether it refuses TLS 1.0 and 1.1, which can be broken.',
      ),
      changeable,
    ],
  },
  listensEverywhere: {
    id: 'postgres.listens_on_all_addresses',
    title: 'The server listens on and allows all addresses',
    severity: 'medium',
    why: 'The server may be reachable from unintended networks, and no pg_hba.conf rule stops strangers from trying to sign in.',
    fix: {
      advice:
        'Listen only on the addresses that clients use. In a container, which has to listen on `*`, restrict pg_hba.conf to the clients’ networks and publish the port on one address (`-p 127.0.0.1:5432:5432`): that resolves this finding too.',
      steps: [
        setAtRestart(
          { listen_addresses: 'localhost, 10.1.2.3' },
          { replace: { '10.1.2.3': 'the address that clients use' } },
        ),
        rule('hostssl clinic app 10.1.0.0/16 scram-sha-256', 'Replace the rules for every address.'),
      ],
    },
    references: [docs('runtime-config-connection.html#GUC-LISTEN-ADDRESSES'), docs('auth-pg-hba-conf.html')],
    safeguards: [
      lowers(safeguards.accessControl, 'Anyone who reaches the server on any network can try to sign in.'),
    ],
  },
  passwordEncryption: {
    id: 'postgres.password_encryption_weak',
    title: 'New passwords are stored as MD5',
    severity: 'high',
    why: 'An MD5 verifier is enough to sign in, and its password can be cracked quickly once a backup or role dump leaks.',
    fix: {
      advice: `Store new passwords as SCRAM verifiers, set each password again (\`\\password app\` in psql), and require \`scram-sha-256\` in pg_hba.conf. Drivers from before 2018 need an upgrade first. ${managed}`,
      steps: [setParameters({ password_encryption: 'scram-sha-256' })],
    },
    references: [docs('auth-password.html'), docs('runtime-config-connection.html#GUC-PASSWORD-ENCRYPTION')],
    safeguards: [
      shows(
        safeguards.authentication,
        'The server’s setting shows whether new passwords are stored as SCRAM verifiers, which cannot be used to sign in.',
      ),
      lowers(
        safeguards.passwordManagement,
        'Passwords stored as MD5 are not safeguarded: the stored value is enough to sign in.',
      ),
    ],
  },
  statementTimeout: {
    id: 'postgres.statement_timeout_off',
    title: 'No statement timeout',
    severity: 'low',
    why: 'A runaway or hostile query keeps its locks and uses the server until someone notices.',
    fix: {
      advice:
        "Set a limit for the whole server, and another for roles that need more or less: `ALTER ROLE app SET statement_timeout = '60s';`. Since version 17, `transaction_timeout` limits whole transactions.",
      steps: [
        setParameters(
          { statement_timeout: '5min' },
          { note: 'Give roles that dump and migrate a longer one.' },
        ),
      ],
    },
    references: [docs('runtime-config-client.html#GUC-STATEMENT-TIMEOUT')],
    safeguards: [],
  },
  idleTimeout: {
    id: 'postgres.idle_timeout_off',
    title: 'Idle sessions never end',
    severity: 'low',
    why: 'A forgotten session stays signed in. If it is idle in a transaction, it keeps its locks and blocks cleanup.',
    fix: {
      advice:
        'Set a timeout for sessions that are idle in a transaction. For people’s roles, also set `idle_session_timeout` (version 14 or newer), but not for roles that use connection pools.',
      steps: [setParameters({ idle_in_transaction_session_timeout: '60s' })],
    },
    references: [
      docs('runtime-config-client.html#GUC-IDLE-IN-TRANSACTION-SESSION-TIMEOUT'),
      docs('runtime-config-client.html#GUC-IDLE-SESSION-TIMEOUT'),
    ],
    safeguards: [lowers(safeguards.automaticLogOff, 'Sessions stay open however long they are inactive.')],
  },
  plaintextSession: {
    id: 'postgres.plaintext_session',
    title: 'A session is not encrypted',
    severity: 'high',
    why: 'Anyone on the network path can read and change everything this role sends and receives.',
    fix: {
      advice:
        'Have the client connect with `sslmode=verify-full` (libpq, JDBC), `ssl: { ca }` (node-postgres) or its driver’s equivalent, then allow nothing else. On Amazon RDS set `rds.force_ssl = 1`, on Cloud SQL choose “Allow only SSL connections”, on Azure set `require_secure_transport = on`.',
      steps: [
        rule('hostnossl all all all reject', 'Put it first.', {
          note: 'Put it first, run `SELECT pg_reload_conf();`, then end the sessions that are open: `SELECT pg_terminate_backend(pid) FROM pg_stat_ssl WHERE NOT ssl;`.',
        }),
      ],
    },
    references: [docs('libpq-ssl.html'), docs('monitoring-stats.html#MONITORING-PG-STAT-SSL-VIEW')],
    safeguards: [
      lowers(
        safeguards.transmissionEncryption,
        'A session from another machine is not encrypted, and finding none at one moment proves nothing.',
      ),
      changeable,
    ],
  },
} as const satisfies Record<string, Check>;
