import { inject, it } from 'vitest';
import type { ConnectionSettings } from '../../src/database/connection.ts';
import { connectionFromUrl } from '../../src/database/connection-url.ts';
import { findOutsidePostgres, startOutsidePostgres } from './outside-postgres.ts';
import { createDatabase } from './postgres.ts';

/** Tests a migration of stored rows with a superuser, and with an owner that is not one, for whom row-level security holds. */
export async function testMigration(
  title: string,
  test: (connection: ConnectionSettings) => Promise<void>,
): Promise<void> {
  const outside = await findOutsidePostgres();
  it(title, async () => {
    const database = await createDatabase(inject('postgres'));
    await test(database.connection);
    await database.drop();
  });

  it.runIf(outside)('does so with an owner that is not a superuser', async () => {
    const server = await startOutsidePostgres(outside!);
    await test(connectionFromUrl(server.url));
    await server.close();
  });
}
