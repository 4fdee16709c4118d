import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { installBinaries, locatePackage, type Package } from '../../src/private-postgres/binaries.ts';
import { settleHome } from '../../src/private-postgres/home.ts';
import { binariesToMakeClusters } from '../../src/private-postgres/nameless-user.ts';
import { programOptions, runProgram } from '../../src/private-postgres/program.ts';
import { otherThanRoot } from './ordinary-user.ts';
import { poll } from './poll.ts';
import { freePort } from './website.ts';

export interface DatabaseServer {
  readonly port: number;
  close(): Promise<void>;
}

export interface PostgresServer extends DatabaseServer {
  /** The data directory. */
  readonly data: string;
  /** Runs a program of the server's release, as its user. */
  run(name: string, parameters: readonly string[]): Promise<void>;
  stop(): Promise<void>;
  /** Restarts it after `stop`, with the current files. */
  start(): Promise<void>;
}

/** Who may log in from where: with a password, encrypted or not. */
const hostBasedAuthentication = 'host all all 127.0.0.1/32 scram-sha-256\n';

/** Differences from the default server. */
export interface PostgresChanges {
  /** Text of pg_hba.conf. */
  readonly hba?: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** Further options of initdb. */
  readonly initdb?: readonly string[];
  /** Fills the cluster as its superuser, before the rules of pg_hba.conf apply. */
  readonly fill?: (client: pg.Client) => Promise<void>;
  /** Another PostgreSQL: the folder of its programs, as `findOutsidePostgres` returns it, or its npm package. */
  readonly programs?: string | Package;
}

/**
 * A separate PostgreSQL on loopback TCP that offers TLS, from the npm package that the private PostgreSQL uses.
 *
 * @param statements SQL that creates its roles and databases, one statement per line
 */
export async function startPostgresServer(
  certificate: { readonly chain: string; readonly key: string },
  statements: readonly string[],
  changes: PostgresChanges = {},
): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'postgres-test-'));
  await chmod(folder, 0o711);
  // Debian's initdb needs a user with a name.
  const outside = typeof changes.programs === 'string' ? changes.programs : undefined;
  const user = outside ? otherThanRoot : undefined;
  const home = await settleHome(folder, user, () => {});
  const source = typeof changes.programs === 'object' ? changes.programs : await locatePackage();
  const binaries = outside
    ? { directory: dirname(outside), major: 0 }
    : await installBinaries(source, home, () => {});
  const workshop = join(folder, 'workshop');
  const { uid, gid } = home.serverUser;
  const own = async (name: string, text: string) => {
    const path = join(workshop, name);
    await writeFile(path, text, { mode: 0o600 });
    await chown(path, uid, gid);
    return path;
  };
  const makers = outside ? binaries : await binariesToMakeClusters(binaries, home);
  const run = async (name: string, parameters: readonly string[], input = '') => {
    const { status, output } = await runProgram(home, makers, name, parameters, input);
    if (status !== 0 || output.includes('ERROR')) throw new Error(`${name} failed: ${output}`);
  };
  await mkdir(workshop);
  await chown(workshop, uid, gid);
  const data = join(workshop, 'data');
  await run('initdb', [
    '-D',
    data,
    '-U',
    'admin',
    '--auth=reject',
    '--no-sync',
    '-E',
    'UTF8',
    '--locale=C',
    ...(changes.initdb ?? []),
  ]);
  await run('postgres', ['--single', '-D', data, 'postgres'], `${statements.join('\n')}\n`);
  const rules = changes.hba ?? hostBasedAuthentication;
  const files = {
    hba_file: await own('data/pg_hba.conf', changes.fill ? 'host all admin 127.0.0.1/32 trust\n' : rules),
    ssl_cert_file: await own('server.crt', certificate.chain),
    ssl_key_file: await own('server.key', certificate.key),
  };
  const port = await freePort();
  const settings = {
    ...files,
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    ssl: 'on',
    fsync: 'off',
    shared_buffers: '16MB',
    ...changes.settings,
  };
  // In a file, so that ALTER SYSTEM overrides them.
  const lines = Object.entries(settings).map(
    ([name, value]) => `${name} = '${String(value).replaceAll("'", "''")}'`,
  );
  await own('data/postgresql.conf', `${lines.join('\n')}\n`);
  const program = join(binaries.directory, 'bin', 'postgres');
  let server: ChildProcess | undefined;
  const start = async () => {
    const started = spawn(program, ['-D', data], {
      ...programOptions(home, binaries),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    server = started;
    let log = '';
    started.stderr.on('data', chunk => {
      log += chunk;
    });
    // The log may be in a file, but this line is always printed.
    await poll('PostgreSQL to be ready', async () => {
      if (started.exitCode !== null) throw new Error(`PostgreSQL ended with ${started.exitCode}: ${log}`);
      const status = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '');
      return status.split('\n')[7]?.startsWith('ready') || undefined;
    });
  };
  const stop = async () => {
    if (!server || server.exitCode !== null) return;
    server.kill('SIGINT');
    await once(server, 'exit');
  };
  const close = async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await start();
    if (changes.fill) await fillCluster(port, changes.fill, () => own('data/pg_hba.conf', rules));
  } catch (error) {
    await close();
    throw error;
  }
  return { port, data, close, stop, start, run: (name, parameters) => run(name, parameters) };
}

/** Has the superuser fill the cluster, then loads the final rules. */
async function fillCluster(
  port: number,
  fill: NonNullable<PostgresChanges['fill']>,
  putRules: () => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'admin', database: 'postgres' });
  await client.connect();
  try {
    await fill(client);
    const loadTime = async () => (await client.query('select pg_conf_load_time()::text as at')).rows[0].at;
    const before = await loadTime();
    await putRules();
    await client.query('select pg_reload_conf()');
    await poll('the new rules', async () => (await loadTime()) !== before || undefined);
  } finally {
    await client.end();
  }
}
