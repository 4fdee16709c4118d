import { installBinaries, locatePackage } from './binaries.ts';
import { DATABASE, findOrMakeCluster, SUPERUSER } from './cluster.ts';
import { codeOf, PrivatePostgresError } from './error.ts';
import { settleHome } from './home.ts';
import type { Log } from './log.ts';
import type { Owner } from './owner.ts';
import { readOrMakePassword } from './password.ts';
import { stopServer } from './server.ts';
import { attachOrStart, type Share } from './share.ts';

export interface PrivatePostgresOptions {
  /** Parapet's data folder; made when missing. Everything is kept in `postgres` below it. */
  readonly directory: string;
  readonly log?: Log;
  /** Runs the server when Parapet runs as root. Default: uid and gid 64701. */
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
 * of one host (or one container) may do so at once: they share one server, and the last one to close stops it.
 * Root works only in a data folder of its own: call `giveUpRoot` first.
 *
 * @throws PrivatePostgresError when the server cannot be made, started or reached; its message names the way out
 */
export async function openPrivatePostgres(options: PrivatePostgresOptions): Promise<PrivatePostgres> {
  try {
    return await open(options);
  } catch (cause) {
    if (cause instanceof PrivatePostgresError || codeOf(cause) === undefined) throw cause;
    // The disk is full, a folder is closed to us: the system's message says which.
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PrivatePostgresError(`the database in ${options.directory} cannot be used: ${reason}`, {
      cause,
    });
  }
}

async function open(options: PrivatePostgresOptions): Promise<PrivatePostgres> {
  const log = options.log ?? (() => undefined);
  const source = await locatePackage();
  const home = await settleHome(options.directory, options.serverUser, log);
  const password = await readOrMakePassword(home);
  const binaries = await installBinaries(source, home, log);
  const cluster = await findOrMakeCluster(home, binaries, password, log);
  const onLost = (cause: Error) => {
    log('postgres.lost', { reason: cause.message });
    options.onLost?.(cause);
  };
  const share = await attachOrStart({ home, binaries, cluster, password, onLost, log });
  let closing: Promise<void> | null = null;
  return {
    connection: { ...share.address, user: SUPERUSER, password, database: DATABASE },
    version: share.lease.version,
    close() {
      closing ??= giveBack(share, cluster, log);
      return closing;
    },
  };
}

async function giveBack({ lease, pid }: Share, cluster: string, log: Log): Promise<void> {
  try {
    if (await lease.release()) await stopServer(cluster, pid, log);
  } finally {
    await lease.end();
  }
}
