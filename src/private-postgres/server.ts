import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { PrivatePostgresError } from './error.ts';
import type { Home } from './home.ts';
import type { Log } from './log.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { notRunnable, programOptions } from './program.ts';
import { openServerLog } from './server-log.ts';
import { isServerOf } from './server-process.ts';
import {
  makeSocketDirectory,
  PORT,
  removeLeftOverSocketDirectories,
  removeSocketDirectory,
} from './socket-directory.ts';

/** Poll interval while a server is starting or stopping. */
export const POLL_MILLISECONDS = 20;

/** The default of `max_connections` without those that PostgreSQL reserves for superusers. */
const [USUAL_CONNECTIONS, RESERVED_CONNECTIONS] = [97, 3];

interface Startable {
  readonly home: Home;
  readonly binaries: Binaries;
  readonly cluster: string;
  /** Connections that it must permit. */
  readonly connections: number | undefined;
}

/** How long a server may take to write everything to disk before an immediate shutdown, which is safe too. */
const STOP_MILLISECONDS = 60_000;

/**
 * A server writes its `postmaster.pid` first and keeps it: if the file is missing for this long, another
 * process removed it.
 */
const LOCKLESS_MILLISECONDS = 5_000;

/**
 * Why a server did not start. `locked`: `postmaster.pid` names a live process. `lingering`: processes of a
 * killed server have not ended yet. `killed`: by a signal. `unlucky`: another process removed its socket
 * folder. `overtaken`: another starter removed its `postmaster.pid` as stale, because PostgreSQL reads and
 * removes that file in two steps, between which another server may write its own.
 */
export type Refusal = 'locked' | 'lingering' | 'killed' | 'unlucky' | 'overtaken';

/**
 * Starts the server, detached from this process and its process group, and waits until it accepts
 * connections.
 *
 * @param deadline milliseconds since the epoch
 * @returns null if it runs, or why it cannot run now
 * @throws PrivatePostgresError with the end of the server's log for any other reason
 */
export async function startServer(
  { home, binaries, cluster, connections }: Startable,
  deadline: number,
  log: Log,
): Promise<Refusal | null> {
  const started = performance.now();
  const socketDirectory = await makeSocketDirectory(home);
  const serverLog = await openServerLog(home);
  try {
    const child = spawn(
      join(binaries.directory, 'bin', 'postgres'),
      parametersFor(cluster, socketDirectory, connections),
      {
        ...programOptions(home, binaries),
        detached: true,
        stdio: ['ignore', serverLog.descriptor, serverLog.descriptor],
      },
    );
    const ready = await waitUntilReady(child, cluster, deadline);
    if (ready) {
      child.unref();
      await removeLeftOverSocketDirectories(home, socketDirectory);
      log('postgres.started', {
        server_pid: child.pid,
        cluster,
        milliseconds: Math.round(performance.now() - started),
      });
      return null;
    }
    await removeSocketDirectory(socketDirectory);
    if (child.signalCode !== null) return 'killed';
    return refusalOf(await serverLog.since(child.pid ?? 0), home);
  } finally {
    await serverLog.close();
  }
}

/** Settings on the command line override postgresql.conf, which operators may edit. */
function parametersFor(cluster: string, socketDirectory: string, connections = 0): string[] {
  const settings = {
    listen_addresses: '',
    port: String(PORT),
    unix_socket_directories: `"${socketDirectory.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    fsync: 'on',
    full_page_writes: 'on',
    log_destination: 'stderr',
    logging_collector: 'off',
    log_line_prefix: '%m [%p] ',
    ...(connections > USUAL_CONNECTIONS
      ? { max_connections: String(connections + RESERVED_CONNECTIONS) }
      : {}),
  };
  return ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/** True if `child` is ready, false if it has exited. */
async function waitUntilReady(child: ChildProcess, cluster: string, deadline: number): Promise<boolean> {
  let failed: Error | null = null;
  let lastOwn = Date.now();
  child.on('error', error => {
    failed = error;
  });
  for (;;) {
    if (failed !== null) throw notRunnable(failed);
    if (child.exitCode !== null || child.signalCode !== null) return false;
    const file = await readPostmasterFile(cluster);
    if (file !== null && file.pid === child.pid) {
      if (file.status === 'ready') return true;
      lastOwn = Date.now();
    } else if (Date.now() > lastOwn + LOCKLESS_MILLISECONDS) {
      // It would exit by itself, but can take up to a minute.
      child.kill('SIGQUIT');
    }
    if (Date.now() > deadline) {
      // Not stopped, because a long recovery would start over.
      child.unref();
      throw new PrivatePostgresError(
        `PostgreSQL is still not ready, see server.log beside ${cluster}: try again later`,
      );
    }
    await pause(POLL_MILLISECONDS);
  }
}

function refusalOf(output: string, home: Home): Refusal {
  if (/lock file "postmaster\.pid" (already exists|is empty)/.test(output)) return 'locked';
  if (/pre-existing shared memory block/.test(output)) return 'lingering';
  if (/lock file is invalid|received immediate shutdown request/.test(output)) return 'overtaken';
  if (/could not (create|open|read|write|remove) .*lock file/.test(output) && /No such file/.test(output)) {
    return 'unlucky';
  }
  const tail = output.split('\n').slice(-8).join('\n');
  throw new PrivatePostgresError(
    `PostgreSQL did not start, see ${join(home.directory, 'server.log')}\n${tail}`,
  );
}

/**
 * Stops the server `pid` of this cluster ("fast" shutdown: open transactions roll back) and waits until it
 * has exited. Never stops another server: the folder may have been moved, with another one at its path.
 */
export async function stopServer(cluster: string, pid: number, log: Log): Promise<void> {
  const file = await readPostmasterFile(cluster);
  if (file?.pid !== pid || !(await isServerOf(pid, cluster))) return;
  process.kill(file.pid, 'SIGINT');
  if (!(await waitUntilGone(file.pid, cluster, STOP_MILLISECONDS))) {
    log('postgres.stopped_hard', { server_pid: file.pid, cluster });
    process.kill(file.pid, 'SIGQUIT');
    await waitUntilGone(file.pid, cluster, STOP_MILLISECONDS);
  }
  await removeSocketDirectory(file.socketDirectory);
  log('postgres.stopped', { server_pid: file.pid, cluster });
}

async function waitUntilGone(pid: number, cluster: string, milliseconds: number): Promise<boolean> {
  const deadline = Date.now() + milliseconds;
  while (Date.now() < deadline) {
    if (!(await isServerOf(pid, cluster))) return true;
    await pause(POLL_MILLISECONDS);
  }
  return false;
}
