import type pg from 'pg';

/** Connections of one purpose. */
export interface PoolUse {
  readonly pool: string;
  readonly used: number;
  readonly idle: number;
  /** Calls that wait for a connection. */
  readonly waiting: number;
  /** Calls that have waited, and for how long in total. */
  readonly waits: number;
  readonly waitedSeconds: number;
  /** How long the call has waited that waits longest; 0 if none does. */
  readonly longestWaitSeconds: number;
}

/** Measures how long calls wait for a connection of a pool. A call that finds one costs nothing. */
export class PoolMeter {
  readonly #name: string;
  readonly #pool: pg.Pool;
  #waits = 0;
  #waitedMs = 0;
  /** When each call began to wait that still does, in order. */
  readonly #waiting = new Set<{ readonly since: number }>();

  constructor(name: string, pool: pg.Pool) {
    this.#name = name;
    this.#pool = pool;
    const connect = pool.connect.bind(pool) as (...given: unknown[]) => unknown;
    pool.connect = ((onConnected?: (...given: unknown[]) => void) => {
      if (pool.idleCount > pool.waitingCount) return onConnected ? connect(onConnected) : connect();
      const wait = { since: performance.now() };
      this.#waiting.add(wait);
      if (!onConnected) return (connect() as Promise<unknown>).finally(() => this.#count(wait));
      return connect((...given: unknown[]) => {
        this.#count(wait);
        onConnected(...given);
      });
    }) as typeof pool.connect;
  }

  get use(): PoolUse {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    const [longest] = this.#waiting;
    return {
      pool: this.#name,
      used: totalCount - idleCount,
      idle: idleCount,
      waiting: waitingCount,
      waits: this.#waits,
      waitedSeconds: this.#waitedMs / 1_000,
      longestWaitSeconds: longest ? (performance.now() - longest.since) / 1_000 : 0,
    };
  }

  #count(wait: { readonly since: number }): void {
    this.#waiting.delete(wait);
    this.#waits += 1;
    this.#waitedMs += performance.now() - wait.since;
  }
}
