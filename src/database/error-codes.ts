/** Codes of PostgreSQL's errors. */

/** The server, the database or the role has all connections that it permits (`too_many_connections`). */
export const tooManyConnections = '53300';
/** A write in a session that may only read (`read_only_sql_transaction`): the server is a standby, or another one is behind its address. */
export const readOnlyTransaction = '25006';
/** No server can be used (`sqlclient_unable_to_establish_sqlconnection`). */
export const noServer = '08001';
/** The role lacks a right (`insufficient_privilege`). */
export const insufficientPrivilege = '42501';
/** A statement took longer than it may, or was canceled (`query_canceled`). */
export const statementCanceled = '57014';
/** Two transactions waited for each other (`deadlock_detected`). */
export const deadlock = '40P01';

/** An error of PostgreSQL, the driver or the system. */
export interface Failure {
  readonly message?: string;
  readonly code?: string;
}

/** The code of an error of PostgreSQL, the driver or the system; undefined if it has none. */
export function codeOf(error: unknown): unknown {
  return (error as { readonly code?: unknown }).code;
}

/** Whether PostgreSQL gave up a statement because others kept a lock that it needs for too long. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03';
}
