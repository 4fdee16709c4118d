/** PostgreSQL: the server, the database or the role has all connections that it permits (`too_many_connections`). */
export const tooManyConnections = '53300';
