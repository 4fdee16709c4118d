import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { constants, getPriority, setPriority } from 'node:os';
import type { Readable } from 'node:stream';
import { ignoreDebuggerSignal, spawnSandbox } from './spawn.ts';
import type { SpawnerReport, SpawnerRequest } from './spawner.ts';

/** Characters kept of a process's standard error, to determine how it died. Never logged. */
const lastWords = 4_096;

/** Characters of standard error that are read in total. Node's crash output has about 3,000. */
const mostWords = 65_536;

/** Milliseconds to wait for remaining standard error after a process has ended. */
const lastWordsMs = 1_000;

const running = new Map<number, ChildProcess>();

function report(message: SpawnerReport, channel?: Socket): void {
  // Fails only after the service has ended, which is handled below.
  process.send?.(message, channel, {}, () => {});
}

async function start(program: Buffer, id: number): Promise<void> {
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
    // Node sends this after it has closed our copy of the channel, which could otherwise consume an answer.
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
 * Runs the computing of sandbox processes, which inherit the priority of this process, after the service has answered
 * its requests. Where the kernel groups processes by session (autogroup, sched(7)), a nice value counts only within its
 * group: a PostgreSQL backend, which has its own session, waited up to 60 ms for sandbox processes at nice 10. The
 * spawner therefore has its own session, with a nice value for the group.
 */
function yieldToService(groupNice: string): void {
  // The service may already have a higher value, which only root may lower.
  setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
  lowerGroup(groupNice);
}

function lowerGroup(groupNice: string): void {
  try {
    writeFileSync('/proc/self/autogroup', groupNice);
  } catch (error) {
    // The file is missing on kernels without such groups. All users together may write ten times a second.
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN')
      setTimeout(() => lowerGroup(groupNice), 100).unref();
  }
}

/**
 * Starts sandbox processes, reports how they end, and kills them when the service dies or closes the standard input of
 * this process.
 *
 * @param program of the sandbox processes
 * @param groupNice nice value of all of them together
 */
export function runSpawner(program: Buffer, groupNice: string): void {
  ignoreDebuggerSignal();
  yieldToService(groupNice);
  // Service managers such as systemd signal every process of a service, but the service decides when its sandbox
  // processes end.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
  process.on('message', (request: SpawnerRequest) => {
    if ('start' in request) void start(program, request.start);
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
}
