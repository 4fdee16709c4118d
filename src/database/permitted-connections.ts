import type { TenantSession } from './tenant-store.ts';

/** Connections that PostgreSQL permits to roles other than superusers, and to this database. */
export async function permittedConnections(session: TenantSession): Promise<number> {
  const [row] = await session.query<{ of_server: number; of_database: number }>({
    text: `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0) as of_server, datconnlimit as of_database
      from pg_database where datname = current_database()`,
  });
  const { of_server: ofServer, of_database: ofDatabase } = row!;
  return ofDatabase < 0 ? ofServer : Math.min(ofServer, ofDatabase);
}
