import pg from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { StorageError } from './storage-error.ts';

/** Where a PostgreSQL is and who connects, in the words of the `pg` driver. */
export type ConnectionSettings = Pick<
  pg.ClientConfig,
  'host' | 'port' | 'user' | 'password' | 'database' | 'ssl'
>;

/** Reads a `DATABASE_URL`. Throws a `StorageError` that does not repeat it, since it holds a password. */
export function connectionFromUrl(url: string): ConnectionSettings {
  let settings: ConnectionSettings | undefined;
  try {
    settings = /^postgres(ql)?:\/\//.test(url)
      ? (parseIntoClientConfig(url) as ConnectionSettings)
      : undefined;
  } catch {
    settings = undefined;
  }
  if (!settings?.host || !settings.database) {
    throw new StorageError('DATABASE_URL must read postgresql://user:password@host:port/database');
  }
  return settings;
}

declare const row: unique symbol;

/**
 * SQL as text, with its values; `name` prepares it once per connection. `Row` is a claim, which test/database/statements.test.ts
 * compares with what the database says of the statement.
 */
export interface Statement<Row = object> {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
  /** Milliseconds for the answer, where they are not the pool's. */
  readonly query_timeout?: number;
  readonly [row]?: Row;
}

/** What kysely builds from the types of the schema. Only the session executes it: `execute` is what says which rows it returns. */
export interface BuiltStatement<Row> {
  compile(): { readonly sql: string; readonly parameters: readonly unknown[] };
  execute(): Promise<Row[]>;
}

export type Query<Row = object> = Statement<Row> | BuiltStatement<Row>;

/** The same for the driver. */
export function queryConfig(query: Query<unknown>): pg.QueryConfig {
  if ('text' in query) return query as pg.QueryConfig;
  const { sql, parameters } = query.compile();
  return { text: sql, values: parameters as unknown[] };
}

/** timestamptz, as the sessions write it with TimeZone UTC, into the contract's form, without a Date in between. */
function timestampText(value: string): string {
  const match = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?\+00$/.exec(value);
  if (!match) throw new Error('a timestamp outside the years that ISO 8601 can write');
  return `${match[1]}T${match[2]}.${(match[3] ?? '').slice(0, 3).padEnd(3, '0')}+00:00`;
}

const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === pg.types.builtins.TIMESTAMPTZ && format !== 'binary') return timestampText;
    if (oid === pg.types.builtins.INT8) return Number;
    return pg.types.getTypeParser(oid, format as 'text');
  },
} as pg.CustomTypesConfig;

/**
 * Settings of every session. A start-up option outranks what the server, the database or the role has as a default, so
 * that nobody's `alter database … set` changes what our statements mean or what an acknowledged write is worth.
 */
const settings: Readonly<Record<string, string>> = {
  // Locks are taken first and rows read after them, which takes a snapshot for each statement.
  default_transaction_isolation: 'read\\ committed',
  default_transaction_read_only: 'off',
  default_transaction_deferrable: 'off',
  // An answer is given after the write is on disk, and on the standby where there is a synchronous one.
  synchronous_commit: 'on',
  search_path: 'public,pg_temp',
  // Without an organization, the policies return nothing.
  'parapet.organization_id': '',
  row_security: 'on',
  check_function_bodies: 'on',
  statement_timeout: '30000',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '60000',
  idle_session_timeout: '0',
  // How values are written and read.
  TimeZone: 'UTC',
  DateStyle: 'ISO,MDY',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  // A page read out of order costs hardly more than its neighbor, in memory or on solid state. PostgreSQL's default is
  // that of spinning disks: lists would read whole tables although an index has all that they need.
  random_page_cost: '1.1',
  // A query is one process: shares of connections are shares of processors.
  max_parallel_workers_per_gather: '0',
};

const startupOptions = Object.entries(settings)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

/** Options that every session of ours has. Statements of one are sent without waiting for the answers before. */
export function sessionOptions(connection: ConnectionSettings, applicationName: string): pg.ClientConfig {
  return {
    ...connection,
    types,
    application_name: applicationName,
    options: startupOptions,
    keepAlive: true,
    pipeline: true,
  } as pg.ClientConfig;
}

/** Milliseconds for the answer to a query: more than its statement_timeout. */
export const answerMs = 75_000;

/** Milliseconds for the answer to a query of the operator's, which has no time-out. */
export const unhurried = 24 * 3_600_000;

/**
 * A pool whose connections may break at any time without ending the process: the next check-out opens a new one.
 * `max` is the number of connections. A query whose answer takes longer than `mostMs` rejects, and its connection is
 * given up: also where the server is gone without a word, which no time-out of its own can tell. What may take longer has
 * `query_timeout: unhurried`.
 */
export function openPool(
  connection: ConnectionSettings,
  applicationName: string,
  max: number,
  mostMs = answerMs,
): pg.Pool {
  const pool = new pg.Pool({
    ...sessionOptions(connection, applicationName),
    max,
    connectionTimeoutMillis: 10_000,
    query_timeout: mostMs,
    idleTimeoutMillis: 60_000,
  });
  pool.on('error', () => {});
  // The pool hears what happens to an idle one only. What waits for a lost connection rejects by itself.
  pool.on('connect', client => client.on('error', () => {}));
  return pool;
}
