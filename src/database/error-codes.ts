/** PostgreSQL: the server, the database or the role has all connections that it permits (`too_many_connections`). */
export const tooManyConnections = '53300';

/** Whether PostgreSQL gave up a statement because others kept a lock that it needs for too long. */
export function isLockTimeout(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === '55P03';
}
