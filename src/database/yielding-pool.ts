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

/**
 * A pool that manages with the connections it has if PostgreSQL permits no more: calls wait for one of them. For a while it
 * opens none, so that other nodes get those that become free. Only a pool without any connection rejects.
 */
export class YieldingPool extends pg.Pool {
  readonly #most: number;
  readonly #yieldMs: number;
  readonly #listener: YieldListener;
  readonly #opened = new WeakSet<object>();
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
      if (this.#capacity === this.#most) return;
      if (!this.#timer) return this.#countOn(this.#usable + 1);
      // It was being opened when others failed.
      this.options.max = Math.max(this.options.max, this.#usable);
      this.#countOn(this.options.max);
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
  #connect(connected: Connected): void {
    super.connect((error, client, done) => {
      if (error && codeOf(error) === tooManyConnections && this.#usable > 0) {
        this.#yield(error);
        this.#connect(connected);
        return;
      }
      connected(error, client, done);
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

  #yield(error: Error): void {
    this.options.max = this.#usable;
    this.#countOn(this.#usable);
    if (this.#timer) return;
    this.#listener.onYield(this.#usable, error);
    this.#timer = setTimeout(() => {
      this.options.max = this.#most;
      this.#timer = undefined;
      // One more, until it is open: calls that count on more would wait for each other if PostgreSQL still permits none.
      this.#countOn(this.#usable + 1);
    }, this.#yieldMs).unref();
  }

  #countOn(connections: number): void {
    const capacity = Math.min(connections, this.#most);
    if (capacity === this.#capacity) return;
    this.#capacity = capacity;
    this.#listener.onCapacity?.(capacity);
  }
}
