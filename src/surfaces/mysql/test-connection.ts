import { type ConnectionTestOptions, measured, withServer } from '../connection/connection-test.ts';
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
export function testMysql(host: string, options: ConnectionTestOptions<'dsn'>) {
  return measured(options, mysqlErrorCode, signal =>
    withServer(host, mysqlForm, options, signal, server => askMysql(server, signal, ask => ask('select 1'))),
  );
}
