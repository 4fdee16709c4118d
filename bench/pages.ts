import { randomBytes } from 'node:crypto';
import { launchBrowser } from '../test/support/browser.ts';
import { addPerson } from '../test/support/people.ts';
import { seedEvents } from './fixture/events.ts';
import { fullSize, quickSize, seededMasterKey, seedLargeOrganization } from './fixture/large-organization.ts';
import { connectAsOwner, openPostgres } from './fixture/postgres.ts';
import { openStorage } from './fixture/scans.ts';
import { measureInteractions } from './measurements/interactions.ts';
import { listPages } from './measurements/page-list.ts';
import { type RequestTime, shapeOf, timeRequest } from './measurements/page-requests.ts';
import { measurePage, type PageLoad } from './measurements/pages.ts';
import { pagesText } from './report/pages.ts';
import { startProduct } from './servers/start.ts';

// Only the benchmark of the dashboard's pages, on the last build: `npx tsx bench/pages.ts [--quick]`

const quick = process.argv.includes('--quick');
const progress = (line: string) => void process.stderr.write(`${line}\n`);
const postgres = await openPostgres();
try {
  const database = await postgres.createDatabase();
  const owner = await connectAsOwner(database);
  progress('seeding');
  const organizationId = await seedLargeOrganization(owner, quick ? quickSize : fullSize);
  await seedEvents(owner, database, organizationId, quick ? 5_000 : 1_000_000);
  const pages = await listPages(owner, organizationId);
  await owner.end();
  const masterKey = randomBytes(32).toString('base64');
  const storage = await openStorage(database);
  const server = await startProduct({
    name: 'pages',
    directory: postgres.directory,
    databaseUrl: database.url,
    masterKey,
    // Of the seeded evidence, whose content nothing reads.
    env: { PARAPET_LOST_MASTER_KEYS: seededMasterKey },
  });
  const url = `http://localhost:${server.port}`;
  const person = await addPerson({ url, storage }, organizationId, 'owner');
  const visitor = { url, cookie: person.client.cookie! };
  const processes = { server: server.pid, postmaster: postgres.postmaster };
  const browser = await launchBrowser();
  const loads: PageLoad[] = [];
  for (const page of pages) {
    progress(`opening ${page.name}`);
    loads.push(await measurePage(browser, visitor, page, quick ? 1 : 3));
  }
  progress('pressing keys with many rows');
  const interactions = await measureInteractions(browser, visitor, organizationId, quick ? 1_000 : 10_000);
  await browser.close();
  progress('timing requests');
  const times = new Map<string, RequestTime>();
  for (const path of loads.filter(({ page }) => page.signedIn).flatMap(({ requests }) => requests)) {
    const shape = shapeOf(path);
    if (!times.has(shape)) times.set(shape, await timeRequest(visitor, path, quick ? 3 : 40, processes));
  }
  await server.stop();
  await storage.close(0);
  process.stdout.write(`${pagesText(loads, times, interactions)}\n`);
} finally {
  await postgres.close();
}
