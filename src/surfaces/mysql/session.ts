import mysql, { type AuthPlugin } from 'mysql2';
import { ConnectionFailed } from '../connection/connection-failed.ts';
import type { ReachedServer } from '../connection/connection-test.ts';
import { MysqlStream } from './mysql-stream.ts';
import { readGreeting } from './packets.ts';

type Ask = (text: string) => Promise<unknown>;

/** Limit on columns of an answer: no statement requests more than 7. */
const maxColumns = 20;

/**
 * What statements mean and return, and limits of the session, whatever the server's defaults are. The comments are
 * executed: MySQL reads the first and MariaDB the second, each from the version that has the variable.
 */
const restrictions = [
  // A number, since a mode of MariaDB reads empty texts as NULL. Another pads names.
  'set session sql_mode = 0, sql_select_limit = 18446744073709551615, sql_big_selects = 1',
  'set names utf8mb4',
  'set session transaction read only',
  'set session lock_wait_timeout = 1 /*!50708 , max_execution_time = 5000 */ /*M!100101 , max_statement_time = 5 */',
  'start transaction read only',
];

/**
 * Logs in and sends queries within one read-only transaction.
 *
 * @param maxReceived bytes that the server may send in total
 * @throws what `mysqlErrorCode` handles; the signal's reason if aborted
 */
export async function askMysql<T>(
  server: ReachedServer,
  signal: AbortSignal,
  work: (ask: Ask) => Promise<T>,
  maxReceived?: number,
): Promise<T> {
  const { dsn, pinned } = server;
  const greeting = await readGreeting(server.socket, signal);
  const stream = new MysqlStream(server, greeting, signal, maxReceived);
  const connection = mysql.createConnection({
    stream: () => stream,
    host: pinned.hostname,
    port: dsn.authority.port,
    user: dsn.user,
    password: dsn.password,
    ...(dsn.database === undefined ? {} : { database: dsn.database }),
    // The stream has the time limit.
    connectTimeout: 0,
    // A server can request files of this machine from a client.
    flags: ['-LOCAL_FILES', ...(dsn.plaintext ? [] : ['SSL'])],
    ...(dsn.plaintext ? {} : { authPlugins: overTls(dsn.password) }),
    connectAttributes: { program_name: 'parapet' },
    // Disables parsers that the driver generates from the server's column names.
    disableEval: true,
  });
  connection.on('error', () => {});
  const ask = (text: string) =>
    new Promise<unknown>((resolve, reject) => {
      const query = connection.query(text, (error, rows) => (error ? reject(error) : resolve(rows)));
      // For each row, however short, the driver reads all announced columns, so that a row can cost more than its
      // bytes. Throwing here ends the connection at once.
      query.on('fields', (fields?: readonly unknown[]) => {
        if (fields !== undefined && fields.length > maxColumns)
          throw new ConnectionFailed('protocol_invalid');
      });
    });
  const talk = async () => {
    for (const text of restrictions) await ask(text);
    const result = await work(ask);
    await ask('rollback');
    return result;
  };
  return stream.carry(signal, talk, () => connection.end(() => {}));
}

/**
 * Authentication over the verified TLS connection, which the driver knows nothing about: here the server may request
 * the password itself.
 */
function overTls(password: string): Record<string, AuthPlugin> {
  const clearText: AuthPlugin = () => () => Buffer.from(`${password}\0`);
  return {
    caching_sha2_password: mysql.authPlugins.caching_sha2_password({ overrideIsSecure: true }),
    sha256_password: clearText,
    mysql_clear_password: clearText,
  };
}
