import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { codeOf } from './error.ts';

/** What flock(1) ends with when another process has the lock. */
const TAKEN = 1;

/**
 * The right to start the server of a cluster, which one process at a time has. PostgreSQL's own lock keeps a second
 * server out, but not a second starter from removing a `postmaster.pid` that the first one's server is writing.
 *
 * It is flock(1)'s lock on `file`, which must be closed to other users: any process that can open it can take the lock. A helper
 * process holds it until its input ends, which is when this process ends, however it ends. Where there is no flock, or
 * it cannot lock the file, any number of processes have the right.
 *
 * @returns gives the right back; null while another process has it
 */
export async function takeStarterLock(file: string): Promise<(() => Promise<void>) | null> {
  const helper = spawn('flock', ['-n', file, 'sh', '-c', 'echo held; cat'], {
    // Out of our process group: Ctrl-C must not end it before us.
    detached: true,
    cwd: '/',
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  helper.stdin.on('error', () => undefined);
  const ended = once(helper, 'exit').catch(error => {
    if (codeOf(error) === 'ENOENT') return [null];
    throw error;
  });
  const held = once(helper.stdout, 'data').then(() => true);
  const isHeld = await Promise.race([held, ended.then(() => false)]);
  if (!isHeld) return helper.exitCode === TAKEN ? null : async () => undefined;
  return async () => {
    helper.stdin.end();
    await ended;
  };
}
