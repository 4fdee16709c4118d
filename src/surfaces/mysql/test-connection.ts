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
 * Whether a MySQL or MariaDB answers at the source's host and takes the credential. A server that waits for its
 * client to speak first, as most do, is told from a silent one only by its time running out.
 *
 * @param host the source's, as it is stored
 * @throws the signal's reason when the caller aborted; every other failure is in the result.
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
