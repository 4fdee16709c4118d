import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { withinTime } from '../domain/within-time.ts';

/** The exit status of shells. */
const commandNotFound = 127;

/** A command did not print what it should. The message has nothing of its output, which may contain a part of a secret. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

interface Limits {
  readonly milliseconds: number;
  readonly bytes: number;
}

/**
 * The output of a shell command. It runs in a process group of its own, which is killed at a limit, with the signal, and when SIGINT,
 * SIGTERM or SIGHUP ends this process: killing only the shell would leave the rest of a pipe running.
 *
 * @throws CommandFailed, and the reason of the signal
 */
export function outputOf(command: string, limits: Limits, signal?: AbortSignal): Promise<string> {
  return withinTime(limits.milliseconds, signal, async end => {
    signal?.throwIfAborted();
    let kill = () => {};
    // Before the command begins.
    const release = onDeath(() => kill());
    try {
      const child = spawn('/bin/sh', ['-c', command], {
        detached: true,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      kill = () => {
        killGroup(child.pid);
        // One that has left the group may keep it open.
        child.stdout.destroy();
      };
      end.addEventListener('abort', kill, { once: true });
      const pieces: Buffer[] = [];
      let bytes = 0;
      child.stdout.on('data', (piece: Buffer) => {
        pieces.push(piece);
        bytes += piece.length;
        if (bytes > limits.bytes) kill();
      });
      const [status, killedBy] = await once(child, 'close').catch(error => {
        throw new CommandFailed(`could not be started (${error.code})`);
      });
      signal?.throwIfAborted();
      if (end.aborted) throw new CommandFailed(`did not end within ${limits.milliseconds / 1000} s`);
      if (bytes > limits.bytes) throw new CommandFailed(`printed more than ${limits.bytes} bytes`);
      if (status === commandNotFound) throw new CommandFailed('was not found (exit status 127)');
      if (status !== 0)
        throw new CommandFailed(`failed (${status === null ? killedBy : `exit status ${status}`})`);
      return Buffer.concat(pieces).toString('utf8');
    } finally {
      release();
    }
  });
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // All of its processes have ended.
  }
}

/** Does it when a signal ends this process, as the signal of a terminal ends its group. @returns undoes this */
function onDeath(kill: () => void): () => void {
  const undo = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map(name => {
    const onSignal = () => {
      process.off(name, onSignal);
      // With another listener, this process goes on: the listener decides.
      if (process.listenerCount(name) > 0) return;
      kill();
      process.kill(process.pid, name);
    };
    // First, since a listener that is called once is removed before.
    process.prependListener(name, onSignal);
    return () => process.off(name, onSignal);
  });
  return () => {
    for (const off of undo) off();
  };
}
