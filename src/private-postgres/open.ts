import { installBinaries, locatePackage, type Package } from './binaries.ts';
import { DATABASE, findOrMakeCluster, SUPERUSER } from './cluster.ts';
import { codeOf, PrivatePostgresError } from './error.ts';
import { settleHome } from './home.ts';
import type { Address } from './lease.ts';
import type { Log } from './log.ts';
import type { Owner } from './owner.ts';
import { readOrMakePassword } from './password.ts';
import { stopServer } from './server.ts';
import { attachOrStart, type Share } from './share.ts';

export interface PrivatePostgresOptions {
  /** Parapet's data folder, created if missing. All files are in its folder `postgres`. */
  readonly directory: string;
  /** Connections that it must permit, if it is started here. Default 100, or as in its configuration. */
  readonly connections?: number;
  readonly log?: Log;
  /** Runs the server when Parapet runs as root. Default: uid and gid 64701. */
  readonly serverUser?: Owner;
  /** Called once if the server dies or is stopped by another process while it is in use here. */
  readonly onLost?: (cause: Error) => void;
  /** The programs. Default: those of the npm package for this platform. */
  readonly programs?: Package;
}

/** How to connect as the superuser. */
export interface PrivateConnection {
  /** The folder of the server's Unix socket, which `pg` accepts as a host. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

export interface PrivatePostgres {
  readonly connection: PrivateConnection;
  /** The server's version: `18.4`. */
  readonly version: string;
  /** Releases the server; the last process to do so stops it. Close other connections first. Idempotent. */
  close(): Promise<void>;
}

/**
 * Attaches to the PostgreSQL server of a data folder; creates or starts it if needed. Any number of processes
 * on one host (or in one container) can do so at once: they share one server, and the last one to close it
 * stops it. Root only works in its own data folder: call `giveUpRoot` first.
 *
 * @throws PrivatePostgresError if the server cannot be created, started or reached; its message says what to
 * do
 */
export function openPrivatePostgres(options: PrivatePostgresOptions): Promise<PrivatePostgres> {
  return inFolder(options.directory, () => open(options));
}

/** @throws PrivatePostgresError for an error of the system, such as a full disk or missing permissions */
export async function inFolder<T>(directory: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof PrivatePostgresError || codeOf(cause) === undefined) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PrivatePostgresError(`the database in ${directory} cannot be used: ${reason}`, { cause });
  }
}

async function open(options: PrivatePostgresOptions): Promise<PrivatePostgres> {
  const log = options.log ?? (() => undefined);
  const source = options.programs ?? (await locatePackage());
  const home = await settleHome(options.directory, options.serverUser, log);
  const password = await readOrMakePassword(home);
  const binaries = await installBinaries(source, home, log);
  const cluster = await findOrMakeCluster(home, binaries, password, log);
  const { connections, onLost = () => undefined } = options;
  const share = await attachOrStart({ home, binaries, cluster, password, connections, onLost, log });
  let closing: Promise<void> | null = null;
  return {
    connection: connectionAt(share.address, password),
    version: share.lease.version,
    close() {
      closing ??= giveBack(share, cluster, log);
      return closing;
    },
  };
}

export function connectionAt(address: Address, password: string): PrivateConnection {
  return { ...address, user: SUPERUSER, password, database: DATABASE };
}

async function giveBack({ lease, pid }: Share, cluster: string, log: Log): Promise<void> {
  try {
    if (await lease.release()) await stopServer(cluster, pid, log);
  } finally {
    await lease.end();
  }
}
