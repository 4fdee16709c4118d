import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { DeathCause } from '../contract/causes.ts';
import { SandboxDied } from './died.ts';
import { idleCpuMs, residentBytes, resultBounds, type TaskLimits, watchEveryMs } from './limits.ts';
import { readLines } from './read-lines.ts';
import type { Ending, Spawner } from './spawner.ts';
import type { TaskAnswer, TaskOutcome, TaskRequest } from './tasks.ts';
import { type Usage, usageOf } from './usage.ts';
import { notWithheld } from './withheld.ts';

/** In milliseconds. */
const longestTimer = 2 ** 31 - 1;

const noUsage: Usage = { cpuMs: 0, residentBytes: 0 };

interface Pending {
  readonly id: string;
  /** The request as JSON. */
  readonly line: string;
  resolve(outcome: TaskOutcome): void;
  reject(error: unknown): void;
}

/** A sandbox process. It runs one task at a time, and none after it has died. */
export class SandboxProcess {
  readonly ended: Promise<void>;
  readonly #endNow: () => void;
  #pid: number | undefined;
  #channel: Socket | undefined;
  #pending: Pending | undefined;
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
      this.#settle(pending => pending.reject(error));
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

  /** CPU milliseconds used so far, as last measured. */
  get cpuMs(): number {
    return this.#usage.cpuMs;
  }

  /**
   * Runs one task. Rejects with `SandboxDied` if the process dies or is killed at a limit, and with the signal's reason
   * if aborted, which also kills the process to close its connections at once.
   */
  async run(request: Omit<TaskRequest, 'id'>, limits: TaskLimits, signal: AbortSignal): Promise<TaskOutcome> {
    signal.throwIfAborted();
    const abort = () => {
      this.#settle(pending => pending.reject(signal.reason));
      this.kill('crashed');
    };
    const stopWatching = this.#watch(limits);
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await new Promise((resolve, reject) => {
        if (!this.alive) throw new SandboxDied(this.#killedFor ?? 'crashed');
        const id = randomUUID();
        this.#pending = { id, line: `${JSON.stringify({ id, ...request })}\n`, resolve, reject };
        this.#channel?.write(this.#pending.line);
      });
    } finally {
      signal.removeEventListener('abort', abort);
      stopWatching();
    }
  }

  /** Kills the process if it computes without a task. @returns a function that stops watching */
  watchIdle(): () => void {
    return this.#watch({ cpuMs: idleCpuMs, wallMs: longestTimer });
  }

  /** Kills the process; later calls do nothing. Its task is rejected with the cause. */
  kill(cause: DeathCause = 'crashed'): void {
    if (this.#killedFor) return;
    this.#killedFor = cause;
    this.#settle(pending => pending.reject(new SandboxDied(cause)));
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
    if (this.#pending) channel.write(this.#pending.line);
  }

  /** A line that is not the answer to the current task comes from a compromised process. */
  #read(line: string): void {
    const pending = this.#pending;
    // Without a task, every line is invalid: an answer without an id would equal the missing id.
    const answer = pending && parseAnswer(line);
    if (answer && answer.id === pending?.id) this.#settle(({ resolve }) => resolve(answer));
    else this.kill('crashed');
  }

  #settle(settle: (pending: Pending) => void): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending) settle(pending);
  }

  #watch({ cpuMs, wallMs }: TaskLimits): () => void {
    const before = this.#measure();
    const tooLong = setTimeout(() => this.kill('took_too_long'), wallMs);
    let isOver = false;
    const watching = setInterval(async () => {
      const usedBefore = (await before).cpuMs;
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
    const usage = this.#pid === undefined ? undefined : await this.#usageOf(this.#pid);
    if (usage) this.#usage = usage;
    return this.#usage;
  }

  #errorOf(ending: Ending): Error {
    if (!this.#killedFor && ending.stderr.endsWith(notWithheld))
      return new Error(
        'a sandbox process did not start: this release of Node.js lacks an API that the sandbox removes',
      );
    return new SandboxDied(this.#killedFor ?? this.#causeOfDeath(ending));
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
