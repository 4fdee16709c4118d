import cluster from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Child } from './child.ts';
import type { ConnectionsOfAll } from './connections-of-all.ts';
import type { Part } from './part.ts';

/** Milliseconds before a process that ended is replaced: doubled with each end within `steadyMs`. */
const [firstMs, mostMs, steadyMs] = [500, 30_000, 60_000];

/** In milliseconds. */
interface TimeLimits {
  /** After which a process that is not ready has failed to start. */
  readonly startMs: number;
  /** After which a replaced process is killed, even if it still sends a long download. */
  readonly drainMs: number;
}

const usualLimits: TimeLimits = { startMs: 120_000, drainMs: 900_000 };

/** The place of one process. */
interface Place {
  readonly part: Part;
  /** Undefined until it is replaced. */
  child: Child | undefined;
  ends: number;
}

interface Hooks {
  readonly connections: ConnectionsOfAll;
  readonly logger: Logger;
  /** Called with each process that has ended. */
  readonly onEnded: (child: Child) => void;
}

/** Keeps the processes of the service running. */
export class Supervisor {
  readonly #places: readonly Place[];
  readonly #hooks: Hooks;
  readonly #limits: TimeLimits;
  /** All processes, also those that start or end. */
  readonly #children = new Set<Child>();
  readonly #stopping = new AbortController();
  #isRestarting = false;

  constructor(parts: readonly Part[], hooks: Hooks, limits = usualLimits) {
    this.#places = parts.map(part => ({ part, child: undefined, ends: 0 }));
    this.#hooks = hooks;
    this.#limits = limits;
    // The kernel alone would give most keep-alive connections to one process (docs/decisions).
    cluster.schedulingPolicy = cluster.SCHED_RR;
  }

  get children(): readonly Child[] {
    return [...this.#children];
  }

  /** Whether a process answers requests. */
  get isReady(): boolean {
    return this.#places.some(({ part, child }) => part.role === 'api' && child !== undefined);
  }

  /** Starts all processes. Rejects with the error of the first that fails; then none is left. */
  async start(): Promise<void> {
    const starts = this.#places.map(place => this.#start(place));
    try {
      await Promise.all(starts);
    } catch (error) {
      await this.stop(0);
      await Promise.allSettled(starts);
      throw error;
    }
  }

  /**
   * Replaces all processes, one after another: starts the new one, then lets the old one finish its requests and jobs. If a new one
   * fails to start, the old ones stay.
   */
  async restart(): Promise<void> {
    const { logger } = this.#hooks;
    if (this.#isRestarting || this.#stopping.signal.aborted) {
      logger.warn({ reason: 'a restart is running, or the service stops' }, 'restart.ignored');
      return;
    }
    this.#isRestarting = true;
    logger.info('restart.started');
    try {
      for (const place of this.#places) {
        const old = place.child;
        await this.#start(place);
        await old?.drain(this.#limits.drainMs);
        if (this.#stopping.signal.aborted) return;
      }
      logger.info('restart.finished');
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      logger.error({ reason: (error as Error).message }, 'restart.failed');
    } finally {
      this.#isRestarting = false;
    }
  }

  /** Lets all processes finish, for at most these milliseconds. */
  async stop(longestMs: number): Promise<void> {
    this.#stopping.abort();
    const late = setTimeout(() => this.kill(), longestMs);
    for (const child of this.#children) child.stop();
    await Promise.all([...this.#children].map(({ ended }) => ended));
    clearTimeout(late);
  }

  /** Ends all processes at once. */
  kill(): void {
    for (const child of this.#children) child.kill();
  }

  async #start(place: Place): Promise<void> {
    const { connections, onEnded } = this.#hooks;
    const { child, ready } = Child.start(place.part, connections, this.#limits.startMs);
    const startedAt = performance.now();
    this.#children.add(child);
    void child.ended.then(how => {
      this.#children.delete(child);
      onEnded(child);
      if (place.child !== child) return;
      place.child = undefined;
      if (this.#stopping.signal.aborted) return;
      if (performance.now() - startedAt > steadyMs) place.ends = 0;
      this.#hooks.logger.error({ role: place.part.role, process: child.pid, how }, 'process.ended');
      void this.#replace(place);
    });
    const before = place.child;
    await ready;
    // It may not have received the command while it loaded.
    if (this.#stopping.signal.aborted) child.stop();
    this.#stopping.signal.throwIfAborted();
    // The one before ended meanwhile, and was replaced already.
    if (place.child && place.child !== before) void child.drain(this.#limits.drainMs);
    else place.child = child;
  }

  /** Tries until it succeeds. */
  async #replace(place: Place): Promise<void> {
    const { signal } = this.#stopping;
    while (!place.child) {
      const wait = Math.min(mostMs, firstMs * 2 ** Math.min(place.ends, 10));
      place.ends += 1;
      await pause(wait, undefined, { signal }).catch(() => {});
      if (signal.aborted || place.child) return;
      try {
        await this.#start(place);
        this.#hooks.logger.info({ role: place.part.role, process: place.child!.pid }, 'process.replaced');
      } catch (error) {
        if (signal.aborted) return;
        this.#hooks.logger.error({ reason: (error as Error).message }, 'process.failed');
      }
    }
  }
}
