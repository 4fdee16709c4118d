import pg from 'pg';
import { DatabaseClient } from './database-client.ts';
import type { Hosts } from './hosts.ts';
import { startupOptions } from './session-settings.ts';
import { UnnamedStatements } from './unnamed-statements.ts';
import { YieldingPool, type YieldListener } from './yielding-pool.ts';

type SettingName = 'host' | 'port' | 'user' | 'password' | 'database' | 'ssl';
/** Connection parameters as the `pg` driver names them. */
export interface ConnectionSettings extends Pick<pg.ClientConfig, SettingName> {
  /** Several servers, or what the one server must be; `host` and `port` are those of the first. */
  readonly hosts?: Hosts;
  /**
   * Whether a pooler in transaction mode may stand in between: only transactions keep to one session. Roles have the settings of
   * sessions then, and nothing is prepared by name or pipelined.
   */
  readonly isPooled?: boolean;
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

/** Milliseconds for opening a connection, unless a pool has less. */
const usualConnectMs = 10_000;

/** Options of every session. Statements of one session are pipelined, except through a pooler. */
export function sessionOptions(
  { isPooled = false, ...connection }: ConnectionSettings,
  applicationName: string,
): pg.PoolConfig {
  const session = {
    ...connection,
    types,
    application_name: applicationName,
    keepAlive: true,
    connectionTimeoutMillis: usualConnectMs,
  };
  if (isPooled) return { ...session, Client: UnnamedStatements } as pg.PoolConfig;
  return { ...session, options: startupOptions, pipeline: true, Client: DatabaseClient } as pg.PoolConfig;
}

/** Default query timeout in milliseconds, longer than the statement_timeout. */
export const answerMs = 75_000;

/** Query timeout in milliseconds for operators' queries, which have no statement_timeout. */
export const unhurried = 24 * 3_600_000;

interface PoolOptions {
  /** Connections that are kept when they are idle. Default 0. */
  readonly min?: number;
  readonly mostMs?: number | undefined;
  /** Milliseconds until a connection must be there. */
  readonly connectMs?: number;
  /** See `YieldingPool`. Without it, the pool rejects if PostgreSQL permits no more connections. */
  readonly yielding?: YieldListener;
}

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
  { min = 0, mostMs = answerMs, connectMs = usualConnectMs, yielding }: PoolOptions = {},
): pg.Pool {
  const session = sessionOptions(connection, applicationName);
  const limits = { query_timeout: mostMs, connectionTimeoutMillis: connectMs, idleTimeoutMillis: 60_000 };
  const config = { ...session, min, max, ...limits };
  const pool = yielding ? new YieldingPool(config, yielding) : new pg.Pool(config);
  pool.on('error', () => {});
  // The pool handles errors of idle connections only. Queries on a lost connection reject by themselves.
  pool.on('connect', client => client.on('error', () => {}));
  return pool;
}
