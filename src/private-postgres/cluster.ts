import { chmod, chown, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { PrivatePostgresError } from './error.ts';
import type { Home } from './home.ts';
import type { Log } from './log.ts';
import { binariesToMakeClusters } from './nameless-user.ts';
import { runsAsRoot } from './owner.ts';
import { runProgram } from './program.ts';
import { publishFolder } from './publish.ts';

/** The role that owns the cluster and everything in it. */
export const SUPERUSER = 'parapet_owner';
/** The database with Parapet's tables. */
export const DATABASE = 'parapet';

/** Written to postgresql.conf once; operators may change them there. */
const SETTINGS = {
  shared_buffers: '64MB',
  max_connections: '100',
  jit: 'off',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Ends queries of killed clients soon.
  client_connection_check_interval: '5s',
};

/**
 * The folder of the cluster, `<home>/cluster-<major>`. Created with the database if it does not exist.
 *
 * @throws PrivatePostgresError if it cannot be created, or has a different major version than the binaries
 */
export async function findOrMakeCluster(home: Home, binaries: Binaries, password: string, log: Log) {
  const name = `cluster-${binaries.major}`;
  const cluster = join(home.directory, name);
  if (await stat(cluster).catch(() => null)) return cluster;
  const other = (await readdir(home.directory)).find(entry => /^cluster-\d+$/.test(entry) && entry !== name);
  if (other !== undefined) {
    throw new PrivatePostgresError(
      `${join(home.directory, other)} needs PostgreSQL ${other.slice('cluster-'.length)}, this is ${binaries.major}: create a backup with the Parapet version that created it, and restore it with this one`,
    );
  }
  const started = performance.now();
  await publishFolder(home.directory, name, async (unfinished, workshop) => {
    const passwordFile = join(workshop, 'password');
    await writeFile(passwordFile, password, { mode: 0o600 });
    await chmod(unfinished, 0o700);
    if (runsAsRoot()) {
      await chown(passwordFile, home.serverUser.uid, home.serverUser.gid);
      await chown(unfinished, home.serverUser.uid, home.serverUser.gid);
    }
    const makers = await binariesToMakeClusters(binaries, home);
    await initialize(home, makers, unfinished, passwordFile);
    await createDatabase(home, makers, unfinished);
  });
  log('postgres.cluster_made', { cluster, milliseconds: Math.round(performance.now() - started) });
  return cluster;
}

async function initialize(home: Home, binaries: Binaries, cluster: string, passwordFile: string) {
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  // The builtin provider sorts by code point like locale C, and supports Unicode case mapping.
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--encoding=UTF8'];
  const parameters = [
    ...['--pgdata', cluster, '--username', SUPERUSER, '--pwfile', passwordFile],
    ...['--auth=scram-sha-256', '--data-checksums', '--no-instructions'],
    ...locale,
    ...settings,
  ];
  const { status, output } = await runProgram(home, binaries, 'initdb', parameters);
  if (status !== 0) throw failure('initdb', output);
}

/**
 * In single-user mode, before the folder gets its final name, so that a visible cluster always has its
 * database.
 */
async function createDatabase(home: Home, binaries: Binaries, cluster: string): Promise<void> {
  const parameters = ['--single', '-D', cluster, '-c', 'exit_on_error=on', 'postgres'];
  const { status, output } = await runProgram(
    home,
    binaries,
    'postgres',
    parameters,
    `create database ${DATABASE}\n`,
  );
  if (status !== 0) throw failure('postgres --single', output);
}

function failure(program: string, output: string): PrivatePostgresError {
  const uid = /could not look up effective user ID (\d+)/.exec(output)?.[1];
  if (uid !== undefined) {
    return new PrivatePostgresError(
      `uid ${uid} has no entry in /etc/passwd, which PostgreSQL needs to create a database: add one, run Parapet as another user, or set DATABASE_URL`,
    );
  }
  const tail = output.trim().split('\n').slice(-8).join('\n');
  return new PrivatePostgresError(`the database could not be created: ${program} failed\n${tail}`);
}
