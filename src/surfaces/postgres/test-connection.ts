import pg from 'pg';
import {
  type ConnectionTestOptions,
  type ConnectionTestResult,
  measured,
  reachServer,
} from '../database/connection-test.ts';
import type { DsnForm } from '../database/dsn.ts';
import { type ConnectionErrorCode, connectionErrorCode } from '../database/failure.ts';
import { askPostgres } from './session.ts';

const form: DsnForm = { schemes: ['postgres', 'postgresql'], defaultPort: 5432 };

/**
 * Whether a PostgreSQL answers at the source's host and takes the credential.
 *
 * @param host the source's, as it is stored
 * @throws the signal's reason when the caller aborted; every other failure is in the result.
 */
export function testPostgres(
  host: string,
  options: ConnectionTestOptions<'dsn'>,
): Promise<ConnectionTestResult> {
  return measured(options, postgresErrorCode, async signal => {
    const server = await reachServer(host, form, options, signal);
    try {
      await askPostgres(server, signal, ask => ask('select 1'));
    } finally {
      server.socket.destroy();
    }
  });
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const bySqlState: Record<string, ConnectionErrorCode> = {
  '28P01': 'auth_failed',
  '28000': 'auth_failed',
  // The role may not connect to the database.
  '42501': 'auth_failed',
  '3D000': 'database_missing',
  '53300': 'too_many_connections',
  '57014': 'timeout',
  '55P03': 'timeout',
};

function postgresErrorCode(error: unknown): ConnectionErrorCode {
  if (error instanceof pg.DatabaseError) return bySqlState[error.code ?? ''] ?? 'connection_failed';
  // The driver's own words about a log-in, which have no code. They are compared, not shown.
  const { message } = error as Error;
  if (message?.startsWith('SASL: Only mechanism')) return 'auth_unsupported';
  if (message?.startsWith('SASL')) return 'auth_failed';
  return connectionErrorCode(error);
}
