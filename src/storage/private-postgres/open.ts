import { setTimeout as pause } from 'node:timers/promises';
import { installBinaries } from './binaries.ts';
import { DATABASE, findOrMakeCluster, SUPERUSER } from './cluster.ts';
import { codeOf, PrivatePostgresError } from './error.ts';
import { type Home, type Log, settleHome } from './home.ts';
import { type Lease, takeLease } from './lease.ts';
import type { Owner } from './owner.ts';
import { readOrMakePassword } from './password.ts';
import {
  type PostmasterFile,
  postmasterFileAge,
  readPostmasterFile,
  removePostmasterFile,
} from './postmaster-file.ts';
import { POLL_MILLISECONDS, startServer, stopServer } from './server.ts';
import { isServerOf } from './server-process.ts';

/** Recovery after a crash reads at most max_wal_size (1 GB) of log: well within this. */
const OPEN_MILLISECONDS = 120_000;

/** A server writes its pid right after it made the file: one that stays empty was left by a crash. */
const EMPTY_FILE_MILLISECONDS = 5_000;

export interface PrivatePostgresOptions {
  /** Parapet's data folder; made when missing. Everything is kept in `postgres` below it. */
  readonly directory: string;
  readonly log?: Log;
  /** Runs the server when Parapet runs as root. Default: the data folder's owner, or uid and gid 65534. */
  readonly serverUser?: Owner;
  /** Called once when the server died or was stopped by somebody else while it was in use here. */
  readonly onLost?: (cause: Error) => void;
}

export interface PrivatePostgres {
  readonly connection: {
    /** The folder of the server's unix socket, which `pg` takes as a host. */
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly password: string;
    readonly database: string;
  };
  /** The server's version: `18.4`. */
  readonly version: string;
  /** Gives the server back; the last process to do so stops it. Close your own connections first. Idempotent. */
  close(): Promise<void>;
}

/**
 * Attaches to the PostgreSQL server of a data folder, and makes or starts it where needed. Any number of processes
 * on this host may do so at once: they share one server, and the last one to close stops it.
 *
 * @throws PrivatePostgresError when the server cannot be made, started or reached; its message names the way out
 */
export async function openPrivatePostgres(options: PrivatePostgresOptions): Promise<PrivatePostgres> {
  const log = options.log ?? (() => undefined);
  const home = await settleHome(options.directory, options.serverUser, log);
  const password = await readOrMakePassword(home);
  const onLost = (cause: Error) => {
    log('postgres_lost', { reason: cause.message });
    options.onLost?.(cause);
  };
  const { lease, server, cluster } = await attachOrStart(home, password, onLost, log);
  let closing: Promise<void> | null = null;
  return {
    connection: {
      host: server.socketDirectory,
      port: server.port,
      user: SUPERUSER,
      password,
      database: DATABASE,
    },
    version: lease.version,
    close() {
      closing ??= detach(lease, cluster, log);
      return closing;
    },
  };
}

async function detach(lease: Lease, cluster: string, log: Log): Promise<void> {
  if (await lease.release()) await stopServer(cluster, log);
  await lease.end();
}

async function attachOrStart(home: Home, password: string, onLost: (cause: Error) => void, log: Log) {
  const binaries = await installBinaries(home, log);
  const cluster = await findOrMakeCluster(home, binaries, password, log);
  const deadline = Date.now() + OPEN_MILLISECONDS;
  let reason = 'it is starting or stopping';
  while (Date.now() < deadline) {
    const server = await readPostmasterFile(cluster);
    if (server?.status === 'ready') {
      const lease = await attach(server, password, onLost);
      if (typeof lease !== 'string') return { lease, server, cluster };
      reason = lease;
    }
    if (server === null || !(await isServerOf(server.pid, cluster))) {
      const refusal = await startServer(home, binaries, cluster, deadline, log);
      if (refusal === null) continue;
      reason = refusal;
      if (refusal === 'locked' && server !== null) await removeIfStale(cluster, server, log);
    }
    await pause(POLL_MILLISECONDS);
  }
  throw new PrivatePostgresError(
    `the PostgreSQL server of ${cluster} cannot be used (${reason}): see server.log beside it`,
  );
}

/** A lease, or why there is none yet. An error that waiting does not mend is thrown. */
async function attach(
  server: PostmasterFile,
  password: string,
  onLost: (cause: Error) => void,
): Promise<Lease | string> {
  try {
    return await takeLease(server.socketDirectory, server.port, password, onLost);
  } catch (error) {
    if (codeOf(error)?.startsWith('28')) {
      throw new PrivatePostgresError(
        `PostgreSQL refuses the password in postgres/password: ${String(error)}`,
        {
          cause: error,
        },
      );
    }
    return String(error);
  }
}

/** PostgreSQL itself removes the file of a server that is gone, unless its pid belongs to another process now. */
async function removeIfStale(cluster: string, seen: PostmasterFile, log: Log): Promise<void> {
  if (seen.pid > 0 && (await isServerOf(seen.pid, cluster))) return;
  if (seen.pid === 0 && ((await postmasterFileAge(cluster)) ?? 0) < EMPTY_FILE_MILLISECONDS) return;
  log('postgres_stale_pid_file_removed', { pid: seen.pid, cluster });
  await removePostmasterFile(cluster, seen);
}
