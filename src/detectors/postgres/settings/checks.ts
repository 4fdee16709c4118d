import { lowers, safeguards, shows } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

const changeable = lowers(
  safeguards.transmissionIntegrity,
  'Unencrypted or weakly encrypted connections can be changed in transit unnoticed.',
);

const docs = (page: string) => `https://www.postgresql.org/docs/current/${page}`;

export const settingsChecks = {
  sslOff: {
    id: 'postgres.ssl_off',
    title: 'The server offers no TLS on the network',
    severity: 'high',
    why: 'Passwords’ proofs, queries and rows cross the network in the clear for everybody on the way to read and change.',
    fix: {
      advice:
        "Give the server a certificate and turn TLS on: `alter system set ssl = 'on'; alter system set ssl_cert_file = 'server.crt'; alter system set ssl_key_file = 'server.key';`, then `select pg_reload_conf();`. Make pg_hba.conf insist on it: use `hostssl` in place of `host`. Have clients connect with `sslmode=verify-full`. In Docker: mount the two files and pass `-c ssl=on -c ssl_cert_file=… -c ssl_key_file=…`.",
    },
    references: [docs('ssl-tcp.html'), docs('auth-pg-hba-conf.html')],
    safeguards: [
      shows(safeguards.transmissionEncryption, 'The server’s own setting says whether it offers TLS.'),
      changeable,
    ],
  },
  tlsMinimum: {
    id: 'postgres.tls_minimum_old',
    title: 'TLS 1.0 or 1.1 is permitted',
    severity: 'medium',
    why: 'TLS 1.0 and 1.1 rest on broken hash functions and are retired (RFC 8996); an attacker on the way may talk both sides into using them.',
    fix: {
      advice:
        "`alter system set ssl_min_protocol_version = 'TLSv1.2'; select pg_reload_conf();` or `TLSv1.3` when every client speaks it. On RDS set it in the parameter group.",
    },
    references: [
      docs('runtime-config-connection.html#GUC-SSL-MIN-PROTOCOL-VERSION'),
      'https://www.rfc-editor.org/rfc/rfc8996',
    ],
    safeguards: [
      shows(
        safeguards.transmissionEncryption,
        'The server’s own setting says whether it refuses TLS 1.0 and 1.1, which can be broken.',
      ),
      changeable,
    ],
  },
  listensEverywhere: {
    id: 'postgres.listens_on_all_addresses',
    title: 'The server listens on all addresses and admits any of them',
    severity: 'medium',
    why: 'The server answers on networks that nobody meant, and no rule in pg_hba.conf stands in the way of strangers’ attempts to log in.',
    fix: {
      advice:
        "Name the addresses that clients use: `alter system set listen_addresses = 'localhost, 10.1.2.3';` and restart. In a container, where `*` is the way, restrict pg_hba.conf to the networks of the clients instead (`hostssl clinic app 10.1.0.0/16 scram-sha-256`) and publish the port on one address only (`-p 127.0.0.1:5432:5432`): then this finding goes too.",
    },
    references: [docs('runtime-config-connection.html#GUC-LISTEN-ADDRESSES'), docs('auth-pg-hba-conf.html')],
    safeguards: [
      lowers(safeguards.accessControl, 'Anyone who reaches the server on any network may try to log in.'),
    ],
  },
  passwordEncryption: {
    id: 'postgres.password_encryption_weak',
    title: 'New passwords are stored as MD5',
    severity: 'high',
    why: 'An MD5 verifier is enough to log in with, and it gives its password away to fast guessing, once a backup or a dump of roles leaks.',
    fix: {
      advice:
        "`alter system set password_encryption = 'scram-sha-256'; select pg_reload_conf();`, then set each password anew (`\\password app` in psql), and change `md5` to `scram-sha-256` in pg_hba.conf. Drivers from before 2018 need an upgrade first. On RDS set password_encryption in the parameter group.",
    },
    references: [docs('auth-password.html'), docs('runtime-config-connection.html#GUC-PASSWORD-ENCRYPTION')],
    safeguards: [
      shows(
        safeguards.authentication,
        'The server’s own setting says whether new passwords are stored as SCRAM verifiers, which cannot be used to log in.',
      ),
      lowers(
        safeguards.passwordManagement,
        'Passwords stored as MD5 are not safeguarded: the stored value is enough to log in.',
      ),
    ],
  },
  statementTimeout: {
    id: 'postgres.statement_timeout_off',
    title: 'Statements may run for ever',
    severity: 'low',
    why: 'One runaway or hostile query holds its locks and its share of the server until somebody notices.',
    fix: {
      advice:
        "Set a limit for the roles of applications: `alter role app set statement_timeout = '60s';`. For the whole server: `alter system set statement_timeout = '5min';` with a longer one for the roles that dump and migrate. Since version 17 `transaction_timeout` limits whole transactions.",
    },
    references: [docs('runtime-config-client.html#GUC-STATEMENT-TIMEOUT')],
    safeguards: [],
  },
  idleTimeout: {
    id: 'postgres.idle_timeout_off',
    title: 'Idle sessions are never ended',
    severity: 'low',
    why: 'A forgotten session stays logged in, and one that idles within a transaction keeps its locks and keeps the server from cleaning up.',
    fix: {
      advice:
        "`alter system set idle_in_transaction_session_timeout = '60s'; select pg_reload_conf();`. For people’s roles also `alter role analyst set idle_session_timeout = '15min';` (version 14 or newer; leave it off for roles of connection pools).",
    },
    references: [
      docs('runtime-config-client.html#GUC-IDLE-IN-TRANSACTION-SESSION-TIMEOUT'),
      docs('runtime-config-client.html#GUC-IDLE-SESSION-TIMEOUT'),
    ],
    safeguards: [lowers(safeguards.automaticLogOff, 'Sessions stay open however long they are inactive.')],
  },
  plaintextSession: {
    id: 'postgres.plaintext_session',
    title: 'A session crosses the network without encryption',
    severity: 'high',
    why: 'Whatever this role asks and gets can be read, and changed, by everybody on the way at this very moment.',
    fix: {
      advice:
        'Have the client connect with `sslmode=verify-full` (libpq, JDBC), `ssl: { ca }` (node-postgres) or its driver’s equivalent, then let pg_hba.conf admit nothing else: replace `host` by `hostssl`, or put `hostnossl all all all reject` first, and reload. On RDS set `rds.force_ssl = 1`, on Cloud SQL choose “Allow only SSL connections”, on Azure `require_secure_transport = on`.',
    },
    references: [docs('libpq-ssl.html'), docs('monitoring-stats.html#MONITORING-PG-STAT-SSL-VIEW')],
    safeguards: [
      lowers(
        safeguards.transmissionEncryption,
        'What a session from another machine carries is not encrypted, and that none is there at the moment shows nothing.',
      ),
      changeable,
    ],
  },
} as const satisfies Record<string, Check>;
