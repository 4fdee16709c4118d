import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Duplex, Readable } from 'node:stream';
import { type DeathCause, SandboxDied } from './died.ts';
import { residentBytes, resultBounds, type TaskLimits, watchEveryMs } from './limits.ts';
import { readLines } from './read-lines.ts';
import { spawnSandbox } from './spawn.ts';
import type { TaskAnswer, TaskOutcome, TaskRequest } from './tasks.ts';
import { type Usage, usageOf } from './usage.ts';

const noUsage: Usage = { cpuMs: 0, residentBytes: 0 };

/** Characters of what it writes to its standard error that are kept, to tell how it died. Never logged. */
const lastWords = 4_096;

interface Pending {
  readonly id: string;
  resolve(outcome: TaskOutcome): void;
  reject(error: unknown): void;
}

/** One sandbox process. It does one task at a time, and none after it has died. */
export class SandboxProcess {
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  readonly #channel: Duplex;
  #pending: Pending | undefined;
  #stderr = '';
  #usage = noUsage;
  #killedFor: DeathCause | undefined;
  #alive = true;

  /** @param program path of the JavaScript that it runs */
  constructor(program: string) {
    this.#child = spawnSandbox(program);
    this.#channel = this.#child.stdio[3] as Duplex;
    this.#channel.on('error', () => {});
    (this.#child.stderr as Readable).setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-lastWords);
    });
    readLines(this.#channel, resultBounds, {
      onLine: line => this.#read(line),
      onTooMuch: () => this.kill('crashed'),
    });
    this.ended = new Promise(resolve => {
      const onEnd = () => {
        if (!this.#alive) return;
        this.#alive = false;
        this.#settle(pending => pending.reject(new SandboxDied(this.#causeOfDeath())));
        resolve();
      };
      this.#child.once('close', onEnd).once('error', onEnd);
    });
  }

  get alive(): boolean {
    return this.#alive && this.#killedFor === undefined;
  }

  /** CPU milliseconds used so far, as of the end of the last task. */
  get cpuMs(): number {
    return this.#usage.cpuMs;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /**
   * Does one task. Rejects with `SandboxDied` when the process dies or has to be killed at a limit, and with the signal's
   * reason when aborted, which kills it too: a target is let go of at once.
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
        if (!this.alive) throw new SandboxDied(this.#causeOfDeath());
        const id = randomUUID();
        this.#pending = { id, resolve, reject };
        this.#channel.write(`${JSON.stringify({ id, ...request })}\n`);
      });
    } finally {
      signal.removeEventListener('abort', abort);
      stopWatching();
    }
  }

  /** Ends the process at once. What it is working on rejects with the cause. */
  kill(cause: DeathCause): void {
    this.#killedFor ??= cause;
    this.#child.kill('SIGKILL');
  }

  /** What nobody has asked for, or what does not answer the task, comes from a process that is no longer ours. */
  #read(line: string): void {
    const answer = parseAnswer(line);
    if (answer && answer.id === this.#pending?.id) this.#settle(pending => pending.resolve(answer));
    else this.kill('crashed');
  }

  #settle(settle: (pending: Pending) => void): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending) settle(pending);
  }

  #watch({ cpuMs, wallMs }: TaskLimits): () => void {
    const before = this.#usage.cpuMs;
    const tooLong = setTimeout(() => this.kill('took_too_long'), wallMs);
    const watching = setInterval(async () => {
      const usage = await usageOf(this.#child.pid!);
      if (!usage) return;
      this.#usage = usage;
      if (usage.cpuMs - before > cpuMs) this.kill('took_too_long');
      if (usage.residentBytes > residentBytes) this.kill('out_of_memory');
    }, watchEveryMs);
    return () => {
      clearTimeout(tooLong);
      clearInterval(watching);
    };
  }

  #causeOfDeath(): DeathCause {
    if (this.#killedFor) return this.#killedFor;
    if (/out of memory|allocation failed/i.test(this.#stderr)) return 'out_of_memory';
    // Nobody here sent it: the kernel takes the largest process when the machine has no memory left.
    const isKernels = this.#child.signalCode === 'SIGKILL';
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
