import pg from 'pg';
import { type Failure, noServer, readOnlyTransaction, tooManyConnections } from './error-codes.ts';
import type { Host, Hosts, ServerState } from './hosts.ts';

interface ClientSettings extends pg.ClientConfig {
  readonly hosts?: Hosts | undefined;
}

/** Timers may end a little early, in milliseconds. */
const early = 5;

/** The driver's client with what its types leave out. */
interface Driver {
  host: string;
  port: number;
  connection: pg.Connection;
  connectionParameters: object;
  _connecting: boolean;
  _connected: boolean;
  _connectionError: boolean;
  _ended: boolean;
  readonly _ending: boolean;
  _connectionTimeoutMillis: number;
  _queryable: boolean;
  readyForQuery: boolean;
  _activeQuery: unknown;
  readonly _queryQueue: unknown[];
  readonly _sentQueryQueue: unknown[];
}

/**
 * A connection to the server of several that accepts writes, or whatever `hosts` wants: it tries them until one does, and verifies the
 * certificate of each for its own name. Each gets an equal share of the time limit. A connection whose server refuses a write is closed, so
 * that no pool keeps it.
 */
export class DatabaseClient extends pg.Client {
  readonly #settings: ClientSettings;
  readonly #driver = this as unknown as Driver;

  constructor(settings: ClientSettings = {}) {
    super(settings);
    this.#settings = settings;
    // An error right after the login has no other listener yet, and would end the process.
    this.on('error', () => {});
    if (!settings.hosts) this.#watch();
  }

  override connect(callback?: unknown): never {
    const { hosts } = this.#settings;
    if (!hosts) return Reflect.apply(super.connect, this, [callback]) as never;
    const connected = this.#connectToOne(hosts);
    if (typeof callback !== 'function') return connected as never;
    connected.then(
      () => process.nextTick(callback as () => void),
      error => process.nextTick(callback as (error: Error) => void, error),
    );
    return undefined as never;
  }

  /** Closes the connection at once. Statements that wait for an answer reject. */
  drop(): void {
    this.#driver.connection.stream.destroy(new Error('Connection terminated: another server is the primary'));
  }

  /** Rejects with what each host answered, and the code of an error that says most. */
  async #connectToOne(hosts: Hosts): Promise<void> {
    const failures: Failure[] = [];
    const tries = hosts.tries();
    const silent = new Set<Host>();
    const shareMs = (this.#settings.connectionTimeoutMillis ?? 0) / tries.length;
    for (const { host, refuses, opened } of tries) {
      const since = performance.now();
      try {
        await this.#connectTo(host, shareMs);
        // A pooler may accept a login and never answer a statement.
        const left = shareMs && Math.max(1, shareMs - (performance.now() - since));
        const state = await this.#state(left);
        const mismatch = refuses(state);
        if (mismatch === undefined) {
          opened(this, state, silent);
          this.#driver.connection.once('end', () => hosts.closed(this));
          return;
        }
        failures.push({ message: `${nameOf(host)}: ${mismatch}` });
      } catch (error) {
        const { message, code } = error as Failure;
        if (shareMs > 0 && performance.now() - since >= shareMs - early) silent.add(host);
        failures.push({ message: `${nameOf(host)}: ${message || code}`, ...(code ? { code } : {}) });
      }
      if (this.#driver._ending) break;
      this.#leave();
    }
    const code = failures.some(failure => failure.code === tooManyConnections)
      ? tooManyConnections
      : noServer;
    const messages = new Set(failures.map(({ message }) => message));
    throw Object.assign(new Error([...messages].join('; ')), { code });
  }

  /** @param mostMs 0 for no limit */
  #connectTo(host: Host, mostMs: number): Promise<void> {
    const driver = this.#driver;
    // The driver connects a client once: another one has a fresh connection.
    const fresh = new pg.Client({ ...this.#settings, ...host }) as unknown as Driver;
    driver.host = fresh.host;
    driver.port = fresh.port;
    driver.connection = fresh.connection;
    driver.connectionParameters = fresh.connectionParameters;
    driver._connecting = false;
    driver._connected = false;
    driver._connectionError = false;
    driver._ended = false;
    driver._connectionTimeoutMillis = mostMs;
    driver._queryable = true;
    driver.readyForQuery = false;
    driver._activeQuery = null;
    driver._queryQueue.length = 0;
    driver._sentQueryQueue.length = 0;
    this.#watch();
    return new Promise((resolve, reject) => {
      super.connect((error: Error | null) => (error ? reject(error) : resolve()));
    });
  }

  #watch(): void {
    // After the statement has got its error.
    this.#driver.connection.on('errorMessage', ({ code }: Failure) => {
      if (code === readOnlyTransaction) process.nextTick(() => this.drop());
    });
  }

  /** @param mostMs 0 for the limit of other statements */
  async #state(mostMs: number): Promise<ServerState> {
    const { rows } = await super.query<ServerState>({
      text: `select coalesce(pg_is_in_recovery(), true) as "isStandby", current_setting('transaction_read_only') = 'on' as "isReadOnly",
        concat_ws(' ', inet_server_addr(), inet_server_port(), extract(epoch from pg_postmaster_start_time())) as server`,
      query_timeout: mostMs || undefined,
    } as pg.QueryConfig);
    return rows[0]!;
  }

  /** Closes the connection of an attempt. The driver must not receive its late events. */
  #leave(): void {
    const { connection } = this.#driver;
    connection.removeAllListeners();
    connection.on('error', () => {});
    connection.stream.destroy();
  }
}

function nameOf({ host, port = 5432 }: Host): string {
  return host.startsWith('/')
    ? `${host}/.s.PGSQL.${port}`
    : `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
