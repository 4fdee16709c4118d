import type { TenantSession } from './tenant-store.ts';

/** Connections that PostgreSQL permits to roles other than superusers, and to this database. */
export async function permittedConnections(session: TenantSession): Promise<number> {
  const [row] = await session.query<{ ofServer: number; ofDatabase: number }>({
    text: `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0) as "ofServer",
      (select datconnlimit from pg_database where datname = current_database()) as "ofDatabase"`,
  });
  const { ofServer, ofDatabase } = row!;
  return ofDatabase < 0 ? ofServer : Math.min(ofServer, ofDatabase);
}
