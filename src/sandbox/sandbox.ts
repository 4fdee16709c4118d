import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { installedFile } from '../domain/installed-file.ts';
import { Permits } from '../domain/permits.ts';
import { Refusal } from '../domain/refusal.ts';
import { SandboxDied } from './died.ts';
import {
  backgroundNice,
  fullBytes,
  idleMs,
  ownBytesAtStart,
  queueMs,
  retireAfterCpuMs,
  reuseWithinMs,
  watchEveryMs,
} from './limits.ts';
import { reservedBytes, usedBytes, victimOf } from './memory.ts';
import { SandboxProcess } from './process.ts';
import { isResultOf } from './results.ts';
import type { SandboxOptions, TaskOptions } from './sandbox-options.ts';
import { builtSpawner, Spawner } from './spawner.ts';
import { Successors } from './successors.ts';
import { faultOf, hasCredential, mustBeNew } from './task-rules.ts';
import type { TaskName, TaskOutcome, Tasks } from './tasks.ts';

interface Idle {
  readonly process: SandboxProcess;
  readonly organizationId: string;
  leave(): void;
}

/** Built by `npm run build`. */
const builtProgram = () => fileURLToPath(installedFile('dist/sandbox.cjs'));

const never = new AbortController().signal;

const cpus = availableParallelism();

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
  readonly #successors = new Successors();
  /** Tasks of each process that may run several. */
  readonly #shared = new Map<SandboxProcess, number>();
  /** Tasks that wait until a process ends. */
  readonly #waiting: (() => void)[] = [];
  readonly #watch: NodeJS.Timeout | undefined;
  /** Processes for organizations without one, since those of another may take long. */
  readonly #kept: number;
  #closed = false;

  constructor(options: SandboxOptions) {
    this.#options = options;
    const { tasksPerProcess = 1, memoryBytes } = options;
    this.#kept = tasksPerProcess > 1 ? Math.floor(options.processes / 4) : 0;
    if (memoryBytes !== undefined)
      this.#watch = setInterval(() => this.#keepWithin(memoryBytes), watchEveryMs).unref();
    this.#places = new Permits({
      atOnce: options.processes * tasksPerProcess,
      perHolder: (options.perOrganization ?? options.processes) * tasksPerProcess,
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
    { organizationId, limits, signal = never, canShare = false }: TaskOptions,
  ): Promise<Tasks[Name]['result']> {
    return this.#places.use({ holder: organizationId, signal }, async () => {
      const rest = { organizationId, limits, signal };
      for (let isRetry = false; ; isRetry = true) {
        const mayReuse = !isRetry && !mustBeNew(task, input);
        const process = mayReuse
          ? await this.#reusedOf(organizationId, signal, canShare)
          : await this.#start(organizationId, signal, isRetry);
        try {
          return await this.#runOn(process, task, input, rest);
        } catch (error) {
          if (!(error instanceof SandboxDied && error.isShared) || this.#closed) throw error;
          // It would only fill the memory again.
          if (error.deathCause === 'out_of_memory' && this.#running.size > 0) await this.#aTaskEnds(signal);
        }
      }
    });
  }

  /** CPU time that its processes use or wait for, as a share of what the CPUs have. */
  get demand(): number {
    return [...this.#running.keys()].reduce((sum, { busy }) => sum + busy, 0) / cpus;
  }

  /** Ends all processes and rejects their tasks. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#watch);
    for (const next of this.#waiting.splice(0)) next();
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
    { organizationId, limits, signal }: Required<Omit<TaskOptions, 'canShare'>>,
  ): Promise<Tasks[Name]['result']> {
    try {
      const request = { task, input, settings: this.#options.settings };
      return this.#resultOf(task, await process.run(request, limits, signal));
    } catch (error) {
      process.kill('crashed', true);
      if (error instanceof SandboxDied) {
        this.#options.log('sandbox.died', { task, organization: organizationId, cause: error.deathCause });
      }
      throw error;
    } finally {
      const others = (this.#shared.get(process) ?? 1) - 1;
      if (others > 0) this.#shared.set(process, others);
      else {
        this.#running.delete(process);
        this.#shared.delete(process);
        this.#keep(process, organizationId, hasCredential(input));
      }
      for (const next of this.#waiting.splice(0)) next();
    }
  }

  #resultOf<Name extends TaskName>(task: Name, answer: TaskOutcome): Tasks[Name]['result'] {
    if ('result' in answer && isResultOf(task, answer.result)) return answer.result;
    const fault = 'fault' in answer ? faultOf(answer.fault) : ['not a result'];
    this.#options.log('sandbox.fault', { task, fault });
    throw new Error(`the sandbox failed at ${task}`);
  }

  #reusedOf(organizationId: string, signal: AbortSignal, canShare: boolean): Promise<SandboxProcess> {
    return canShare && (this.#options.tasksPerProcess ?? 1) > 1
      ? this.#shareOf(organizationId, signal)
      : this.#nextOf(organizationId, signal);
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

  /** An idle process of the organization, one that finishes its task soon, or a new one. */
  async #nextOf(organizationId: string, signal: AbortSignal): Promise<SandboxProcess> {
    const idle = this.#idleOf(organizationId);
    if (idle) return idle;
    const isWorthWaiting = [...this.#running.values()].includes(organizationId);
    const withinMs = this.#options.reuseWithinMs ?? reuseWithinMs;
    const ending = isWorthWaiting ? await this.#successors.next(organizationId, signal, withinMs) : undefined;
    if (ending) return ending;
    signal.throwIfAborted();
    return this.#start(organizationId, signal);
  }

  /**
   * A process that runs several tasks. While half of the processes are free, an organization has one for each CPU before its tasks run
   * together.
   */
  async #shareOf(organizationId: string, signal: AbortSignal): Promise<SandboxProcess> {
    for (;;) {
      const process = this.#idleOf(organizationId) ?? this.#shareNow(organizationId);
      if (process) {
        // In the same turn: the next task has to count this one.
        this.#shared.set(process, (this.#shared.get(process) ?? 0) + 1);
        return process;
      }
      await this.#aTaskEnds(signal);
    }
  }

  #shareNow(organizationId: string): SandboxProcess | undefined {
    const { processes, tasksPerProcess = 1 } = this.#options;
    const own = [...this.#shared].filter(([process]) => this.#running.get(process) === organizationId);
    const [least] = own
      .filter(
        ([{ alive, residentBytes }, tasks]) => alive && tasks < tasksPerProcess && residentBytes < fullBytes,
      )
      .sort(([, one], [, other]) => one - other);
    const isSpread = own.length >= cpus || this.#running.size >= processes / 2;
    if (isSpread && least) return least[0];
    return this.#hasRoom(organizationId) ? this.#create(organizationId) : least?.[0];
  }

  /** A new process, once there is room. */
  async #start(organizationId: string, signal: AbortSignal, isRetry = false): Promise<SandboxProcess> {
    while (!this.#hasRoom(organizationId, isRetry)) await this.#aTaskEnds(signal);
    return this.#create(organizationId);
  }

  /**
   * Whether the organization may have another process, which may replace idle ones. One that has a process leaves some to those without;
   * one that has half of them, half.
   */
  #hasRoom(organizationId: string, isRetry = false): boolean {
    const { processes, memoryBytes = Number.POSITIVE_INFINITY } = this.#options;
    const own = [...this.#running.values()].filter(each => each === organizationId).length;
    const half = Math.floor(processes / 2);
    const keepFree = own === 0 ? 0 : isRetry && own >= half ? half : this.#kept;
    const running = [...this.#running.keys()];
    const fits = (others: readonly SandboxProcess[]) =>
      others.length < processes &&
      (others.length === 0 || reservedBytes(others) + ownBytesAtStart <= memoryBytes);
    if (running.length >= processes - keepFree || !fits(running)) return false;
    while (!fits([...running, ...this.#idle.map(({ process }) => process)])) this.#end(this.#idle[0]);
    return true;
  }

  #create(organizationId: string): SandboxProcess {
    if (this.#closed) throw new Error('the sandbox is closed');
    const process = new SandboxProcess(this.#spawner);
    this.#running.set(process, organizationId);
    return process;
  }

  async #aTaskEnds(signal: AbortSignal): Promise<void> {
    await new Promise<void>(resolve => {
      const wake = () => {
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#waiting.push(wake);
      signal.addEventListener('abort', wake);
    });
    signal.throwIfAborted();
    if (this.#closed) throw new Error('the sandbox is closed');
  }

  /** Idle processes end first. The tasks of others run again: each is within its own limit. */
  #keepWithin(bytes: number): void {
    const isOver = () =>
      usedBytes([...this.#running.keys(), ...this.#idle.map(({ process }) => process)]) > bytes;
    while (this.#idle.length > 0 && isOver()) this.#end(this.#idle[0]);
    if (isOver())
      victimOf(this.#running, this.#shared)?.kill('out_of_memory', this.#running.size > 1 || undefined);
  }

  #keep(process: SandboxProcess, organizationId: string, hadCredential: boolean): void {
    if (!process.alive) return;
    if (hadCredential || this.#closed || process.cpuMs > retireAfterCpuMs) {
      process.kill();
      return;
    }
    if (this.#successors.offer(process, organizationId)) {
      this.#running.set(process, organizationId);
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
