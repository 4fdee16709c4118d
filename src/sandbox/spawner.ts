import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { installedFile } from '../domain/installed-file.ts';
import { idleMs } from './limits.ts';
import { environment, ignoreDebuggerSignal } from './spawn.ts';

/** A request to the spawner. The service numbers the sandbox processes. */
export type SpawnerRequest = { readonly start: number } | { readonly kill: number };

/** A message from the spawner. `started` carries the channel for tasks and answers. */
export type SpawnerReport =
  | { readonly started: number; readonly pid: number }
  | { readonly ready: number }
  | ({ readonly ended: number } & Ending)
  | { readonly failed: number; readonly reason: string };

/** How a process ended. */
export interface Ending {
  readonly signal: NodeJS.Signals | null;
  /** The end of its standard error. */
  readonly stderr: string;
}

/** Notified as a process starts and ends. Either `onEnd` or `onFailure` is called, once. */
export interface Observer {
  onReady(pid: number, channel: Socket): void;
  onEnd(ending: Ending): void;
  /** It could not be started, or the spawner ended first. */
  onFailure(error: Error): void;
}

interface Spawned {
  readonly by: ChildProcess;
  readonly observer: Observer;
  pid?: number;
  channel?: Socket;
}

/** How the process of a spawner is started: a module, and arguments before the nice value. */
export interface SpawnerProgram {
  readonly module: string;
  readonly args: readonly string[];
}

/** The one built by `npm run build`, with the program of sandbox processes. */
export const builtSpawner = (program: string): SpawnerProgram => ({
  module: fileURLToPath(installedFile('dist/main/spawner-program.js')),
  args: [program],
});

/** Milliseconds after which a spawner that does not exit by itself is killed. */
const closingMs = 2_000;

/**
 * Starts sandbox processes through a small process, the spawner, which exits when idle. Forking copies the page tables
 * of the parent, which blocks the event loop of a large service for 15 ms or more.
 */
export class Spawner {
  readonly #program: SpawnerProgram;
  readonly #groupNice: number;
  readonly #spawned = new Map<number, Spawned>();
  #process: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;

  /**
   * @param groupNice nice value of all of them together, if the kernel groups processes by session
   */
  constructor(program: SpawnerProgram, groupNice: number) {
    this.#program = program;
    this.#groupNice = groupNice;
  }

  /** Starts a sandbox process. @returns a function that kills it */
  start(observer: Observer): () => void {
    clearTimeout(this.#idle);
    this.#process ??= this.#fork();
    const by = this.#process;
    const id = ++this.#lastId;
    this.#spawned.set(id, { by, observer });
    send(by, { start: id });
    return () => send(by, { kill: id });
  }

  /** Ends the spawner and every process that it started. */
  async close(): Promise<void> {
    const spawner = this.#process;
    if (!spawner) return;
    const exited = new Promise(resolve => spawner.once('exit', resolve));
    this.#dismiss();
    const timer = setTimeout(() => spawner.kill('SIGKILL'), closingMs);
    await exited;
    clearTimeout(timer);
  }

  #fork(): ChildProcess {
    ignoreDebuggerSignal();
    const spawner = fork(this.#program.module, [...this.#program.args, String(this.#groupNice)], {
      // Its own session: see `yieldToService`.
      detached: true,
      cwd: '/',
      env: environment(),
      execArgv: [],
      stdio: ['pipe', 'ignore', 'inherit', 'ipc'],
    });
    // Such an error comes with the end of the spawner.
    spawner.stdin?.on('error', () => {});
    spawner
      .on('message', (report: SpawnerReport, channel) => this.#hear(report, channel as Socket | undefined))
      .on('error', () => this.#lose(spawner))
      .on('exit', () => this.#lose(spawner));
    if (spawner.pid === undefined) throw new Error('no process could be started');
    return spawner;
  }

  #hear(report: SpawnerReport, channel: Socket | undefined): void {
    if ('started' in report) this.#keep(report.started, report.pid, channel);
    else if ('ready' in report) this.#hand(report.ready);
    else if ('ended' in report) void this.#end(report.ended, ({ onEnd }) => onEnd(report));
    else void this.#end(report.failed, ({ onFailure }) => onFailure(new Error(report.reason)));
  }

  #keep(id: number, pid: number, channel: Socket | undefined): void {
    const spawned = this.#spawned.get(id);
    if (spawned) Object.assign(spawned, { pid, channel });
    else channel?.destroy();
  }

  #hand(id: number): void {
    const spawned = this.#spawned.get(id);
    if (!spawned) return;
    const { by, observer, pid, channel } = spawned;
    if (channel) observer.onReady(pid!, channel);
    // Node does not guarantee that a handle arrives.
    else send(by, { kill: id });
  }

  async #end(id: number, notify: (observer: Observer) => void): Promise<void> {
    const spawned = this.#spawned.get(id);
    if (!spawned) return;
    this.#spawned.delete(id);
    const { observer, channel } = spawned;
    // Read answers that were sent before the end.
    if (channel && !channel.closed) await new Promise(resolve => channel.once('close', resolve));
    notify(observer);
    if (this.#spawned.size > 0) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#dismiss(), idleMs).unref();
  }

  /** The spawner ended: kill its processes, without blaming a target. */
  #lose(spawner: ChildProcess): void {
    if (this.#process === spawner) this.#process = undefined;
    for (const [id, { by, pid, channel }] of this.#spawned) {
      if (by !== spawner) continue;
      channel?.destroy();
      if (pid !== undefined) endOrphan(pid);
      void this.#end(id, ({ onFailure }) => onFailure(new Error('the spawner ended')));
    }
  }

  #dismiss(): void {
    clearTimeout(this.#idle);
    this.#process?.stdin?.end();
    this.#process = undefined;
  }
}

function endOrphan(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Already ended.
  }
}

function send(spawner: ChildProcess, request: SpawnerRequest): void {
  // If the spawner is gone, `#lose` handles its processes.
  spawner.send(request, () => {});
}
