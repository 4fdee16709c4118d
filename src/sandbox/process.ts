import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { DeathCause } from '../contract/causes.ts';
import { SandboxDied } from './died.ts';
import {
  fullBytes,
  idleCpuMs,
  residentBytes,
  resultBounds,
  retireAfterCpuMs,
  type TaskLimits,
  watchEveryMs,
} from './limits.ts';
import { readLines } from './read-lines.ts';
import type { Ending, Spawner } from './spawner.ts';
import type { TaskAnswer, TaskOutcome, TaskRequest } from './tasks.ts';
import { type Usage, usageOf } from './usage.ts';
import { notWithheld } from './withheld.ts';

/** In milliseconds. */
const longestTimer = 2 ** 31 - 1;

const noUsage: Usage = { cpuMs: 0, wantedMs: 0, residentBytes: 0, ownBytes: 0 };

interface Pending {
  readonly id: string;
  /** The request as JSON. */
  readonly line: string;
  resolve(outcome: TaskOutcome): void;
  reject(error: unknown): void;
}

/** A sandbox process. It may run several tasks at a time, and none after it has died. */
export class SandboxProcess {
  readonly ended: Promise<void>;
  readonly #endNow: () => void;
  #pid: number | undefined;
  #channel: Socket | undefined;
  readonly #pending = new Map<string, Pending>();
  /** CPU milliseconds when a task began or ended last. */
  #cpuAtProgress = 0;
  #measuredAt = 0;
  #busy = 0;
  #usage = noUsage;
  #killedFor: DeathCause | undefined;
  #alive = true;
  readonly #usageOf: typeof usageOf;

  constructor(spawner: Spawner, readUsage = usageOf) {
    this.#usageOf = readUsage;
    let resolveEnded: () => void;
    this.ended = new Promise(resolve => {
      resolveEnded = resolve;
    });
    const end = (error: Error) => {
      this.#alive = false;
      this.#rejectAll(error);
      resolveEnded();
    };
    this.#endNow = spawner.start({
      onReady: (pid, channel) => this.#open(pid, channel),
      onEnd: ending => end(this.#errorOf(ending)),
      onFailure: end,
    });
  }

  get alive(): boolean {
    return this.#alive && this.#killedFor === undefined;
  }

  /** Whether it is given no further task: until it uses less memory, or because it has used much CPU time. */
  get isFull(): boolean {
    return !this.alive || this.#usage.residentBytes >= fullBytes || this.isWorn;
  }

  /** Whether the largest task may exceed what the kernel lets it use in its lifetime. */
  get isWorn(): boolean {
    return this.#usage.cpuMs > retireAfterCpuMs;
  }

  /** The share of the last moment in which it used a CPU or waited for one. */
  get busy(): number {
    return this.#busy;
  }

  /** Its own memory, as last measured. */
  get ownBytes(): number {
    return this.#usage.ownBytes;
  }

  /**
   * Runs one task. Rejects with `SandboxDied` if the process dies or is killed at a limit, and with the signal's reason
   * if aborted, which also kills the process to close its connections at once. Other tasks that run in it are rejected as well.
   */
  async run(request: Omit<TaskRequest, 'id'>, limits: TaskLimits, signal: AbortSignal): Promise<TaskOutcome> {
    signal.throwIfAborted();
    const id = randomUUID();
    const abort = () => {
      const pending = this.#pending.get(id);
      this.#pending.delete(id);
      pending?.reject(signal.reason);
      this.kill('crashed', this.#pending.size > 0);
    };
    const stopWatching = this.#watch(limits);
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await new Promise((resolve, reject) => {
        if (!this.alive) throw new SandboxDied(this.#killedFor ?? 'crashed');
        const line = `${JSON.stringify({ id, ...request })}\n`;
        this.#pending.set(id, { id, line, resolve, reject });
        this.#cpuAtProgress = this.#usage.cpuMs;
        this.#channel?.write(line);
      });
    } finally {
      this.#cpuAtProgress = this.#usage.cpuMs;
      signal.removeEventListener('abort', abort);
      stopWatching();
    }
  }

  /** Kills the process if it computes without a task. @returns a function that stops watching */
  watchIdle(): () => void {
    return this.#watch({ cpuMs: idleCpuMs, wallMs: longestTimer });
  }

  /** Kills the process; later calls do nothing. Its tasks are rejected with the cause. */
  kill(cause: DeathCause = 'crashed', isShared = this.#pending.size > 1): void {
    if (this.#killedFor) return;
    this.#killedFor = cause;
    this.#rejectAll(new SandboxDied(cause, isShared));
    this.#channel?.destroy();
    this.#endNow();
  }

  #open(pid: number, channel: Socket): void {
    channel.on('error', () => {});
    if (this.#killedFor) {
      channel.destroy();
      return;
    }
    this.#pid = pid;
    this.#channel = channel;
    readLines(channel, resultBounds, {
      onLine: line => this.#read(line),
      onTooMuch: () => this.kill('crashed'),
    });
    for (const { line } of this.#pending.values()) channel.write(line);
  }

  /** A line that is not the answer to a current task comes from a compromised process. */
  #read(line: string): void {
    // Without a task, every line is invalid, and is not parsed.
    const answer = this.#pending.size > 0 ? parseAnswer(line) : null;
    const pending = answer && this.#pending.get(answer.id);
    if (!pending) this.kill('crashed');
    else {
      this.#pending.delete(answer.id);
      pending.resolve(answer);
    }
  }

  #rejectAll(error: unknown): void {
    const all = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of all) reject(error);
  }

  #watch({ cpuMs, wallMs }: TaskLimits): () => void {
    const before = this.#measure();
    const tooLong = setTimeout(() => this.kill('took_too_long'), wallMs);
    let isOver = false;
    const watching = setInterval(async () => {
      // Of tasks that run together, each has the time since another one began or ended: only one that computes without end uses it up.
      const usedBefore = Math.max((await before).cpuMs, this.#cpuAtProgress);
      const usage = await this.#measure();
      // A late reading must not count for the next task.
      if (isOver) return;
      if (usage.cpuMs - usedBefore > cpuMs) this.kill('took_too_long');
      if (usage.residentBytes > residentBytes) this.kill('out_of_memory');
    }, watchEveryMs);
    return () => {
      isOver = true;
      clearTimeout(tooLong);
      clearInterval(watching);
    };
  }

  async #measure(): Promise<Usage> {
    // Tasks that run together share readings.
    const elapsedMs = performance.now() - this.#measuredAt;
    if (this.#pending.size > 1 && elapsedMs < watchEveryMs / 2) return this.#usage;
    this.#measuredAt += elapsedMs;
    const usage = this.#pid === undefined ? undefined : await this.#usageOf(this.#pid);
    if (usage) {
      if (elapsedMs > 0) this.#busy = Math.max(0, usage.wantedMs - this.#usage.wantedMs) / elapsedMs;
      this.#usage = usage;
    }
    return this.#usage;
  }

  #errorOf(ending: Ending): Error {
    if (!this.#killedFor && ending.stderr.endsWith(notWithheld))
      return new Error(
        'a sandbox process did not start: this release of Node.js lacks an API that the sandbox removes',
      );
    return new SandboxDied(this.#killedFor ?? this.#causeOfDeath(ending), this.#pending.size > 1);
  }

  #causeOfDeath({ signal, stderr }: Ending): DeathCause {
    if (/out of memory|allocation failed/i.test(stderr)) return 'out_of_memory';
    // The kernel's CPU time limit (`lifetimeCpuSeconds`).
    if (signal === 'SIGXCPU') return 'took_too_long';
    // The service did not send it: the kernel kills the largest process when the machine is out of memory.
    const isKernels = signal === 'SIGKILL';
    return isKernels && this.#usage.residentBytes > residentBytes / 2 ? 'out_of_memory' : 'crashed';
  }
}

function parseAnswer(line: string): TaskAnswer | null {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
