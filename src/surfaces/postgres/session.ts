import type net from 'node:net';
import pg from 'pg';
import { ConnectionFailed } from '../connection/connection-failed.ts';
import type { ReachedServer } from '../connection/connection-test.ts';
import { DriverStream } from '../connection/driver-stream.ts';
import { readAnswer, secure } from '../connection/opening-talk.ts';
import { BackendMessages } from './backend-messages.ts';

/** Sends one statement and returns its rows. */
export type Ask = (text: string) => Promise<readonly Record<string, unknown>[]>;

/**
 * Limits for this transaction only, and the settings that decide what queries mean and how names are spelled: the owner of
 * a database can change their defaults. No query depends on the formats of dates, numbers or bytes. Set for the session, or as startup options, they would stay on a pooler's server
 * connection, which the customer's application may get next.
 */
const restricted = [
  // A deferrable serializable transaction would wait for others before its first query.
  'begin transaction isolation level read committed, read only, not deferrable',
  "set local statement_timeout = '5s'",
  "set local lock_timeout = '1s'",
  "set local idle_in_transaction_session_timeout = '10s'",
  // A user's function or operator must not replace the server's.
  'set local search_path = pg_catalog, pg_temp',
  // Names are compared between scans, and groups of them recognized.
  'set local quote_all_identifiers = off',
  "set local client_encoding = 'UTF8'",
  // Compiling takes longer than the queries. PostgreSQL 10 has no such setting.
  "select set_config(name, 'off', true) from pg_settings where name = 'jit'",
].join('; ');

/** The type `json`: https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat */
const json = 114;

/**
 * The driver parses each column by the type that the server names, and dates in quadratic time. Every statement returns
 * JSON; all other types stay text.
 */
const types = {
  getTypeParser: (type: number) => (type === json ? JSON.parse : (text: string) => text),
};

/** The driver would add settings from this process's environment, such as `PGOPTIONS`. */
class Client extends pg.Client {
  /** The complete parameters of the startup message. */
  getStartupConf(): Record<string, string | undefined> {
    return { user: this.user, database: this.database, application_name: 'parapet' };
  }
}

/**
 * Logs in and sends queries within one read-only transaction, which leaves no changes.
 *
 * @param maxReceived bytes that the server may send in total
 * @throws what `postgresErrorCode` handles; the signal's reason if aborted
 */
export async function askPostgres<T>(
  server: ReachedServer,
  signal: AbortSignal,
  work: (ask: Ask) => Promise<T>,
  maxReceived?: number,
): Promise<T> {
  const { dsn, pinned } = server;
  const socket = dsn.plaintext ? server.socket : await startTls(server, signal);
  const stream = new DriverStream(new BackendMessages(!dsn.plaintext), maxReceived).attach(socket);
  const client = new Client({
    stream: () => stream,
    types,
    ssl: false,
    host: pinned.hostname,
    port: dsn.authority.port,
    user: dsn.user,
    // A function, since the driver replaces an empty password with one from the environment or a file.
    password: () => dsn.password,
    database: dsn.database ?? dsn.user,
  });
  client.on('error', () => {});
  const talk = async () => {
    await client.connect();
    await client.query(restricted);
    const result = await work(async text => (await client.query(text)).rows);
    await client.query('rollback');
    return result;
  };
  return stream.carry(signal, talk, () => void client.end().catch(() => {}));
}

const sslRequest = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/**
 * Requests TLS before any other message. The answer is one byte: more could have been injected on the network before
 * TLS starts (CVE-2021-23222).
 */
async function startTls(server: ReachedServer, signal: AbortSignal): Promise<net.Socket> {
  server.socket.write(sslRequest);
  const answer = await readAnswer(server.socket, signal, received => received.toString('latin1'));
  if (answer === 'N') throw new ConnectionFailed('tls_not_offered');
  if (answer !== 'S') throw new ConnectionFailed('protocol_invalid');
  return secure(server.socket, server, signal);
}
