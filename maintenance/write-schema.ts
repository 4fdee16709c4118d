import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../src/database/migrate.ts';
import { openPrivatePostgres } from '../src/private-postgres/open.ts';
import { writeSchema } from './schema/write-schema.ts';

/** Writes src/database/schema.ts from a fully migrated database. A test fails if the two differ. */
const directory = await mkdtemp(join(tmpdir(), 'parapet-schema-'));
// As root, the server runs as another user, who needs access.
await chmod(directory, 0o711);
try {
  const server = await openPrivatePostgres({ directory: join(directory, 'data') });
  await migrate(server.connection);
  const owner = new pg.Client(server.connection);
  await owner.connect();
  await writeFile(new URL('../src/database/schema.ts', import.meta.url), await writeSchema(owner));
  await owner.end();
  await server.close();
} finally {
  await rm(directory, { recursive: true, force: true });
}
