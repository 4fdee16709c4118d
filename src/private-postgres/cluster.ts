import { chmod, chown, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { PrivatePostgresError } from './error.ts';
import type { Home } from './home.ts';
import type { Log } from './log.ts';
import { binariesToMakeClusters } from './nameless-user.ts';
import { runsAsRoot } from './owner.ts';
import { runProgram } from './program.ts';
import { publishFolder, sync } from './publish.ts';

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
  const cluster = clusterOf(home, binaries.major);
  if (!(await stat(cluster).catch(() => null))) {
    const [other] = await clustersIn(home);
    if (other !== undefined) throw otherVersion(clusterOf(home, other), other, binaries.major);
    await makeCluster(home, binaries, password, log);
  }
  await setAsideOlder(home, binaries);
  return cluster;
}

export function clusterOf(home: Home, major: number): string {
  return join(home.directory, `cluster-${major}`);
}

/** The major versions of the clusters in the home. */
export async function clustersIn(home: Home): Promise<number[]> {
  const names = await readdir(home.directory);
  return names.flatMap(name => Number(/^cluster-(\d+)$/.exec(name)?.[1]) || []);
}

function otherVersion(cluster: string, major: number, ours: number): PrivatePostgresError {
  const remedy =
    major < ours
      ? 'stop Parapet and run parapet migrate, which copies it into a new one'
      : 'start the newer release of Parapet that created it';
  return new PrivatePostgresError(
    `${cluster} needs PostgreSQL ${major}, and this release has ${ours}: ${remedy}`,
  );
}

/**
 * Keeps the clusters of older versions under another name, so that an older release cannot go on with them: they were copied.
 *
 * @returns their new folders
 */
export async function setAsideOlder(home: Home, { major }: Binaries): Promise<string[]> {
  const older = (await clustersIn(home)).filter(other => other < major);
  return Promise.all(
    older.map(async other => {
      const aside = join(home.directory, `replaced-cluster-${other}`);
      await rename(clusterOf(home, other), aside);
      await sync(home.directory);
      return aside;
    }),
  );
}

/**
 * Creates the cluster with its database, completely or not at all.
 *
 * @param fill fills the cluster in its temporary folder
 */
export async function makeCluster(
  home: Home,
  binaries: Binaries,
  password: string,
  log: Log,
  fill: (cluster: string) => Promise<void> = async () => {},
): Promise<void> {
  const cluster = clusterOf(home, binaries.major);
  const started = performance.now();
  await publishFolder(home.directory, basename(cluster), async (unfinished, workshop) => {
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
    await fill(unfinished);
  });
  log('postgres.cluster_made', { cluster, milliseconds: Math.round(performance.now() - started) });
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
