import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { pino } from 'pino';
import { readConfiguration } from '../../src/main/configuration.ts';
import { startService } from '../../src/main/service.ts';
import { makeThrowAwayFolder } from '../../src/main/throw-away-folder.ts';
import { openPrivatePostgres } from '../../src/private-postgres/open.ts';
import { asOwner, createDatabase } from '../../test/support/postgres.ts';
import type { TestNode } from '../../test/support/service.ts';
import { freePort } from '../../test/support/website.ts';

export interface SampleService extends TestNode {
  /** As the owner of the tables, without row-level security, to move data into the past. */
  asOwner<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T>;
}

/** The whole service with a worker, with a temporary database and folder. */
export async function startSampleService(): Promise<SampleService> {
  const folder = await makeThrowAwayFolder();
  const postgres = await openPrivatePostgres({ directory: folder.path });
  const database = await createDatabase(postgres.connection);
  const port = await freePort();
  const environment = {
    DATABASE_URL: database.url,
    PARAPET_MASTER_KEY: randomBytes(32).toString('base64'),
    PARAPET_TARGET_ALLOWLIST: '127.0.0.0/8,::1/128',
    PARAPET_PRIVILEGED_CONNECTIONS: 'on',
    PARAPET_PUBLIC_URL: `http://127.0.0.1:${port}`,
    // Nothing is sent: no one has confirmed an address.
    PARAPET_SMTP_URL: 'smtp://127.0.0.1:1',
    PARAPET_MAIL_FROM: 'Parapet <parapet@example.com>',
  };
  const configuration = readConfiguration(environment, { port: String(port), data: folder.path });
  const service = await startService(configuration, 'all', pino({ level: 'error' }));
  return {
    url: service.url!,
    storage: service.storage,
    asOwner: work => asOwner(database.connection, work),
    close: async () => {
      await service.stop(0);
      await postgres.close();
      await folder.remove();
    },
  };
}
