import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { HostileSite } from '../../test/support/hostile-sites.ts';
import { seedFindings } from '../fixture/findings.ts';
import { seedOrganizations } from '../fixture/organizations.ts';
import { connectAsOwner, type Postgres } from '../fixture/postgres.ts';
import { openStorage, queueScans } from '../fixture/scans.ts';
import { type JunkOutcome, type JunkScale, measureJunk } from '../junk/measure.ts';
import { Forked } from '../processes/forked.ts';
import { startWhole } from '../servers/start.ts';

const hostileSites = 20;

/**
 * Latency of authenticated requests while other clients send junk, and while hostile websites are scanned.
 */
export async function junkPhase(
  postgres: Postgres,
  scale: JunkScale,
  progress: (line: string) => void,
): Promise<JunkOutcome> {
  const database = await postgres.createDatabase();
  const owner = await connectAsOwner(database);
  const callers = await seedOrganizations(owner, 50);
  await seedFindings(owner, 20);
  const storage = await openStorage(database);
  const sites = new Forked<number, readonly HostileSite[]>(new URL('../sites/hostile.ts', import.meta.url));
  const server = await startWhole({
    name: 'junk',
    directory: postgres.directory,
    databaseUrl: database.url,
    masterKey: randomBytes(32).toString('base64'),
  });
  try {
    const hosts = (await sites.tell(hostileSites)).map(({ url }) => url);
    const scanHostileSites = async () => {
      const id = await queueScans(storage, hosts, () => {});
      const text = 'select from scans where organization_id = $1 and finished_at is null';
      while ((await owner.query(text, [id])).rowCount !== 0) await pause(200);
    };
    return await measureJunk(server, callers, scanHostileSites, scale, progress);
  } finally {
    sites.close();
    await server.stop();
    await storage.close(0);
    await owner.end();
    await database.drop();
  }
}
