import {
  type ConnectionTestOptions,
  type ConnectionTestResult,
  measured,
  reachServer,
} from '../connection/connection-test.ts';
import { postgresForm } from '../connection/dsn.ts';
import { postgresErrorCode } from './failure.ts';
import { askPostgres } from './session.ts';

/**
 * Tests whether a PostgreSQL server answers at the source's host and accepts the credential.
 *
 * @param host the source's, as stored
 * @throws the signal's reason if the caller aborted; every other failure is in the result
 */
export function testPostgres(
  host: string,
  options: ConnectionTestOptions<'dsn'>,
): Promise<ConnectionTestResult> {
  return measured(options, postgresErrorCode, async signal => {
    const server = await reachServer(host, postgresForm, options, signal);
    try {
      await askPostgres(server, signal, ask => ask('select 1'));
    } finally {
      server.socket.destroy();
    }
  });
}
