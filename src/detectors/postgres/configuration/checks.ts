import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';
import { managed, docs as page, setAtRestart, setParameters, sql } from '../fix.ts';

const docs = (chapter: string, setting: string) =>
  page(`runtime-config-${chapter}.html#GUC-${setting.toUpperCase().replaceAll('_', '-')}`);
const reset = (name: string) =>
  sql(`ALTER SYSTEM RESET ${name};\nSELECT pg_reload_conf();`, {
    replace: { [name]: 'the setting that the finding names' },
    note: 'Remove it from postgresql.conf and from the command line too. Some settings need a restart.',
  });

export const configurationChecks = {
  tlsCiphers: {
    id: 'postgres.tls_ciphers_weak',
    title: 'TLS allows weak ciphers',
    severity: 'medium',
    why: 'Ciphers without authentication or with broken encryption let an attacker on the network path read or change what clients and server exchange.',
    fix: {
      advice: `Allow strong ciphers only, in the server’s order. \`ssl_ciphers\` applies to TLS 1.2; TLS 1.3 has no weak ones. ${managed}`,
      steps: [setParameters({ ssl_ciphers: 'HIGH:!aNULL:!3DES', ssl_prefer_server_ciphers: 'on' })],
    },
    references: [docs('connection', 'ssl_ciphers'), 'https://www.rfc-editor.org/rfc/rfc9325'],
    safeguards: [
      lowers(safeguards.transmissionEncryption, 'Weak ciphers can be broken by others on the network path.'),
    ],
  },
  damageIgnored: {
    id: 'postgres.damage_ignored',
    title: 'The server ignores damaged data',
    severity: 'high',
    why: 'The setting is for rescuing what is left of a damaged cluster. In operation it returns wrong rows or destroys them without an error.',
    fix: {
      advice:
        'Turn the setting off. If it was needed, restore from a backup or dump the data into a new cluster.',
      steps: [reset('zero_damaged_pages')],
    },
    references: [page('runtime-config-developer.html')],
    safeguards: [lowers(safeguards.integrity, 'Damaged data is returned or removed without an error.')],
  },
  protectionOff: {
    id: 'postgres.protection_disabled',
    title: 'A setting turns off a protection',
    severity: 'medium',
    why: 'The setting exists for old applications, tests or repairs. It turns off triggers, access checks or safe quoting for everyone.',
    fix: {
      advice: 'Turn it off for the server, and set it only in the session that needs it.',
      steps: [reset('lo_compat_privileges')],
    },
    references: [page('runtime-config-compatible.html'), page('runtime-config-developer.html')],
    safeguards: [lowers(safeguards.accessControl, 'The server skips a check that applies by default.')],
  },
  override: {
    id: 'postgres.override_weakens',
    title: 'A role or database overrides a setting with a weaker one',
    severity: 'medium',
    why: 'What is set for the server does not apply there. Reviews of postgresql.conf do not show it.',
    fix: {
      advice:
        'Remove the setting from the role or database: `\\drds` in psql lists all of them. If an application needs it, set it in its transactions with `SET LOCAL`.',
      steps: [
        sql('ALTER ROLE app RESET log_statement;', {
          replace: {
            'ROLE app': 'the role or database, such as `DATABASE clinic` or `ROLE app IN DATABASE clinic`',
            log_statement: 'the setting',
          },
        }),
      ],
    },
    references: [page('sql-alterrole.html'), page('sql-alterdatabase.html')],
    safeguards: [
      lowers(safeguards.accessControl, 'The server’s settings do not apply to the role or database.'),
    ],
  },
  passwordChecks: {
    id: 'postgres.password_checks_missing',
    title: 'Nothing checks the strength of new passwords',
    severity: 'low',
    why: 'Roles can have short or common passwords, which are guessed first.',
    fix: {
      advice:
        'Load `passwordcheck`, which comes with PostgreSQL, or `credcheck`, which also limits reuse and age. Both see only passwords that arrive in clear text: psql’s `\\password` sends a verifier.',
      steps: [
        setAtRestart(
          { shared_preload_libraries: 'passwordcheck' },
          { note: 'Keep libraries that are already listed.' },
        ),
      ],
    },
    references: [page('passwordcheck.html'), 'https://github.com/HexaCluster/credcheck'],
    safeguards: [lowers(safeguards.passwordManagement, 'Weak passwords are accepted.')],
  },
  securityModule: {
    id: 'postgres.security_module_missing',
    title: 'An optional security module is not loaded',
    severity: 'info',
    why: '`auth_delay` slows down guessing passwords. `set_user` records and limits how people become superusers.',
    fix: {
      advice:
        'Load `auth_delay`, which comes with PostgreSQL. Install `set_user` if people work as superusers. Otherwise, accept this finding.',
      steps: [
        sql("ALTER SYSTEM SET shared_preload_libraries = 'passwordcheck', 'auth_delay';", {
          note: 'Keep libraries that are already listed, each in quotation marks of its own. Then restart the server.',
        }),
      ],
    },
    references: [page('auth-delay.html'), 'https://github.com/pgaudit/set_user'],
    safeguards: [],
  },
  scramIterations: {
    id: 'postgres.scram_iterations_low',
    title: 'Password verifiers use few iterations',
    severity: 'low',
    why: 'With fewer iterations than the default, passwords are found faster from a stolen verifier.',
    fix: {
      advice: 'Use at least 4096 iterations (RFC 7677), then set each password again.',
      steps: [setParameters({ scram_iterations: '4096' }, { version: '16 or newer' })],
    },
    references: [docs('connection', 'scram_iterations'), 'https://www.rfc-editor.org/rfc/rfc7677'],
    safeguards: [lowers(safeguards.passwordManagement, 'Stolen verifiers can be cracked faster.')],
  },
  authenticationTimeout: {
    id: 'postgres.authentication_timeout_long',
    title: 'Clients have long to authenticate',
    severity: 'low',
    why: 'Connections without authentication occupy slots until this time ends, so that a stranger can lock out others.',
    fix: {
      advice: `Use a minute or less. ${managed}`,
      steps: [setParameters({ authentication_timeout: '60s' })],
    },
    references: [docs('connection', 'authentication_timeout')],
    safeguards: [],
  },
  socket: {
    id: 'postgres.unix_socket_open',
    title: 'The Unix socket is open to every local user',
    severity: 'info',
    why: 'With the default permissions, only pg_hba.conf decides which programs on the machine can connect. In a folder for temporary files, anyone can put a false socket and collect passwords.',
    fix: {
      advice:
        'Allow only the group of the programs that connect through the socket. Otherwise, accept this finding.',
      steps: [
        setAtRestart(
          { unix_socket_permissions: '0770' },
          {
            note: 'Set `unix_socket_group` to the group of these programs, and `unix_socket_directories` to a folder of the server’s user, such as `/var/run/postgresql`.',
          },
        ),
      ],
    },
    references: [docs('connection', 'unix_socket_permissions')],
    safeguards: [],
  },
  libraryPath: {
    id: 'postgres.library_path_unsafe',
    title: 'The server loads code from a folder that others may write',
    severity: 'high',
    why: 'A user who can write a file there runs code as the server’s operating-system user.',
    fix: {
      advice:
        'Install libraries where the server’s packages are (`$libdir`), owned by root, and name them without a folder.',
      steps: [reset('dynamic_library_path')],
    },
    references: [docs('client', 'dynamic_library_path'), docs('client', 'shared_preload_libraries')],
    safeguards: [lowers(safeguards.accessControl, 'Other users of the machine may run code in the server.')],
  },
  storedPassword: {
    id: 'postgres.password_in_setting',
    title: 'A setting contains a password',
    severity: 'medium',
    why: 'Roles with `pg_read_all_settings`, backups of the configuration and lists of processes show it.',
    fix: {
      advice:
        'Store the password where only the server’s user can read it: `passfile` or a service file for `primary_conninfo`, and the tool’s own configuration for archiving. Then change the password.',
      steps: [
        sql(
          "ALTER SYSTEM SET primary_conninfo = 'host=10.1.0.11 user=replicator passfile=/var/lib/postgresql/.pgpass sslmode=verify-full';\nSELECT pg_reload_conf();",
          {
            replace: {
              '10.1.0.11': 'the primary',
              replicator: 'the replication role',
              '/var/lib/postgresql/.pgpass': 'the password file',
            },
          },
        ),
      ],
    },
    references: [page('libpq-pgpass.html'), docs('replication', 'primary_conninfo')],
    safeguards: [lowers(safeguards.passwordManagement, 'A password is stored in clear text in a setting.')],
  },
  limits: {
    id: 'postgres.resource_limit_off',
    title: 'A limit against exhaustion is off',
    severity: 'low',
    why: 'One role can fill the disk with temporary files, or use all connections so that no administrator can connect.',
    fix: {
      advice: `Reserve connections for superusers, and limit temporary files to a part of the disk. ${managed}`,
      steps: [setAtRestart({ superuser_reserved_connections: '3', temp_file_limit: '10GB' })],
    },
    references: [docs('connection', 'superuser_reserved_connections'), docs('resource', 'temp_file_limit')],
    safeguards: [],
  },
} as const satisfies Record<string, Check>;
