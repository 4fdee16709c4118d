import { type ConnectionTestOptions, measured, withServer } from '../connection/connection-test.ts';
import { postgresForm } from '../connection/dsn.ts';
import { postgresErrorCode } from './failure.ts';
import { askPostgres } from './session.ts';

/**
 * Tests whether a PostgreSQL server answers at the source's host and accepts the credential.
 *
 * @param host the source's, as stored
 * @throws the signal's reason if the caller aborted; every other failure is in the result
 */
export function testPostgres(host: string, options: ConnectionTestOptions<'dsn'>) {
  return measured(options, postgresErrorCode, signal =>
    withServer(host, postgresForm, options, signal, server =>
      askPostgres(server, signal, ask => ask('select 1')),
    ),
  );
}
