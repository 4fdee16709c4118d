import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { poll } from '../../support/poll.ts';
import { type PostgresServer, startPostgresServer } from '../../support/postgres-server.ts';
import { authority, scanPostgres } from '../../support/scan-postgres.ts';
import type { DatabaseScan } from './resolved.ts';

/** Debian's client, because the embedded PostgreSQL has none. */
export const psql = '/usr/bin/psql';

/** The password of the tests' superuser. */
const password = 'secret';
const ownRule = 'host all admin 127.0.0.1/32 scram-sha-256';

/** A PostgreSQL with a database `clinic`, to which flaws and fixes are applied. */
export interface FlawedPostgres {
  readonly server: PostgresServer;
  /** Runs a script in `clinic` as a person would: statement by statement, up to the first error. */
  run(script: string): Promise<string>;
  /** The syntax errors that the server's parser reports for a script, which is rolled back. */
  syntaxErrors(script: string): Promise<string[]>;
  /** Applies rules of pg_hba.conf, after the one for the tests. */
  setRules(rules: string): Promise<void>;
  restart(): Promise<void>;
  scan(): Promise<DatabaseScan>;
}

/** @param programs the programs' folder of a PostgreSQL other than the embedded one */
export async function startFlawedPostgres(programs: string | undefined): Promise<FlawedPostgres> {
  const server = await startPostgresServer(
    authority.issue({ covers: ['127.0.0.1'] }),
    [
      `alter role admin password '${password}';`,
      'create database clinic;',
      'create role anon;',
      'create role authenticated;',
      "alter database clinic set pgrst.db_schemas = 'public, pgmq_public';",
      'create role deployer;',
      'create role app;',
    ],
    {
      ...(programs ? { programs } : {}),
      hba: `${ownRule}\n`,
      initdb: programs ? [] : ['--no-data-checksums'],
    },
  );
  const address = ['-h', '127.0.0.1', '-p', `${server.port}`, '-U', 'admin', 'clinic'];
  const env = { ...process.env, PGPASSWORD: password, LC_ALL: 'C' };
  const runWith = (variable: string, script: string) =>
    new Promise<{ stdout: string; stderr: string; failed: boolean }>(resolve => {
      const child = execFile(psql, ['-XAtq', '-v', variable, ...address], { env }, (error, stdout, stderr) =>
        resolve({ stdout, stderr, failed: error !== null }),
      );
      child.stdin?.end(script);
    });
  // In this process, since starting a program costs more than most statements.
  const query = async (text: string): Promise<unknown> => {
    const { port } = server;
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'admin', password, database: 'clinic' });
    await client.connect();
    try {
      return (await client.query({ text, rowMode: 'array' })).rows[0]?.[0];
    } finally {
      await client.end();
    }
  };
  const run = async (script: string) => {
    if (script === '') return '';
    const { stdout, stderr, failed } = await runWith('ON_ERROR_STOP=1', script);
    if (failed) throw new Error(`${stderr}\n${script}`);
    return stdout;
  };
  return {
    server,
    run,
    syntaxErrors: async script => {
      // After another error, statements are still parsed.
      const { stderr } = await runWith('VERBOSITY=verbose', `begin;\n${script}\n;rollback;`);
      return stderr.split('\n').filter(line => line.includes(' 42601: '));
    },
    setRules: async rules => {
      const file = join(server.data, 'pg_hba.conf');
      const text = `${ownRule}\n${rules}\n`;
      if ((await readFile(file, 'utf8')) === text) return;
      await writeFile(file, text);
      const loaded = () => query('select pg_conf_load_time()::text');
      const before = await loaded();
      await query('select pg_reload_conf()');
      await poll('the rules to be in force', async () => (await loaded()) !== before || undefined);
    },
    restart: async () => {
      await server.stop();
      await server.start();
    },
    scan: async () => {
      const tls = (await query('show ssl')) === 'on' ? 'prefer' : 'disable';
      const { observations, notAssessed } = await scanPostgres(
        server.port,
        `admin:${password}`,
        `clinic?sslmode=${tls}`,
      );
      return {
        found: observations.map(({ check, locator }) => `${check} ${locator}`),
        notAssessed: notAssessed.map(({ check }) => check),
      };
    },
  };
}
