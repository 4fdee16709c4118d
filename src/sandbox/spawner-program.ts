import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { ignoreDebuggerSignal, spawnSandbox } from './spawn.ts';
import type { SpawnerReport, SpawnerRequest } from './spawner.ts';

// The program of the process that starts sandbox processes, tells how they end, and ends them when the service is gone.

/** Characters of what a process writes to its standard error that are kept, to tell how it died. Never logged. */
const lastWords = 4_096;

/** What a process has written before its end is here by then, in milliseconds after it. */
const lastWordsMs = 1_000;

const program = readFileSync(process.argv[2]!);
const running = new Map<number, ChildProcess>();

function report(message: SpawnerReport, channel?: Socket): void {
  // A service that is gone hears nothing; 'disconnect' comes too.
  process.send?.(message, channel, {}, () => {});
}

async function start(id: number): Promise<void> {
  try {
    const child = spawnSandbox(program);
    const { pid } = child;
    if (pid === undefined) throw (await once(child, 'error'))[0];
    running.set(id, child);
    let stderr = '';
    const words = (child.stderr as Readable).setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-lastWords);
    });
    const silence = new Promise(resolve => words.on('error', () => {}).once('close', resolve));
    report({ started: id, pid }, child.stdio[3] as Socket);
    // Leaves after this process has let go of the channel: until then it could read away an answer.
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

ignoreDebuggerSignal();
// A terminal sends these to all processes of the service, and the service says when its sandbox processes end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
process
  .on('message', (request: SpawnerRequest) => {
    if ('start' in request) void start(request.start);
    else running.get(request.kill)?.kill('SIGKILL');
  })
  .on('disconnect', () => {
    for (const child of running.values()) child.kill('SIGKILL');
    process.exit();
  });
