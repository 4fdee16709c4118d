import pg from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { StorageError } from './storage-error.ts';

type SettingName = 'host' | 'port' | 'user' | 'password' | 'database' | 'ssl';
/** Connection parameters as the `pg` driver names them. */
export type ConnectionSettings = Pick<pg.ClientConfig, SettingName>;

/** Parses a `DATABASE_URL`. Throws a `StorageError` that does not repeat the URL, since it contains a password. */
export function connectionFromUrl(url: string): ConnectionSettings {
  let settings: ConnectionSettings | undefined;
  try {
    if (/^postgres(ql)?:\/\//.test(url)) settings = parseIntoClientConfig(url) as ConnectionSettings;
  } catch {
    // Refused below.
  }
  if (!settings?.host || !settings.database) {
    throw new StorageError('DATABASE_URL must read postgresql://user:password@host:port/database');
  }
  return settings;
}

declare const row: unique symbol;

/**
 * SQL text with values; `name` prepares it once per connection. test/database/statements.test.ts compares
 * `Row` with the statement's description by PostgreSQL.
 */
export interface Statement<Row = object> {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
  /** Query timeout in milliseconds, instead of the pool's. */
  readonly query_timeout?: number;
  readonly [row]?: Row;
}

/**
 * A statement built by kysely from the schema's types. Sessions execute it; the type of `execute` gives the
 * type of its rows.
 */
export interface BuiltStatement<Row> {
  compile(): { readonly sql: string; readonly parameters: readonly unknown[] };
  execute(): Promise<Row[]>;
}

export type Query<Row = object> = Statement<Row> | BuiltStatement<Row>;

/** The same as the driver's configuration. */
export function queryConfig(query: Query<unknown>): pg.QueryConfig {
  if ('text' in query) return query as pg.QueryConfig;
  const { sql, parameters } = query.compile();
  return { text: sql, values: parameters as unknown[] };
}

/** Converts a timestamptz, as PostgreSQL prints it with TimeZone UTC, to the contract's form without a Date. */
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
 * Settings of every session. Startup options override the defaults of server, database and role, so that an
 * `alter database … set` cannot change the meaning of statements or the durability of commits.
 */
const settings: Readonly<Record<string, string>> = {
  // Transactions lock first and read afterwards, which requires a new snapshot for each statement.
  default_transaction_isolation: 'read\\ committed',
  default_transaction_read_only: 'off',
  default_transaction_deferrable: 'off',
  // Responses are sent after the write is on disk, and on the synchronous standby if there is one.
  synchronous_commit: 'on',
  search_path: 'public,pg_temp',
  // Without an organization, row-level security returns no rows.
  'parapet.organization_id': '',
  row_security: 'on',
  check_function_bodies: 'on',
  statement_timeout: '30000',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '60000',
  idle_session_timeout: '0',
  // Output and input formats of values.
  TimeZone: 'UTC',
  DateStyle: 'ISO,MDY',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  // Random reads cost little more than sequential ones in memory or on SSDs. PostgreSQL's default is for
  // spinning disks, and would make lists scan whole tables although an index is sufficient.
  random_page_cost: '1.1',
  // With one process per query, shares of connections are shares of CPUs.
  max_parallel_workers_per_gather: '0',
};

const startupOptions = Object.entries(settings)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

/** Options of every session. Statements of one session are pipelined. */
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

/** Default query timeout in milliseconds, longer than the statement_timeout. */
export const answerMs = 75_000;

/** Query timeout in milliseconds for operators' queries, which have no statement_timeout. */
export const unhurried = 24 * 3_600_000;

/**
 * A pool whose connections may break at any time without ending the process: the next checkout opens a new
 * one. `max` is the number of connections. A query that takes longer than `mostMs` rejects, and its
 * connection is closed. This also covers a server that disappears silently, which PostgreSQL's timeouts
 * cannot detect. Longer queries set `query_timeout: unhurried`.
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
  // The pool handles errors of idle connections only. Queries on a lost connection reject by themselves.
  pool.on('connect', client => client.on('error', () => {}));
  return pool;
}
