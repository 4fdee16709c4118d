import type net from 'node:net';
import pg from 'pg';
import { ConnectionFailed } from '../connection/connection-failed.ts';
import type { ReachedServer } from '../connection/connection-test.ts';
import { DriverStream } from '../connection/driver-stream.ts';
import { hear, secure } from '../connection/opening-talk.ts';
import { BackendMessages } from './backend-messages.ts';

/** Sends one statement and gives its rows. */
export type Ask = (text: string) => Promise<readonly Record<string, unknown>[]>;

/**
 * Limits that hold for the transaction and no longer. Set for the session, or as start-up options, they would stay on
 * a pooler's connection to the server, where the next one to get them is the customer's application.
 */
const restricted = [
  'begin transaction read only',
  "set local statement_timeout = '5s'",
  "set local lock_timeout = '1s'",
  "set local idle_in_transaction_session_timeout = '10s'",
  // A function or operator of somebody else must not stand in for the server's.
  'set local search_path = pg_catalog, pg_temp',
  "set local client_encoding = 'UTF8'",
].join('; ');

/** The type `json`: https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat */
const json = 114;

/**
 * The driver reads each column as the type that the server names, and dates in quadratic time. Every statement asks for JSON:
 * everything else stays text.
 */
const types = {
  getTypeParser: (type: number) => (type === json ? JSON.parse : (text: string) => text),
};

/** The driver would add what it finds in the environment of this process, such as `PGOPTIONS`. */
class Client extends pg.Client {
  /** What is said at the start of a session: this and nothing else. */
  getStartupConf(): Record<string, string | undefined> {
    return { user: this.user, database: this.database, application_name: 'parapet' };
  }
}

/**
 * Logs in and asks within one read-only transaction, which leaves nothing behind.
 *
 * @param maxReceived bytes that the server may send altogether
 * @throws what `postgresErrorCode` understands; the signal's reason when aborted.
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
    // A function, since the driver takes an empty text for an invitation to look into the environment and files.
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
 * Asks for TLS before anything else is said. The answer is one byte: more would be what somebody on the way has put
 * in front of the encrypted part (CVE-2021-23222).
 */
async function startTls(server: ReachedServer, signal: AbortSignal): Promise<net.Socket> {
  server.socket.write(sslRequest);
  const answer = await hear(server.socket, signal, received => received.toString('latin1'));
  if (answer === 'N') throw new ConnectionFailed('tls_not_offered');
  if (answer !== 'S') throw new ConnectionFailed('protocol_invalid');
  return secure(server.socket, server, signal);
}
