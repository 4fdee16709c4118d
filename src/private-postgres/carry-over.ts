import { takeProcessLock } from '../locks/process-lock.ts';
import { type Binaries, findBinaries, installBinaries, locatePackage } from './binaries.ts';
import { clusterOf, clustersIn, makeCluster, setAsideOlder } from './cluster.ts';
import { PrivatePostgresError } from './error.ts';
import { type Home, settleHome } from './home.ts';
import type { Log } from './log.ts';
import { connectionAt, inFolder, type PrivateConnection, type PrivatePostgresOptions } from './open.ts';
import { passwordFile, readOrMakePassword } from './password.ts';
import { type PostmasterFile, readPostmasterFile } from './postmaster-file.ts';
import { unfinishedIn } from './publish.ts';
import { startServer, stopServer } from './server.ts';
import { attachOrStart } from './share.ts';

type Options = Pick<PrivatePostgresOptions, 'directory' | 'serverUser' | 'log' | 'programs'>;

/** Copies a database into an empty one, completely or not at all. */
type Copy = (from: PrivateConnection, to: PrivateConnection) => Promise<void>;

export interface CarriedOver {
  /** Major versions. */
  readonly from: number;
  readonly to: number;
  /** The folder of the former cluster, which is not used any longer. */
  readonly replaced: string;
}

/** A server that has to recover first may take as long. */
const startMs = 120_000;

/**
 * Copies the cluster of an older major version of PostgreSQL into one of this release. The old one is served by its own programs, which are
 * in the data folder since its last start. Nothing uses the new cluster before it is complete, and nothing changes the old one meanwhile;
 * if this is interrupted, the old one stays in use.
 *
 * @returns undefined if there is no older cluster
 * @throws PrivatePostgresError if a process uses the old cluster, or its programs are missing
 */
export function carryOver(options: Options, copy: Copy): Promise<CarriedOver | undefined> {
  return inFolder(options.directory, () => carry(options, copy));
}

async function carry(options: Options, copy: Copy): Promise<CarriedOver | undefined> {
  const { directory, serverUser, log = () => undefined, programs } = options;
  const home = await settleHome(directory, serverUser, log);
  const password = await readOrMakePassword(home);
  const binaries = await installBinaries(programs ?? (await locatePackage()), home, log);
  const majors = await clustersIn(home);
  const from = Math.max(...majors.filter(major => major < binaries.major));
  if (majors.includes(binaries.major) || !Number.isFinite(from)) return undefined;
  const cluster = clusterOf(home, from);
  const oldBinaries = await findBinaries(home, from);
  if (!oldBinaries) {
    throw new PrivatePostgresError(
      `the programs of PostgreSQL ${from} are missing in ${home.directory}: start the release of Parapet that created ${cluster} once, and stop it`,
    );
  }
  const use = { home, binaries: oldBinaries, cluster, password, connections: undefined, onLost() {}, log };
  const { lease, address, pid } = await attachOrStart(use);
  let allowStarts = async () => {};
  try {
    if (!(await lease.release())) {
      throw new PrivatePostgresError(`${cluster} is in use: stop every Parapet with this data folder first`);
    }
    await stopAbandoned(home, binaries, log);
    try {
      await makeCluster(home, binaries, password, log, async unfinished => {
        const server = await startIn(home, binaries, unfinished, log);
        try {
          const to = connectionAt({ host: server.socketDirectory, port: server.port }, password);
          await copy(connectionAt(address, password), to);
        } finally {
          await stopServer(unfinished, server.pid, log);
        }
        // From here until the old cluster has another name, no older release may start it, and accept what would be lost.
        allowStarts = await preventStarts(home);
        await stopServer(cluster, pid, log);
      });
    } finally {
      await stopServer(cluster, pid, log);
    }
    const [replaced] = await setAsideOlder(home, binaries);
    return { from, to: binaries.major, replaced: replaced! };
  } finally {
    await allowStarts();
    await lease.end();
  }
}

async function startIn(home: Home, binaries: Binaries, cluster: string, log: Log): Promise<PostmasterFile> {
  const start = { home, binaries, cluster, connections: undefined };
  const refusal = await startServer(start, Date.now() + startMs, log);
  const server = await readPostmasterFile(cluster);
  if (refusal !== null || !server) throw new PrivatePostgresError(`PostgreSQL did not start: ${refusal}`);
  return server;
}

/** Stops the new servers of attempts that were killed. */
async function stopAbandoned(home: Home, binaries: Binaries, log: Log): Promise<void> {
  for (const directory of await unfinishedIn(home.directory)) {
    const cluster = clusterOf({ ...home, directory }, binaries.major);
    const server = await readPostmasterFile(cluster).catch(() => null);
    if (server) await stopServer(cluster, server.pid, log);
  }
}

async function preventStarts(home: Home): Promise<() => Promise<void>> {
  const giveBack = await takeProcessLock(passwordFile(home));
  if (!giveBack) throw new PrivatePostgresError('another process starts PostgreSQL: stop it, and try again');
  return giveBack;
}
