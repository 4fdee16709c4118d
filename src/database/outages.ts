import type pg from 'pg';
import { type Failure, tooManyConnections } from './error-codes.ts';

/**
 * The database refuses connections, closed one, or does not respond. Whether a transaction that was
 * committing took effect is unknown. `cause` is the driver's error.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';

  constructor(cause: unknown) {
    super(`the database is not available: ${reasonOf(cause as Failure)}`, { cause });
  }
}

/** Seconds after which a request that failed because of it may be retried. */
export const retryAfterSeconds = 5;

/**
 * Milliseconds between checks whether the database is available, and without a failure before it counts as available.
 */
const checkMs = 1_000;

/**
 * PostgreSQL: connection exceptions, refused logins, a missing database, too many connections, shutdowns, and a server that has become a
 * standby, as no statement of ours writes in a read-only transaction.
 * System and TLS: any socket error.
 */
const codes =
  /^(?:08...|28...|3D000|25006|53300|57P0\d|E(?!RR)[A-Z]+(?:_[A-Z]+)?|(?:ERR_(?:SSL|TLS)|CERT|SELF_SIGNED|UNABLE_TO|DEPTH_ZERO|HOSTNAME)_\w+)$/;

/** Errors of the driver and the job queue without a code. */
const messages =
  /^(?:Connection terminated|Client (?:was closed|has encountered a connection error)|Query read timeout|timeout (?:expired|exceeded when trying to connect)|The server does not support SSL|LISTEN\/NOTIFY (?:connection|heartbeat)|the database is not available)/;

/** Whether the driver failed because of the connection. System codes mean an outage only in errors of the driver. */
export function isOutage(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return typeof code === 'string' ? codes.test(code) : messages.test(String(message));
}

function reasonOf({ message, code }: Failure): string {
  const remedy = code === tooManyConnections ? `: ${raiseConnections}` : '';
  return `${message}${remedy}`;
}

/** What helps a node that gets no connection. */
const raiseConnections =
  'raise max_connections of PostgreSQL, or lower PARAPET_DATABASE_CONNECTIONS of the nodes (docs/postgresql.md)';

export interface OutageListener {
  /** Called on the first failure. */
  began(reason: string): void;
  /** Called when the database is available again. */
  ended(outage: { readonly seconds: number; readonly failedRequests: number }): void;
}

interface Outage {
  readonly since: number;
  lastFailure: number;
  failedRequests: number;
}

/** Detects when the database becomes unavailable and available, and reports each once instead of per query. */
export class Outages {
  readonly #ping: () => Promise<void>;
  readonly #listener: OutageListener;
  #current: Outage | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** @param ping rejects while the database is unavailable, through a watched pool */
  constructor(ping: () => Promise<void>, listener: OutageListener) {
    this.#ping = ping;
    this.#listener = listener;
  }

  /** Makes failures of the pool's connections reject with `DatabaseUnavailable` if the database caused them. */
  watch(pool: pg.Pool): pg.Pool {
    const watched = <Call extends (...given: never[]) => unknown>(call: Call) =>
      ((...given) => {
        const result = call(...given);
        if (!(result instanceof Promise)) return result;
        return result.catch(error => {
          throw this.translate(error);
        });
      }) as Call;
    pool.connect = watched(pool.connect.bind(pool));
    pool.query = watched(pool.query.bind(pool));
    pool.on('connect', client => {
      client.query = watched(client.query.bind(client));
    });
    return pool;
  }

  /** `DatabaseUnavailable` for an error of the driver that is due to an outage, which is then reported; other errors as they are. */
  translate<E>(error: E): E | DatabaseUnavailable {
    return this.covers(error) ? new DatabaseUnavailable(error) : error;
  }

  /** Whether an error of the driver is due to an outage, which is then reported. */
  covers(error: unknown): boolean {
    if (!isOutage(error)) return false;
    const now = performance.now();
    if (this.#current) this.#current.lastFailure = now;
    else if (!this.#isClosed) {
      this.#current = { since: now, lastFailure: now, failedRequests: 0 };
      this.#listener.began(reasonOf(error as Failure));
      this.#checkLater();
    }
    return true;
  }

  /** Whether a request failed because of an outage, which is reported once for all such requests. */
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
