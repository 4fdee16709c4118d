import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Binaries, removeOtherVersions } from './binaries.ts';
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

/** Between two looks at a server that is starting or stopping. */
export const POLL_MILLISECONDS = 20;

/** How long a server may take to write everything to disk before it is stopped the hard way (which is safe too). */
const STOP_MILLISECONDS = 60_000;

/** A server writes its `postmaster.pid` first of all, and keeps it: one without was overtaken. */
const LOCKLESS_MILLISECONDS = 5_000;

/**
 * Why a server did not start. `locked`: `postmaster.pid` names a live process. `lingering`: processes of a server
 * that was killed have not ended yet. `killed`: by a signal. `unlucky`: another process tidied up its socket folder.
 * `overtaken`: another starter took its `postmaster.pid` for the one that a dead server had left. PostgreSQL looks at that
 * file and removes it in two steps, between which a faster starter may have written its own.
 */
export type Refusal = 'locked' | 'lingering' | 'killed' | 'unlucky' | 'overtaken';

/**
 * Starts the server, detached, so that neither our end nor a signal to our process group ends it, and waits until it
 * accepts connections.
 *
 * @param deadline milliseconds since the epoch
 * @returns null when it runs, or why it cannot run now
 * @throws PrivatePostgresError with the end of the server's log for any other reason
 */
export async function startServer(
  home: Home,
  binaries: Binaries,
  cluster: string,
  deadline: number,
  log: Log,
): Promise<Refusal | null> {
  const started = performance.now();
  const socketDirectory = await makeSocketDirectory(home);
  const serverLog = await openServerLog(home);
  try {
    const child = spawn(
      join(binaries.directory, 'bin', 'postgres'),
      parametersFor(cluster, socketDirectory),
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
      await removeOtherVersions(home, binaries);
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

/** What must hold whatever an operator writes into postgresql.conf is said on the command line. */
function parametersFor(cluster: string, socketDirectory: string): string[] {
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
  };
  return ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/** True when `child` is ready, false when it has ended. */
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
      // It would end by itself, but takes up to a minute to notice.
      child.kill('SIGQUIT');
    }
    if (Date.now() > deadline) {
      // Not stopped: a long recovery would begin again at the next start.
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
 * Stops the server `pid` of this cluster (a "fast" shutdown: open transactions roll back) and waits until it is gone. Leaves
 * any other server alone: the folder may have been moved away since, with another in its place.
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
