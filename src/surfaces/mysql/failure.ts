import type { ConnectionErrorCode } from '../connection/connection-failed.ts';
import { connectionErrorCode } from '../connection/failure.ts';

/** https://dev.mysql.com/doc/mysql-errors/8.4/en/server-error-reference.html, https://mariadb.com/kb/en/mariadb-error-code-reference/ */
const byNumber: Record<number, ConnectionErrorCode> = {
  1044: 'auth_failed',
  1045: 'auth_failed',
  1130: 'auth_failed',
  1227: 'auth_failed',
  1251: 'auth_unsupported',
  1524: 'auth_unsupported',
  1698: 'auth_failed',
  1820: 'auth_failed',
  1862: 'auth_failed',
  3118: 'auth_failed',
  3955: 'auth_failed',
  4151: 'auth_failed',
  1049: 'database_missing',
  1040: 'too_many_connections',
  1203: 'too_many_connections',
  1226: 'too_many_connections',
  3159: 'tls_required',
  1205: 'timeout',
  1969: 'timeout',
  3024: 'timeout',
};

export function codeOfErrorNumber(number: number): ConnectionErrorCode {
  return byNumber[number] ?? 'connection_failed';
}

/** The code for an error of the driver, or of the connection before it. */
export function mysqlErrorCode(error: unknown): ConnectionErrorCode {
  const { errno, code } = error as { errno?: unknown; code?: unknown };
  // The server's numbers are positive, the operating system's are not.
  if (typeof errno === 'number' && errno > 0) return codeOfErrorNumber(errno);
  if (code === 'AUTH_SWITCH_PLUGIN_ERROR' || code === 'MYSQL_CLEAR_PASSWORD_NOT_ENABLED') {
    return 'auth_unsupported';
  }
  if (code === 'HANDSHAKE_UNKNOWN_ERROR') return 'protocol_invalid';
  if (typeof code === 'string' && code.startsWith('PROTOCOL_') && code !== 'PROTOCOL_CONNECTION_LOST') {
    return 'protocol_invalid';
  }
  return connectionErrorCode(error);
}
