import { randomBytes } from 'node:crypto';
import { seedFindings } from '../fixture/findings.ts';
import { seedOrganizations } from '../fixture/organizations.ts';
import { connectAsOwner, type Postgres } from '../fixture/postgres.ts';
import { type JunkOutcome, type JunkScale, measureJunk } from '../junk/measure.ts';
import { startProduct } from '../servers/start.ts';

/** How long those who may ask wait while others send junk. */
export async function junkPhase(
  postgres: Postgres,
  scale: JunkScale,
  progress: (line: string) => void,
): Promise<JunkOutcome> {
  const database = await postgres.createDatabase();
  const owner = await connectAsOwner(database);
  const callers = await seedOrganizations(owner, 50);
  await seedFindings(owner, 20);
  await owner.end();
  const server = await startProduct({
    name: 'junk',
    directory: postgres.directory,
    databaseUrl: database.url,
    masterKey: randomBytes(32).toString('base64'),
  });
  try {
    return await measureJunk(server, callers, scale, progress);
  } finally {
    await server.stop();
    await database.drop();
  }
}
