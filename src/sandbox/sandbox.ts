import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { installedFile } from '../domain/installed-file.ts';
import { Permits } from '../domain/permits.ts';
import { Refusal } from '../domain/refusal.ts';
import { SandboxDied } from './died.ts';
import { backgroundNice, idleMs, queueMs, reuseWithinMs, shareMs, watchEveryMs } from './limits.ts';
import { hasRoomBeside, usedBytes, victimOf } from './memory.ts';
import { SandboxProcess } from './process.ts';
import { ProcessQueue } from './process-queue.ts';
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

const isClosed = () => new Error('the sandbox is closed');

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
  /** Tasks of each process that may run several, and when it began. */
  readonly #shared = new Map<SandboxProcess, { readonly tasks: number; readonly since: number }>();
  readonly #queue = new ProcessQueue();
  #tasksEnded = 0;
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
   * @throws SandboxDied if a process died, or was killed at a limit, that ran only this task; the signal's reason if aborted; any other error
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
          if (error.deathCause === 'out_of_memory' && this.#running.size > 0)
            await this.#aTaskEnds(organizationId, signal);
        }
      }
    });
  }

  /** CPU time that its processes use or wait for, as a share of what the CPUs have. */
  get demand(): number {
    return [...this.#running.keys()].reduce((sum, { busy }) => sum + busy, 0) / cpus;
  }

  /** Tasks that wait for a place or a process. */
  get waiting(): number {
    return this.#places.waiting + this.#queue.length;
  }

  get #all(): SandboxProcess[] {
    return [...this.#running.keys(), ...this.#idle.map(({ process }) => process)];
  }

  /** Ends all processes and rejects their tasks. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#watch);
    this.#queue.close(isClosed());
    const processes = this.#all;
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
        this.#options.log('sandbox.died', { task, organization_id: organizationId, cause: error.deathCause });
      }
      throw error;
    } finally {
      const shared = this.#shared.get(process);
      if (shared && shared.tasks > 1) this.#shared.set(process, { ...shared, tasks: shared.tasks - 1 });
      else {
        this.#running.delete(process);
        this.#shared.delete(process);
        this.#keep(process, organizationId, hasCredential(input));
      }
      this.#tasksEnded += 1;
      this.#queue.wake();
    }
  }

  #resultOf<Name extends TaskName>(task: Name, answer: TaskOutcome): Tasks[Name]['result'] {
    if ('result' in answer && isResultOf(task, answer.result)) return answer.result;
    const fault = 'fault' in answer ? faultOf(answer.fault) : ['not a result'];
    this.#options.log('sandbox.fault', { task, reason: fault });
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
  #shareOf(organizationId: string, signal: AbortSignal): Promise<SandboxProcess> {
    return this.#find(organizationId, signal, () => {
      const process = this.#idleOf(organizationId) ?? this.#shareNow(organizationId);
      if (!process) return undefined;
      const { tasks, since } = this.#shared.get(process) ?? { tasks: 0, since: performance.now() };
      this.#shared.set(process, { tasks: tasks + 1, since });
      return process;
    });
  }

  #shareNow(organizationId: string): SandboxProcess | undefined {
    const { processes, tasksPerProcess = 1 } = this.#options;
    const own = [...this.#shared].filter(([process]) => this.#running.get(process) === organizationId);
    // Its tasks must all end for others to have it.
    const oldest = this.#isAnotherWithout(organizationId) ? performance.now() - shareMs : 0;
    const [least] = own
      .filter(([{ isFull }, { tasks, since }]) => !isFull && tasks < tasksPerProcess && since >= oldest)
      .sort(([, one], [, other]) => one.tasks - other.tasks);
    const isSpread = own.length >= cpus || this.#running.size >= processes / 2;
    if (isSpread && least) return least[0];
    return this.#hasRoom(organizationId) ? this.#create(organizationId) : least?.[0];
  }

  /** A new process, once there is room. */
  #start(organizationId: string, signal: AbortSignal, isRetry = false): Promise<SandboxProcess> {
    return this.#find(organizationId, signal, () =>
      this.#hasRoom(organizationId, isRetry) ? this.#create(organizationId) : undefined,
    );
  }

  async #find(
    organizationId: string,
    signal: AbortSignal,
    find: () => SandboxProcess | undefined,
  ): Promise<SandboxProcess> {
    if (this.#closed) throw isClosed();
    return find() ?? this.#queue.wait(organizationId, signal, find);
  }

  async #aTaskEnds(organizationId: string, signal: AbortSignal): Promise<void> {
    const before = this.#tasksEnded;
    await this.#queue.wait(organizationId, signal, () => (this.#tasksEnded > before ? {} : undefined));
  }

  /** Whether an organization without a process waits for one. */
  #isAnotherWithout(organizationId: string): boolean {
    return this.#queue.hasOther(new Set([...this.#running.values(), organizationId]));
  }

  /**
   * Whether the organization may have another process, which may replace idle ones. One that has a process leaves some to those without.
   * A task that runs again leaves half, if its organization has half.
   */
  #hasRoom(organizationId: string, isRetry = false): boolean {
    const own = [...this.#running.values()].filter(each => each === organizationId).length;
    if (own > 0 && this.#isAnotherWithout(organizationId)) return false;
    const half = Math.floor(this.#options.processes / 2);
    const kept = own === 0 ? 0 : isRetry && own >= half ? half : this.#kept;
    if (!hasRoomBeside([...this.#running.keys()], 1 + kept, this.#options)) return false;
    while (!hasRoomBeside(this.#all, 1, this.#options)) this.#end(this.#idle[0]);
    return true;
  }

  #create(organizationId: string): SandboxProcess {
    const process = new SandboxProcess(this.#spawner);
    this.#running.set(process, organizationId);
    return process;
  }

  /** Idle processes end first. The tasks of others run again: each is within its own limit. */
  #keepWithin(bytes: number): void {
    const isOver = () => usedBytes(this.#all) > bytes;
    while (this.#idle.length > 0 && isOver()) this.#end(this.#idle[0]);
    if (isOver())
      victimOf(this.#running, this.#shared)?.kill('out_of_memory', this.#running.size > 1 || undefined);
    this.#queue.wake();
  }

  #keep(process: SandboxProcess, organizationId: string, hadCredential: boolean): void {
    if (!process.alive) return;
    if (hadCredential || this.#closed || process.isWorn) {
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
