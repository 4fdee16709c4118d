import pg from 'pg';
import { codeOf, tooManyConnections } from './error-codes.ts';

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

export interface YieldListener {
  /** Called with the connections that a pool has, when it begins to open no more. */
  onYield(connections: number, error: Error): void;
  /** Called when its calls can count on another number of connections. */
  onCapacity?(connections: number): void;
}

/** Pauses after which a call tries again while the pool has no connection. */
const refusalPausesMs = [0, 20, 100];

/**
 * A pool that manages with the connections it has if PostgreSQL permits no more: calls wait for one of them. For a while it
 * opens none, so that other nodes get those that become free. Only a pool without any connection rejects.
 *
 * Once PostgreSQL has refused a connection, the pool opens one at a time. PostgreSQL counts a connection before it refuses it and until it
 * has ended, so of those opened together it may refuse all, although it permits some.
 */
export class YieldingPool extends pg.Pool {
  readonly #most: number;
  readonly #yieldMs: number;
  readonly #listener: YieldListener;
  readonly #opened = new WeakSet<object>();
  #opensOneAtATime = false;
  #timer: NodeJS.Timeout | undefined;
  #capacity: number;

  /** @param yieldMs milliseconds after which it tries again to open as many as it may */
  constructor(
    config: pg.PoolConfig & { readonly max: number },
    { yieldMs = 30_000, ...listener }: YieldListener & { readonly yieldMs?: number },
  ) {
    super(config);
    this.#most = config.max;
    this.#yieldMs = yieldMs;
    this.#listener = listener;
    this.#capacity = config.max;
    this.on('connect', client => {
      this.#opened.add(client);
      if (!this.#opensOneAtATime) return;
      // It was being opened when others failed.
      if (this.#timer) this.#limit(Math.max(this.options.max, this.#usable));
      else this.#openOneMore();
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(connected: Connected): void;
  override connect(connected?: Connected): Promise<pg.PoolClient> | undefined {
    if (connected) {
      this.#connect(connected);
      return undefined;
    }
    return new Promise((resolve, reject) => {
      this.#connect((error, client) => (error ? reject(error) : resolve(client!)));
    });
  }

  /** Not by `connect`, whose calls are measured. */
  #connect(connected: Connected, refusals = 0): void {
    super.connect((error, client, done) => {
      if (!error || codeOf(error) !== tooManyConnections) connected(error, client, done);
      else if (this.#usable > 0) {
        this.#yield(error);
        this.#connect(connected);
      } else if (refusals < refusalPausesMs.length) {
        if (!this.#timer) this.#openOneMore();
        setTimeout(() => this.#connect(connected, refusals + 1), refusalPausesMs[refusals]);
      } else connected(error, client, done);
    });
  }

  override async end(): Promise<void> {
    clearTimeout(this.#timer);
    await super.end();
  }

  /** Connections that were opened and not given up: those that are being opened may fail, and one to a server that is gone ends late. */
  get #usable(): number {
    const { _clients: clients } = this as unknown as { readonly _clients: readonly object[] };
    return clients.filter(client => this.#opened.has(client)).length;
  }

  /** Calls count on one more, too, until it is open: if they counted on several, they would wait for each other if PostgreSQL permits none. */
  #openOneMore(): void {
    this.#limit(this.#usable + 1);
    this.#opensOneAtATime = this.#usable < this.#most;
    // Calls that wait do not notice the new limit until a connection is released.
    const { _pulseQueue: openForNext } = this as unknown as { readonly _pulseQueue: () => void };
    process.nextTick(() => openForNext.call(this));
  }

  #yield(error: Error): void {
    this.#limit(this.#usable);
    this.#opensOneAtATime = true;
    if (this.#timer) return;
    this.#listener.onYield(this.#usable, error);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#openOneMore();
    }, this.#yieldMs).unref();
  }

  #limit(connections: number): void {
    const capacity = Math.min(connections, this.#most);
    this.options.max = capacity;
    if (capacity === this.#capacity) return;
    this.#capacity = capacity;
    this.#listener.onCapacity?.(capacity);
  }
}
