import { setTimeout as pause } from 'node:timers/promises';
import { takeProcessLock } from '../locks/process-lock.ts';
import { type Binaries, removeOtherVersions } from './binaries.ts';
import { codeOf, PrivatePostgresError } from './error.ts';
import type { Home } from './home.ts';
import { type Address, type Lease, takeLease } from './lease.ts';
import { endLingering } from './lingering.ts';
import type { Log } from './log.ts';
import { refuseHardLinks, socketDirectoryHere } from './own-server.ts';
import { passwordFile } from './password.ts';
import {
  type PostmasterFile,
  postmasterFileAge,
  readPostmasterFile,
  removePostmasterFile,
} from './postmaster-file.ts';
import { POLL_MILLISECONDS, type Refusal, startServer } from './server.ts';
import { isServerOf } from './server-process.ts';

/** Crash recovery reads at most max_wal_size (1 GB) of WAL, usually well within this time. */
const OPEN_MILLISECONDS = 120_000;

/** A server writes its pid right after creating the file: an empty one is left from a crash. */
const EMPTY_FILE_MILLISECONDS = 5_000;

/** How long processes of a killed server have to exit by themselves. */
const LINGERING_MILLISECONDS = 3_000;

const MEANING: Record<Refusal, string> = {
  locked: 'postmaster.pid names another process',
  lingering: 'processes of a server that was killed still run',
  killed: 'it was killed while it started',
  unlucky: 'its socket folder was removed',
  overtaken: 'another starter removed its postmaster.pid',
};

interface Wish {
  readonly home: Home;
  readonly binaries: Binaries;
  readonly cluster: string;
  readonly password: string;
  readonly connections: number | undefined;
  readonly onLost: (cause: Error) => void;
  readonly log: Log;
}

export interface Share {
  readonly lease: Lease;
  readonly address: Address;
  /** The server's pid. */
  readonly pid: number;
}

/**
 * Takes a share in the cluster's server. If none runs, one process starts it, and the others attach to it.
 *
 * @throws PrivatePostgresError if there is no usable server within two minutes, or PostgreSQL does not start
 */
export async function attachOrStart(wish: Wish): Promise<Share> {
  const { cluster } = wish;
  const begin = Date.now();
  let reason = 'it is starting or stopping';
  while (Date.now() < begin + OPEN_MILLISECONDS) {
    const server = await readPostmasterFile(cluster);
    const isOwn = await hasProcess(server, cluster);
    if (!isOwn) await refuseHardLinks(cluster);
    const share = server?.status === 'ready' ? await attach(server, isOwn, wish) : 'absent';
    if (typeof share !== 'string') return share;
    if (share === 'absent' && !isOwn) reason = (await start(wish, begin)) ?? reason;
    await pause(POLL_MILLISECONDS);
  }
  throw new PrivatePostgresError(
    `the server of ${cluster} cannot be used (${reason}): see server.log beside it`,
  );
}

async function hasProcess(server: PostmasterFile | null, cluster: string): Promise<boolean> {
  return server !== null && (await isServerOf(server.pid, cluster));
}

/**
 * Starts the server, unless another process is starting or has started it.
 *
 * @returns why there is none yet, or null if one runs
 */
async function start(
  { home, binaries, cluster, connections, log }: Wish,
  begin: number,
): Promise<string | null> {
  const giveBack = await takeProcessLock(passwordFile(home));
  if (giveBack === null) return 'another process is starting it';
  try {
    const seen = await readPostmasterFile(cluster);
    if (await hasProcess(seen, cluster)) return null;
    const deadline = begin + OPEN_MILLISECONDS;
    const refusal = await startServer({ home, binaries, cluster, connections }, deadline, log);
    if (refusal === null) {
      await removeOtherVersions(home, binaries);
      return null;
    }
    await clearTheWay(refusal, seen, cluster, Date.now() - begin, log);
    return MEANING[refusal];
  } finally {
    await giveBack();
  }
}

/** A share; `absent` if nothing listens on the socket; `busy` if the server cannot accept connections now. */
async function attach(
  { pid, port, socketDirectory }: PostmasterFile,
  isOwn: boolean,
  { home, cluster, password, onLost }: Wish,
): Promise<Share | 'absent' | 'busy'> {
  const host = await socketDirectoryHere(socketDirectory, home, isOwn);
  if (host === null) return 'absent';
  const address = { host, port };
  try {
    return { lease: await takeLease(cluster, address, password, onLost), address, pid };
  } catch (error) {
    if (error instanceof PrivatePostgresError) throw error;
    const code = codeOf(error);
    if (code === 'ECONNREFUSED' || code === 'ENOENT') return 'absent';
    // Such as a full queue, a connection closed by the shutdown, or "the database system is starting up".
    if (code === undefined || /^(E[A-Z]+|57P0.|53300)$/.test(code)) return 'busy';
    if (code.startsWith('28')) {
      throw new PrivatePostgresError(
        `PostgreSQL rejects the password in the file postgres/password: ${String(error)}`,
      );
    }
    throw new PrivatePostgresError(`PostgreSQL refuses the connection: ${String(error)}`, { cause: error });
  }
}

/** Removes obstacles that PostgreSQL leaves to operators, because here the server's state is known. */
async function clearTheWay(
  refusal: Refusal,
  seen: PostmasterFile | null,
  cluster: string,
  elapsed: number,
  log: Log,
): Promise<void> {
  if (refusal === 'lingering' && elapsed > LINGERING_MILLISECONDS) {
    const pids = await endLingering(cluster);
    if (pids.length > 0) log('postgres.left_overs_ended', { pids, cluster });
  }
  // PostgreSQL removes a dead server's file itself, unless its pid now belongs to another process.
  if (refusal !== 'locked' || seen === null) return;
  if (seen.pid > 0 && (await isServerOf(seen.pid, cluster))) return;
  if (seen.pid === 0 && ((await postmasterFileAge(cluster)) ?? 0) < EMPTY_FILE_MILLISECONDS) return;
  log('postgres.stale_pid_file_removed', { server_pid: seen.pid, cluster });
  await removePostmasterFile(cluster, seen);
}
