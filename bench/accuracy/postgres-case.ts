import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { findOutsidePostgres } from '../../test/support/outside-postgres.ts';
import { startPostgresServer } from '../../test/support/postgres-server.ts';
import { authority, scanPostgres } from '../../test/support/scan-postgres.ts';
import type { AccuracyCase } from './case.ts';

export interface PostgresCaseOptions extends Omit<AccuracyCase, 'scan'> {
  /** Run in the database `clinic` by its superuser. */
  readonly sql?: string;
  /** Run in the database `postgres`, before `clinic` is filled. */
  readonly roles?: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** Lines of pg_hba.conf, before the one for the scan. */
  readonly hba?: string;
  /** Lines of pg_ident.conf. */
  readonly maps?: string;
  /** PostgreSQL 15 of Debian, which has pgaudit and LDAP, instead of 18. */
  readonly debian?: true;
  /** The first superuser, by whose name a managed service is recognized. */
  readonly superuser?: string;
  /** Scans as a role that was created by `roles`, with the password `long-enough-1`. */
  readonly reader?: string;
}

/** What every site of the kind does. PostgreSQL 18 from npm cannot load pgaudit. */
const hardened = {
  fsync: 'on',
  ssl_ciphers: 'HIGH:!aNULL:!3DES',
  logging_collector: 'on',
  log_directory: '../logs',
  log_connections: 'on',
  log_disconnections: 'on',
  log_statement: 'ddl',
  log_line_prefix: '%m [%p] %q%u@%d %h ',
  log_replication_commands: 'on',
  shared_preload_libraries: 'passwordcheck,auth_delay',
  archive_mode: 'on',
  archive_command: 'test -f %p',
  statement_timeout: '5min',
  idle_in_transaction_session_timeout: '60s',
  temp_file_limit: '10GB',
};
const password = 'long-enough-1';
const debian = await findOutsidePostgres();

/** A hardened server with changes. The SQL of specialists is the script that brings the flaw about. */
export function postgresCase({
  sql = '',
  roles = '',
  settings = {},
  hba = '',
  maps,
  superuser = 'admin',
  reader,
  also = [],
  ...options
}: PostgresCaseOptions): AccuracyCase {
  const onDebian = options.debian === true && debian !== undefined;
  const audit: Readonly<Record<string, string>> = onDebian
    ? { shared_preload_libraries: 'pgaudit,passwordcheck,auth_delay', 'pgaudit.log': 'ddl, role, write' }
    : {};
  return {
    ...options,
    also: [...also, ...(onDebian ? [] : ['postgres.pgaudit_missing'])],
    scan: async () => {
      const server = await startPostgresServer(authority.issue({ covers: ['127.0.0.1'] }), [], {
        ...(onDebian ? { programs: debian } : {}),
        initdb: ['--data-checksums'],
        settings: { ...hardened, ...audit, ...settings },
        hba: `${hba}\nhost all all 127.0.0.1/32 scram-sha-256\n`,
        fill: async client => {
          await client.query(
            `set password_encryption = 'scram-sha-256'; alter role admin password '${password}'`,
          );
          await client.query(roles);
          await client.query('create database clinic');
          await client.query('revoke temporary on database clinic from public');
          const { data_directory } = (await client.query('show data_directory')).rows[0];
          if (maps) await writeFile(join(data_directory, 'pg_ident.conf'), maps);
          const filling = new pg.Client({
            host: '127.0.0.1',
            port: client.port,
            user: 'admin',
            database: 'clinic',
          });
          await filling.connect();
          await filling.query(sql).finally(() => filling.end());
          if (superuser === 'admin') return;
          // A role cannot rename itself.
          await client.query('create role renamer superuser; set session authorization renamer');
          await client.query(`alter role admin rename to ${superuser}`);
          await client.query(
            `reset session authorization; alter role ${superuser} password '${password}'; drop role renamer`,
          );
        },
      });
      try {
        return await scanPostgres(server.port, `${reader ?? superuser}:${password}`, 'clinic');
      } finally {
        await server.close();
      }
    },
  };
}
