import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { constants, getPriority, setPriority } from 'node:os';
import type { Readable } from 'node:stream';
import { ignoreDebuggerSignal, spawnSandbox } from './spawn.ts';
import type { SpawnerReport, SpawnerRequest } from './spawner.ts';

// The spawner: starts sandbox processes, reports how they end, and kills them when the service ends its standard input, or dies.

/** Characters of a process's standard error that are kept, to tell how it died. Never logged. */
const lastWords = 4_096;

/** Characters of it that are read at all. What Node says as it dies has about 3,000. */
const mostWords = 65_536;

/** Milliseconds to wait for the last of its standard error after a process has ended. */
const lastWordsMs = 1_000;

const [, , programFile, groupNice] = process.argv;
const program = readFileSync(programFile!);
const running = new Map<number, ChildProcess>();

function report(message: SpawnerReport, channel?: Socket): void {
  // Fails only when the service has ended, which is handled below.
  process.send?.(message, channel, {}, () => {});
}

async function start(id: number): Promise<void> {
  try {
    const child = spawnSandbox(program);
    const { pid } = child;
    if (pid === undefined) throw (await once(child, 'error'))[0];
    running.set(id, child);
    let stderr = '';
    let read = 0;
    const words = (child.stderr as Readable).setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-lastWords);
      read += text.length;
      if (read > mostWords) words.destroy();
    });
    const silence = new Promise(resolve => words.on('error', () => {}).once('close', resolve));
    report({ started: id, pid }, child.stdio[3] as Socket);
    // Node sends this after it has closed our copy of the channel, which could otherwise read an answer.
    report({ ready: id });
    const signal = await new Promise<NodeJS.Signals | null>(resolve => {
      child.once('exit', (_code, by) => resolve(by));
    });
    running.delete(id);
    await Promise.race([silence, new Promise(resolve => setTimeout(resolve, lastWordsMs).unref())]);
    report({ ended: id, signal, stderr });
  } catch (error) {
    report({ failed: id, reason: error instanceof Error ? error.message : String(error) });
  }
}

/**
 * What targets make sandbox processes compute is done after what answers requests. They inherit the priority of this process. Where
 * the kernel makes a group of every session (autogroup, sched(7)), a nice value counts only within it: a backend of PostgreSQL, a
 * session of its own, waited up to 60 ms for sandbox processes at nice 10. Hence a session and a value for the group.
 */
function yieldToService(): void {
  // The service may have a higher value itself, and only root may take one back.
  setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
  lowerGroup();
}

function lowerGroup(): void {
  try {
    writeFileSync('/proc/self/autogroup', groupNice!);
  } catch (error) {
    // Where there are no such groups there is no such file. Ten writes a second are allowed to all users together.
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') setTimeout(lowerGroup, 100).unref();
  }
}

ignoreDebuggerSignal();
yieldToService();
// Sent to every process of a service by those that stop it, such as systemd. The service decides when its sandbox processes end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
process.on('message', (request: SpawnerRequest) => {
  if ('start' in request) void start(request.start);
  else running.get(request.kill)?.kill('SIGKILL');
});
// Not 'disconnect': Node never emits it if the service is killed before it has confirmed the last handle sent to it.
process.stdin
  .on('error', () => {})
  .once('close', () => {
    for (const child of running.values()) child.kill('SIGKILL');
    process.exit();
  })
  .resume();
