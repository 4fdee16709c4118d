import pg from 'pg';
import type { ConnectionErrorCode } from '../connection/connection-failed.ts';
import { connectionErrorCode } from '../connection/failure.ts';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const bySqlState = new Map<string, ConnectionErrorCode>(
  Object.entries({
    '28P01': 'auth_failed',
    '28000': 'auth_failed',
    // The role may not connect to the database.
    '42501': 'auth_failed',
    '3D000': 'database_missing',
    '53300': 'too_many_connections',
    '57014': 'timeout',
    '55P03': 'timeout',
  } as const),
);

/** The code for an error of the server, the driver, the guard or the system. */
export function postgresErrorCode(error: unknown): ConnectionErrorCode {
  if (error instanceof pg.DatabaseError) return bySqlState.get(error.code ?? '') ?? 'connection_failed';
  // The driver parses JSON if the server declares that type.
  if (error instanceof SyntaxError) return 'protocol_invalid';
  // The driver's own login errors have no code. Their messages are compared, but not shown.
  const { message } = error as Error;
  if (message?.startsWith('SASL: Only mechanism')) return 'auth_unsupported';
  if (/^SASL: .*password must/.test(message)) return 'auth_failed';
  // The server could not prove that it knows the password, or violates the protocol.
  if (message?.startsWith('SASL')) return 'protocol_invalid';
  return connectionErrorCode(error);
}

/** SQLSTATEs of what this version does not have: a table, a column, a function, an object. */
const unknownHere = new Set(['42P01', '42703', '42883', '42704']);

/** Why the server refused one statement: `privilege`, or a sentence. Undefined if the server did not refuse. */
export function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError) || !/^[0-9A-Z]{5}$/.test(error.code ?? '')) return undefined;
  const code = error.code!;
  if (code === '42501') return 'privilege';
  if (code === '57014') return 'The server took longer than 5 seconds to answer.';
  if (code === '55P03') return 'Another session has locked a catalog or a table.';
  if (unknownHere.has(code)) return 'This version of the server does not provide it.';
  return `The server refused to answer (SQLSTATE ${code}).`;
}
