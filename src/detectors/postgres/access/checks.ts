import { lowers, safeguards, shows } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

const docs = (page: string) => `https://www.postgresql.org/docs/current/${page}`;
const hba = docs('auth-pg-hba-conf.html');
const reload = 'Then `select pg_reload_conf();`, and look into `pg_hba_file_rules` for errors.';

export const accessChecks = {
  trust: {
    id: 'postgres.hba_trust',
    title: 'A rule lets clients in without any proof',
    severity: 'high',
    why: 'With the method trust whoever reaches the server becomes any role that the rule names, a superuser included, by saying so.',
    fix: {
      advice: `In pg_hba.conf replace \`trust\` by \`scram-sha-256\` (network) or \`peer\` (unix socket), after giving the roles passwords: \`\\password app\`. In Docker set POSTGRES_PASSWORD and never POSTGRES_HOST_AUTH_METHOD=trust; \`--auth=scram-sha-256\` in POSTGRES_INITDB_ARGS replaces the trust for local connections. ${reload}`,
    },
    references: [docs('auth-trust.html'), hba],
    safeguards: [
      shows(
        safeguards.authentication,
        'The rules in pg_hba.conf say whether anyone is admitted without proving who they are.',
      ),
    ],
  },
  password: {
    id: 'postgres.hba_password',
    title: 'A rule asks for the password in clear text',
    severity: 'high',
    why: 'With the method password the client sends the password itself, so that anybody on an unencrypted way, and the server’s memory, gets to know it.',
    fix: {
      advice: `In pg_hba.conf replace \`password\` by \`scram-sha-256\`. It needs SCRAM verifiers: with \`password_encryption = 'scram-sha-256'\` set each password anew. ${reload}`,
    },
    references: [docs('auth-password.html'), hba],
    safeguards: [
      shows(
        safeguards.authentication,
        'The rules in pg_hba.conf say whether a password can be learned from the connection and used by someone else.',
      ),
      lowers(
        safeguards.passwordManagement,
        'The client sends the password itself, so it can be read on the way and in the server’s memory.',
      ),
    ],
  },
  md5: {
    id: 'postgres.hba_md5',
    title: 'A rule permits log-in with MD5',
    severity: 'high',
    why: 'MD5 log-ins can be replayed from a stolen verifier and guessed quickly from a recorded one.',
    fix: {
      advice: `Check that no MD5 verifier is left: \`select rolname from pg_authid where rolpassword like 'md5%';\` and set those passwords anew under \`password_encryption = 'scram-sha-256'\`. Then replace \`md5\` by \`scram-sha-256\` in pg_hba.conf. ${reload}`,
    },
    references: [docs('auth-password.html'), hba],
    safeguards: [
      shows(
        safeguards.authentication,
        'The rules in pg_hba.conf say whether an MD5 verifier, which can be stolen and replayed, is accepted as proof.',
      ),
      lowers(safeguards.passwordManagement, 'Log-ins with MD5 give the password away to fast guessing.'),
    ],
  },
  allAddresses: {
    id: 'postgres.hba_all_addresses',
    title: 'A rule admits every address',
    severity: 'high',
    why: 'Only a password, or a firewall that may change, stands between the whole internet and the database.',
    fix: {
      advice: `In pg_hba.conf name the networks of the clients instead of 0.0.0.0/0, ::/0 or all: \`hostssl clinic app 10.1.0.0/16 scram-sha-256\`. In a container with published port the clients’ network is Docker’s or the cluster’s, such as 172.16.0.0/12 or 10.0.0.0/8. Clients of changing addresses come through a VPN or with certificates (\`cert\`). ${reload}`,
    },
    references: [hba],
    safeguards: [lowers(safeguards.accessControl, 'Any address on the network may try to log in.')],
  },
  plaintextAllowed: {
    id: 'postgres.plaintext_allowed',
    title: 'A rule admits connections without encryption',
    severity: 'medium',
    why: 'A client that does not ask for TLS is let in all the same, and its queries and rows cross the network in the clear.',
    fix: {
      advice: `Once every client uses TLS, replace \`host\` by \`hostssl\` in pg_hba.conf, or put \`hostnossl all all all reject\` first. On RDS set \`rds.force_ssl = 1\`, on Cloud SQL choose “Allow only SSL connections”, on Azure \`require_secure_transport = on\`. ${reload}`,
    },
    references: [hba, docs('ssl-tcp.html')],
    safeguards: [
      shows(
        safeguards.transmissionEncryption,
        'The rules in pg_hba.conf say whether the server refuses connections from other machines without TLS.',
      ),
      lowers(
        safeguards.transmissionIntegrity,
        'Unencrypted connections can be changed in transit unnoticed.',
      ),
    ],
  },
  remoteSuperuser: {
    id: 'postgres.hba_remote_superuser',
    title: 'A superuser can log in from another machine',
    severity: 'high',
    why: 'A superuser’s password that is guessed or leaked gives the whole server away, files and programs included, from anywhere the rule admits.',
    fix: {
      advice: `Keep superusers on the machine: put \`host all postgres all reject\` before the rules of the network, or name the roles of applications in these instead of \`all\`. A superuser without a password (\`alter role postgres password null;\`) who comes in by \`peer\` on the socket is safe too. ${reload}`,
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
    why: 'Who gets hold of the stored value, in a backup or a dump of roles, can log in with it as it is.',
    fix: {
      advice:
        "With `password_encryption = 'scram-sha-256'` set the password anew, the same one will do: `\\password app` in psql. Drivers from before 2018 need an upgrade first.",
    },
    references: [docs('auth-password.html'), docs('catalog-pg-authid.html')],
    safeguards: [
      shows(
        safeguards.authentication,
        'The catalog says whether a role’s stored password is an MD5 verifier, which is enough to log in.',
      ),
      lowers(
        safeguards.passwordManagement,
        'A password stored as MD5 is not safeguarded: the stored value is enough to log in.',
      ),
    ],
  },
  publicCreate: {
    id: 'postgres.public_schema_create',
    title: 'Every role may create objects in a schema',
    severity: 'medium',
    why: 'Anybody who can log in can put functions and tables there that stand in for others in the searches of more powerful roles (CVE-2018-1058).',
    fix: {
      advice:
        'Revoke it: `revoke create on schema public from public;` and grant it to the roles that deploy: `grant create on schema public to owner_role;`. The schema public is open in this way by default until version 14, and stays so through pg_upgrade.',
    },
    references: [
      docs('ddl-schemas.html#DDL-SCHEMAS-PATTERNS'),
      'https://wiki.postgresql.org/wiki/A_Guide_to_CVE-2018-1058',
    ],
    safeguards: [
      lowers(
        safeguards.accessAuthorization,
        'Every role got this right without anyone granting it to that role.',
      ),
      lowers(safeguards.accessControl, 'Every role can plant objects that more powerful roles then use.'),
    ],
  },
  publicWrite: {
    id: 'postgres.public_table_write',
    title: 'Every role may change the rows of a table',
    severity: 'high',
    why: 'Each role that can log in, also one made for reading only, can add, alter or delete what the table holds.',
    fix: {
      advice:
        'Revoke it: `revoke insert, update, delete, truncate on schema_name.table_name from public;` and grant what is needed to the roles that need it. Look at the defaults too: `\\ddp` in psql, `alter default privileges revoke all on tables from public;`.',
    },
    references: [docs('ddl-priv.html'), docs('sql-revoke.html')],
    safeguards: [
      lowers(
        safeguards.accessAuthorization,
        'Every role got this right without anyone granting it to that role.',
      ),
      lowers(safeguards.accessControl, 'Every role can change the table’s rows.'),
      lowers(
        safeguards.integrity,
        'Every role can alter or delete the table’s rows, also one that should only read.',
      ),
    ],
  },
} as const satisfies Record<string, Check>;
