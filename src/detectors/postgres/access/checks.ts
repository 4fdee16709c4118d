import { lowers, safeguards, shows } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';
import { docs, rule, sql } from '../fix.ts';

const hba = docs('auth-pg-hba-conf.html');
const scram = 'hostssl clinic app 10.1.0.0/16 scram-sha-256';
const resetPassword = sql(
  "SET password_encryption = 'scram-sha-256';\nALTER ROLE app PASSWORD 'a-long-random-password';",
  {
    replace: { app: 'the role', 'a-long-random-password': 'its password, which may stay the same' },
    note: 'In psql, `\\password app` does the same without the password reaching the log. Drivers from before 2018 need an upgrade first.',
  },
);

export const accessChecks = {
  trust: {
    id: 'postgres.hba_trust',
    title: 'A pg_hba.conf rule requires no authentication',
    severity: 'high',
    why: 'With the method `trust`, anyone who reaches the server can connect as any role that the rule covers, superusers included.',
    fix: {
      advice:
        'Give the roles passwords, then require `scram-sha-256` for network connections and `peer` for the Unix socket. In Docker, set POSTGRES_PASSWORD, never `POSTGRES_HOST_AUTH_METHOD=trust`, and set `POSTGRES_INITDB_ARGS=--auth=scram-sha-256`.',
      steps: [rule(scram, 'Replace the `trust` rule.')],
    },
    references: [docs('auth-trust.html'), hba],
    safeguards: [
      shows(
        safeguards.authentication,
        'The rules in pg_hba.conf show whether clients can connect without authentication.',
      ),
    ],
  },
  password: {
    id: 'postgres.hba_password',
    title: 'A pg_hba.conf rule uses clear-text passwords',
    severity: 'high',
    why: 'With the method `password`, the client sends the password itself. Anyone on an unencrypted network path can read it, and it is kept in the server’s memory.',
    fix: {
      advice:
        'Require `scram-sha-256` instead. It needs SCRAM verifiers: set each password again with `password_encryption = scram-sha-256`.',
      steps: [rule(scram, 'Replace the `password` rule.')],
    },
    references: [docs('auth-password.html'), hba],
    safeguards: [
      shows(
        safeguards.authentication,
        'The rules in pg_hba.conf show whether clients send the password itself, so others can learn and use it.',
      ),
      lowers(
        safeguards.passwordManagement,
        'The client sends the password itself, which can be read in transit and in the server’s memory.',
      ),
    ],
  },
  md5: {
    id: 'postgres.hba_md5',
    title: 'A pg_hba.conf rule allows MD5 authentication',
    severity: 'high',
    why: 'A stolen MD5 verifier is enough to sign in, and a recorded exchange can be cracked quickly.',
    fix: {
      advice:
        "Find roles that still have MD5 verifiers (`SELECT rolname FROM pg_authid WHERE rolpassword LIKE 'md5%';`), set their passwords again with `password_encryption = scram-sha-256`, then require `scram-sha-256`.",
      steps: [rule(scram, 'Replace the `md5` rule.')],
    },
    references: [docs('auth-password.html'), hba],
    safeguards: [
      shows(
        safeguards.authentication,
        'The rules in pg_hba.conf show whether an MD5 verifier, which can be stolen and reused, is enough to sign in.',
      ),
      lowers(safeguards.passwordManagement, 'MD5 authentication exposes the password to fast cracking.'),
    ],
  },
  allAddresses: {
    id: 'postgres.hba_all_addresses',
    title: 'A pg_hba.conf rule allows every address',
    severity: 'high',
    why: 'Only a password, or a firewall that may change, stands between the internet and the database.',
    fix: {
      advice:
        'Name the clients’ networks instead of `0.0.0.0/0`, `::/0` or `all`. Behind a published container port, that is the network of Docker or the cluster, such as `172.16.0.0/12`. Clients whose addresses change should use a VPN or client certificates (`cert`).',
      steps: [rule(scram, 'Replace the rule for every address.')],
    },
    references: [hba],
    safeguards: [lowers(safeguards.accessControl, 'Clients at any address can try to sign in.')],
  },
  plaintextAllowed: {
    id: 'postgres.plaintext_allowed',
    title: 'A pg_hba.conf rule allows unencrypted connections',
    severity: 'medium',
    why: 'Clients can connect without TLS, and their queries and rows then cross the network unencrypted.',
    fix: {
      advice:
        'Once every client uses TLS, replace `host` with `hostssl`. On Amazon RDS set `rds.force_ssl = 1`, on Cloud SQL choose “Allow only SSL connections”, on Azure set `require_secure_transport = on`.',
      steps: [rule(scram, 'Replace the `host` rule.')],
    },
    references: [hba, docs('ssl-tcp.html')],
    safeguards: [
      shows(
        safeguards.transmissionEncryption,
        'The rules in pg_hba.conf show whether the server refuses unencrypted connections from other machines.',
      ),
      lowers(
        safeguards.transmissionIntegrity,
        'Unencrypted connections can be changed in transit unnoticed.',
      ),
    ],
  },
  remoteSuperuser: {
    id: 'postgres.hba_remote_superuser',
    title: 'A superuser can sign in from another machine',
    severity: 'high',
    why: 'A guessed or leaked superuser password gives access to the whole server, including files and programs, from any address that the rule allows.',
    fix: {
      advice:
        'Let superusers sign in only on the machine itself, and name application roles in network rules instead of `all`. A superuser without a password who signs in by `peer` on the socket is safe too: `ALTER ROLE postgres PASSWORD NULL;`.',
      steps: [
        rule('host all postgres all reject', 'Put it before the first rule for the network.', {
          replace: { postgres: 'the superuser' },
        }),
      ],
    },
    references: [hba, docs('auth-peer.html')],
    safeguards: [
      lowers(
        safeguards.accessControl,
        'A leaked superuser password gives access to everything from another machine.',
      ),
    ],
  },
  md5Hash: {
    id: 'postgres.md5_password',
    title: 'A role’s password is stored as MD5',
    severity: 'medium',
    why: 'Anyone who obtains the stored value, for example from a backup or a role dump, can sign in with it directly.',
    fix: {
      advice: 'Set the password again as a SCRAM verifier.',
      steps: [resetPassword],
    },
    references: [docs('auth-password.html'), docs('catalog-pg-authid.html')],
    safeguards: [
      shows(
        safeguards.authentication,
        'The catalog shows whether a role’s stored password is an MD5 verifier, which is enough to sign in.',
      ),
      lowers(
        safeguards.passwordManagement,
        'A password stored as MD5 is not safeguarded: the stored value is enough to sign in.',
      ),
    ],
  },
  publicCreate: {
    id: 'postgres.public_schema_create',
    title: 'Every role can create objects in a schema',
    severity: 'medium',
    why: 'Anyone who can sign in can add functions and tables that more privileged roles then use by mistake (CVE-2018-1058).',
    fix: {
      advice:
        'Revoke CREATE from PUBLIC and grant it to the roles that deploy. Up to version 14, the schema public is open by default, and pg_upgrade keeps it that way.',
      steps: [
        sql('REVOKE CREATE ON SCHEMA public FROM PUBLIC;\nGRANT CREATE ON SCHEMA public TO deployer;', {
          replace: { deployer: 'the role that deploys' },
        }),
      ],
    },
    references: [
      docs('ddl-schemas.html#DDL-SCHEMAS-PATTERNS'),
      'https://wiki.postgresql.org/wiki/A_Guide_to_CVE-2018-1058',
    ],
    safeguards: [
      lowers(safeguards.accessAuthorization, 'Every role has this privilege without having been granted it.'),
      lowers(safeguards.accessControl, 'Every role can create objects that more privileged roles then use.'),
    ],
  },
  publicWrite: {
    id: 'postgres.public_table_write',
    title: 'Every role can change a table’s rows',
    severity: 'high',
    why: 'Any role that can sign in, even a read-only one, can add, change or delete the table’s rows.',
    fix: {
      advice:
        'Revoke the privileges from PUBLIC and grant them to the roles that need them. Check the defaults for new tables too: `\\ddp` in psql.',
      steps: [
        sql(
          'REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON public.visits FROM PUBLIC;\nGRANT INSERT, UPDATE, DELETE ON public.visits TO app;',
          { replace: { 'public.visits': 'the table', app: 'the role that writes' } },
        ),
      ],
    },
    references: [docs('ddl-priv.html'), docs('sql-revoke.html')],
    safeguards: [
      lowers(safeguards.accessAuthorization, 'Every role has this privilege without having been granted it.'),
      lowers(safeguards.accessControl, 'Every role can change the table’s rows.'),
      lowers(
        safeguards.integrity,
        'Every role can alter or delete the table’s rows, even one that should only read.',
      ),
    ],
  },
} as const satisfies Record<string, Check>;
