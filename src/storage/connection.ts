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

/** What a query may carry: text and values; `name` prepares the statement once per connection. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
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
 * What holds in every session. A page that is read out of order costs hardly more than its neighbour, in memory or on
 * solid state: PostgreSQL's default is that of discs which turn, and has lists read whole tables beside an index that holds
 * all they ask for.
 */
const settings =
  '-c TimeZone=UTC -c statement_timeout=30000 -c idle_in_transaction_session_timeout=60000 -c random_page_cost=1.1';

/** Options that every session of ours has. Statements of one are sent without waiting for the answers before. */
export function sessionOptions(connection: ConnectionSettings, applicationName: string): pg.ClientConfig {
  return {
    ...connection,
    types,
    application_name: applicationName,
    options: settings,
    keepAlive: true,
    pipeline: true,
  } as pg.ClientConfig;
}

/**
 * A pool whose idle connections may break without ending the process: the next check-out opens a new one.
 * `max` is the number of connections. A query whose answer takes longer than `answerMs` rejects, and its connection is
 * given up: also where the server is gone without a word, which no time-out of its own can tell.
 */
export function openPool(
  connection: ConnectionSettings,
  applicationName: string,
  max: number,
  answerMs?: number,
): pg.Pool {
  const pool = new pg.Pool({
    ...sessionOptions(connection, applicationName),
    max,
    connectionTimeoutMillis: 10_000,
    ...(answerMs === undefined ? {} : { query_timeout: answerMs }),
    idleTimeoutMillis: 60_000,
  });
  pool.on('error', () => {});
  return pool;
}
