import type pg from 'pg';

/**
 * The database refuses connections, has ended one, or does not answer. Whether a transaction whose commit was under way
 * took effect is unknown. `cause` is what the driver said.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';

  constructor(cause: unknown) {
    super('the database is not available', { cause });
  }
}

/** Seconds after which a request that has failed for it may be worth another try. */
export const retryAfterSeconds = 5;

/** Milliseconds between two checks whether the database is back, and without a failure before it counts as back. */
const checkMs = 1_000;

/**
 * Of PostgreSQL: connection exceptions, refused log-ins, a missing database, too many connections, and shutdowns. Of the
 * system and of TLS: whatever a socket fails with.
 */
const codes =
  /^(?:08...|28...|3D000|53300|57P0\d|E(?!RR)[A-Z]+(?:_[A-Z]+)?|(?:ERR_(?:SSL|TLS)|CERT|SELF_SIGNED|UNABLE_TO|DEPTH_ZERO|HOSTNAME)_\w+)$/;

/** Of the driver and the job queue, where there is no code. */
const messages =
  /^(?:Connection terminated|Client (?:was closed|has encountered a connection error)|Query read timeout|timeout exceeded when trying to connect|The server does not support SSL|LISTEN\/NOTIFY (?:connection|heartbeat)|the database is not available)/;

/** Whether the driver has failed because of the connection. Codes of the system tell so only of errors that come from the driver. */
function isOutage(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return typeof code === 'string' ? codes.test(code) : messages.test(String(message));
}

export interface OutageListener {
  /** Called with the first failure. */
  began(reason: string): void;
  /** Called once the database answers again. */
  ended(outage: { readonly seconds: number; readonly failedRequests: number }): void;
}

interface Outage {
  readonly since: number;
  lastFailure: number;
  failedRequests: number;
}

/** Notices when the database goes away and when it is back, so that each is told once, and not for every query. */
export class Outages {
  readonly #ping: () => Promise<void>;
  readonly #listener: OutageListener;
  #current: Outage | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** @param ping rejects while the database does not answer, by a pool that is watched */
  constructor(ping: () => Promise<void>, listener: OutageListener) {
    this.#ping = ping;
    this.#listener = listener;
  }

  /** Has what fails over the pool's connections reject with `DatabaseUnavailable` where it failed for the database. */
  watch(pool: pg.Pool): pg.Pool {
    const watched = <Call extends (...given: never[]) => unknown>(call: Call) =>
      ((...given) => {
        const result = call(...given);
        if (!(result instanceof Promise)) return result;
        return result.catch(error => {
          throw this.covers(error) ? new DatabaseUnavailable(error) : error;
        });
      }) as Call;
    pool.connect = watched(pool.connect.bind(pool));
    pool.query = watched(pool.query.bind(pool));
    pool.on('connect', client => {
      client.query = watched(client.query.bind(client));
    });
    return pool;
  }

  /** Whether an error of the driver is one of an outage, which is then told. */
  covers(error: unknown): boolean {
    if (!isOutage(error)) return false;
    const now = performance.now();
    if (this.#current) this.#current.lastFailure = now;
    else if (!this.#isClosed) {
      this.#current = { since: now, lastFailure: now, failedRequests: 0 };
      this.#listener.began(String((error as Partial<Error>).message));
      this.#checkLater();
    }
    return true;
  }

  /** Whether a request has failed for an outage, which is then told of all of them together. */
  countsRequest(error: unknown, waited: boolean): boolean {
    const isCounted = error instanceof DatabaseUnavailable || (waited && this.#current !== undefined);
    if (isCounted && this.#current) this.#current.failedRequests += 1;
    return isCounted;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #checkLater(): void {
    this.#timer = setTimeout(() => void this.#check(), checkMs).unref();
  }

  async #check(): Promise<void> {
    const isBack = await this.#ping().then(
      () => true,
      () => false,
    );
    if (this.#isClosed) return;
    const { since, lastFailure, failedRequests } = this.#current!;
    if (!isBack || performance.now() - lastFailure < checkMs) {
      this.#checkLater();
      return;
    }
    this.#current = undefined;
    this.#listener.ended({ seconds: Math.round((lastFailure - since) / 100) / 10, failedRequests });
  }
}
