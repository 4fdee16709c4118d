import {
  type ConnectionTestOptions,
  type ConnectionTestResult,
  measured,
  reachServer,
} from '../connection/connection-test.ts';
import { mysqlForm } from '../connection/dsn.ts';
import { mysqlErrorCode } from './failure.ts';
import { askMysql } from './session.ts';

/**
 * Tests whether a MySQL or MariaDB server answers at the source's host and accepts the credential. A server that waits
 * for the client's first message, as most protocols do, cannot be distinguished from a silent one before the timeout.
 *
 * @param host the source's, as stored
 * @throws the signal's reason if the caller aborted; every other failure is in the result
 */
export function testMysql(
  host: string,
  options: ConnectionTestOptions<'dsn'>,
): Promise<ConnectionTestResult> {
  return measured(options, mysqlErrorCode, async signal => {
    const server = await reachServer(host, mysqlForm, options, signal);
    try {
      await askMysql(server, signal, ask => ask('select 1'));
    } finally {
      server.socket.destroy();
    }
  });
}
