import { setTimeout as pause } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
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
import { takeStarterLock } from './starter-lock.ts';

/** Recovery after a crash reads at most max_wal_size (1 GB) of log: usually well within this. */
const OPEN_MILLISECONDS = 120_000;

/** A server writes its pid right after it made the file: one that stays empty was left by a crash. */
const EMPTY_FILE_MILLISECONDS = 5_000;

/** What a killed server left running gets this long to notice. */
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
  readonly onLost: (cause: Error) => void;
  readonly log: Log;
}

export interface Share {
  readonly lease: Lease;
  readonly address: Address;
  /** Of the server. */
  readonly pid: number;
}

/**
 * Takes a share in the cluster's server, and starts it when there is none: one process does, and the others attach
 * to that one's server.
 *
 * @throws PrivatePostgresError when there is no usable server within two minutes, or PostgreSQL does not start
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

/** Starts the server, unless another process does or has. @returns why there is none yet, or null when one runs */
async function start({ home, binaries, cluster, log }: Wish, begin: number): Promise<string | null> {
  const giveBack = await takeStarterLock(passwordFile(home));
  if (giveBack === null) return 'another process is starting it';
  try {
    const seen = await readPostmasterFile(cluster);
    if (await hasProcess(seen, cluster)) return null;
    const refusal = await startServer(home, binaries, cluster, begin + OPEN_MILLISECONDS, log);
    if (refusal === null) return null;
    await clearTheWay(refusal, seen, cluster, Date.now() - begin, log);
    return MEANING[refusal];
  } finally {
    await giveBack();
  }
}

/** A share; `absent` when nothing listens at the socket; `busy` when something does, but cannot serve now. */
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
    // A full queue, a connection cut by the shutdown, "the database system is starting up" and the like.
    if (code === undefined || /^(E[A-Z]+|57P0.|53300)$/.test(code)) return 'busy';
    if (code.startsWith('28')) {
      throw new PrivatePostgresError(
        `PostgreSQL refuses what is in the file postgres/password: ${String(error)}`,
      );
    }
    throw new PrivatePostgresError(`PostgreSQL does not let Parapet in: ${String(error)}`, { cause: error });
  }
}

/** Mends what PostgreSQL leaves to an operator: it must not guess, but we know our own server. */
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
  // PostgreSQL removes the file of a server that is gone, unless its pid belongs to another process now.
  if (refusal !== 'locked' || seen === null) return;
  if (seen.pid > 0 && (await isServerOf(seen.pid, cluster))) return;
  if (seen.pid === 0 && ((await postmasterFileAge(cluster)) ?? 0) < EMPTY_FILE_MILLISECONDS) return;
  log('postgres.stale_pid_file_removed', { server_pid: seen.pid, cluster });
  await removePostmasterFile(cluster, seen);
}
