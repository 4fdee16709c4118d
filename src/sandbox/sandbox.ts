import { fileURLToPath } from 'node:url';
import { installedFile } from '../domain/installed-file.ts';
import { Permits } from '../domain/permits.ts';
import { Refusal } from '../domain/refusal.ts';
import { SandboxDied } from './died.ts';
import {
  backgroundNice,
  idleMs,
  queueMs,
  retireAfterCpuMs,
  reuseWithinMs,
  type TaskLimits,
} from './limits.ts';
import { SandboxProcess } from './process.ts';
import { isResultOf } from './results.ts';
import { builtSpawner, Spawner, type SpawnerProgram } from './spawner.ts';
import type { ReachSettings, TaskName, TaskOutcome, Tasks } from './tasks.ts';

interface SandboxOptions {
  readonly settings: ReachSettings;
  /** Maximum number of processes, and of concurrent tasks. */
  readonly processes: number;
  /**
   * Maximum number of concurrent tasks per organization: its targets may be slow, and others wait for the same
   * processes.
   */
  readonly perOrganization?: number;
  /** Processes reserved for organizations without a running task. Default 0. */
  readonly reserved?: number;
  /** How long a process without a task is kept, in milliseconds. */
  readonly idleMs?: number;
  /** How long a task waits for a process that it can reuse, in milliseconds. */
  readonly reuseWithinMs?: number;
  /** No person waits for its tasks: they run at a low priority. */
  readonly isBackground?: boolean;
  readonly log: (event: string, fields: object) => void;
  /** Path of a different program, for tests. */
  readonly program?: string;
  /** A different spawner, with its own program. */
  readonly spawner?: SpawnerProgram;
}

interface TaskOptions {
  readonly organizationId: string;
  readonly limits: TaskLimits;
  /** Kills the process when aborted. */
  readonly signal?: AbortSignal;
}

/** A task with a permit that waits to reuse a running process instead of starting a new one. */
interface Successor {
  readonly organizationId: string;
  take(process: SandboxProcess): void;
}

interface Idle {
  readonly process: SandboxProcess;
  readonly organizationId: string;
  leave(): void;
}

/** Built by `npm run build`. */
const builtProgram = () => fileURLToPath(installedFile('dist/sandbox.cjs'));

const never = new AbortController().signal;

/**
 * Runs all code that reads target data in separate processes, which can do nothing but connect to targets. They are
 * started when needed, reused for the same organization, and end when idle. A task with a credential gets a new
 * process, which runs no other task: what one target has made of a process must not reach another's credential.
 */
export class Sandbox {
  readonly #options: SandboxOptions;
  readonly #spawner: Spawner;
  readonly #places: Permits;
  readonly #running = new Map<SandboxProcess, string>();
  readonly #idle: Idle[] = [];
  readonly #successors: Successor[] = [];
  #closed = false;

  constructor(options: SandboxOptions) {
    this.#options = options;
    this.#places = new Permits({
      atOnce: options.processes,
      perHolder: options.perOrganization ?? options.processes,
      reserved: options.reserved ?? 0,
      waitingPerHolder: Number.POSITIVE_INFINITY,
      longestWaitMs: queueMs,
      refusal: () => new Refusal('request_failed', {}, { cause: 'no sandbox process was free in time' }),
    });
    const spawner = options.spawner ?? builtSpawner(options.program ?? builtProgram());
    this.#spawner = new Spawner(spawner, options.isBackground ? backgroundNice : 0);
  }

  /**
   * Runs a task.
   *
   * @throws SandboxDied if its process died or was killed at a limit; the signal's reason if aborted; any other error
   * is a bug
   */
  async run<Name extends TaskName>(
    task: Name,
    input: Tasks[Name]['input'],
    { organizationId, limits, signal = never }: TaskOptions,
  ): Promise<Tasks[Name]['result']> {
    return this.#places.use({ holder: organizationId, signal }, async () => {
      const process = mustBeNew(task, input)
        ? this.#start(organizationId)
        : (this.#idleOf(organizationId) ?? (await this.#nextOf(organizationId, signal)));
      return this.#runOn(process, task, input, { organizationId, limits, signal });
    });
  }

  /** Ends all processes and rejects their tasks. */
  async close(): Promise<void> {
    this.#closed = true;
    const processes = [...this.#running.keys(), ...this.#idle.map(({ process }) => process)];
    for (const idle of [...this.#idle]) this.#end(idle);
    for (const process of this.#running.keys()) process.kill();
    await this.#spawner.close();
    await Promise.all(processes.map(({ ended }) => ended));
  }

  async #runOn<Name extends TaskName>(
    process: SandboxProcess,
    task: Name,
    input: Tasks[Name]['input'],
    { organizationId, limits, signal }: Required<TaskOptions>,
  ): Promise<Tasks[Name]['result']> {
    try {
      const request = { task, input, settings: this.#options.settings };
      return this.#resultOf(task, await process.run(request, limits, signal));
    } catch (error) {
      process.kill();
      if (error instanceof SandboxDied) {
        this.#options.log('sandbox.died', { task, organization: organizationId, cause: error.deathCause });
      }
      throw error;
    } finally {
      this.#running.delete(process);
      this.#keep(process, organizationId, hasCredential(input));
    }
  }

  #resultOf<Name extends TaskName>(task: Name, answer: TaskOutcome): Tasks[Name]['result'] {
    if ('result' in answer && isResultOf(task, answer.result)) return answer.result;
    const fault = 'fault' in answer ? faultOf(answer.fault) : ['not a result'];
    this.#options.log('sandbox.fault', { task, fault });
    throw new Error(`the sandbox failed at ${task}`);
  }

  #idleOf(organizationId: string): SandboxProcess | undefined {
    const own = this.#idle.findLastIndex(idle => idle.organizationId === organizationId);
    if (own === -1) return undefined;
    const [idle] = this.#idle.splice(own, 1);
    idle!.leave();
    if (!idle!.process.alive) return undefined;
    this.#running.set(idle!.process, organizationId);
    return idle!.process;
  }

  /** A process of the organization that finishes its task soon, or a new one. */
  async #nextOf(organizationId: string, signal: AbortSignal): Promise<SandboxProcess> {
    const isWorthWaiting = [...this.#running.values()].includes(organizationId);
    const ending = isWorthWaiting ? await this.#endingOf(organizationId, signal) : undefined;
    if (ending) return ending;
    signal.throwIfAborted();
    return this.#start(organizationId);
  }

  #endingOf(organizationId: string, signal: AbortSignal): Promise<SandboxProcess | undefined> {
    return new Promise(resolve => {
      const settle = (process: SandboxProcess | undefined) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        resolve(process);
      };
      const successor: Successor = { organizationId, take: settle };
      const giveUp = () => {
        this.#successors.splice(this.#successors.indexOf(successor), 1);
        settle(undefined);
      };
      signal.addEventListener('abort', giveUp);
      const timer = setTimeout(giveUp, this.#options.reuseWithinMs ?? reuseWithinMs);
      this.#successors.push(successor);
    });
  }

  /** A new process. If all are in use, it replaces an idle process of another organization. */
  #start(organizationId: string): SandboxProcess {
    if (this.#closed) throw new Error('the sandbox is closed');
    if (this.#running.size + this.#idle.length >= this.#options.processes) this.#end(this.#idle[0]);
    const process = new SandboxProcess(this.#spawner);
    this.#running.set(process, organizationId);
    return process;
  }

  #keep(process: SandboxProcess, organizationId: string, hadCredential: boolean): void {
    if (!process.alive) return;
    if (hadCredential || this.#closed || process.cpuMs > retireAfterCpuMs) {
      process.kill();
      return;
    }
    const next = this.#successors.findIndex(successor => successor.organizationId === organizationId);
    if (next !== -1) {
      const [successor] = this.#successors.splice(next, 1);
      this.#running.set(process, organizationId);
      successor!.take(process);
      return;
    }
    const stopWatching = process.watchIdle();
    const timer = setTimeout(() => this.#end(idle), this.#options.idleMs ?? idleMs);
    const leave = () => {
      stopWatching();
      clearTimeout(timer);
    };
    const idle: Idle = { process, organizationId, leave };
    this.#idle.push(idle);
  }

  #end(idle: Idle | undefined): void {
    if (!idle) return;
    idle.leave();
    this.#idle.splice(this.#idle.indexOf(idle), 1);
    idle.process.kill();
  }
}

/**
 * A process that has read a target may be compromised by it: it must neither get the credential of another source nor
 * prove a domain, which allows full scans.
 */
function mustBeNew(task: TaskName, input: Tasks[TaskName]['input']): boolean {
  return task === 'prove_domain' || hasCredential(input);
}

function hasCredential(input: Tasks[TaskName]['input']): boolean {
  return 'source' in input && input.source.credential !== undefined;
}

/**
 * The error's name and positions in the bundled program. Anything else may be text of the target, and must not be
 * logged.
 */
function faultOf(fault: unknown): string[] {
  const isOurs = (line: unknown) =>
    typeof line === 'string' && /^(?:[A-Z][A-Za-z]{0,40}Error|\[stdin\]:\d{1,7}:\d{1,7})$/.test(line);
  return Array.isArray(fault) ? fault.slice(0, 12).filter(isOurs) : [];
}
