import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';

/** Exit status of flock(1) if another process has the lock. */
const TAKEN = 1;

/**
 * A lock that one process at a time can have, until it releases it or ends, however it ends.
 *
 * It is a lock of flock(1) on `file`, which other users must not be able to open, because any process that can open it
 * can take the lock. A helper process has the lock until its input ends, at the latest when this process exits for any
 * reason. Without a working flock, any number of processes get the lock.
 *
 * @returns a function that releases the lock; null while another process has it
 */
export async function takeProcessLock(file: string): Promise<(() => Promise<void>) | null> {
  const helper = spawn('flock', ['-n', file, 'sh', '-c', 'echo held; cat'], {
    // In another process group, so that Ctrl-C does not end it before this process.
    detached: true,
    cwd: '/',
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  helper.stdin.on('error', () => undefined);
  const ended = once(helper, 'exit').catch(error => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [null];
    throw error;
  });
  const held = once(helper.stdout, 'data').then(() => true);
  const isHeld = await Promise.race([held, ended.then(() => false)]);
  if (!isHeld) return helper.exitCode === TAKEN ? null : async () => undefined;
  // The lock must not keep a process from ending.
  for (const part of [helper, helper.stdin as Socket, helper.stdout as Socket]) part.unref();
  return async () => {
    helper.ref();
    helper.stdin.end();
    await ended;
  };
}
