import { randomBytes } from 'node:crypto';
import { launchBrowser } from '../test/support/browser.ts';
import { addPerson } from '../test/support/people.ts';
import { seedLargeOrganization } from './fixture/large-organization.ts';
import { connectAsOwner, openPostgres } from './fixture/postgres.ts';
import { openStorage } from './fixture/scans.ts';
import { measurePages } from './measurements/pages.ts';
import { table } from './report/table.ts';
import { startProduct } from './servers/start.ts';

// Only the benchmark of the dashboard's pages, on the last build: `npx tsx bench/pages.ts [--quick]`

const quick = process.argv.includes('--quick');
const postgres = await openPostgres();
try {
  const database = await postgres.createDatabase();
  const owner = await connectAsOwner(database);
  const organizationId = await seedLargeOrganization(owner, quick ? 2_000 : 100_000);
  await owner.end();
  const masterKey = randomBytes(32).toString('base64');
  const storage = await openStorage(database);
  const server = await startProduct({
    name: 'pages',
    directory: postgres.directory,
    databaseUrl: database.url,
    masterKey,
  });
  const url = `http://localhost:${server.port}`;
  const person = await addPerson({ url, storage }, organizationId, 'owner');
  const browser = await launchBrowser();
  const visit = { url, cookie: person.client.cookie!, organizationId };
  await measurePages(browser, visit, 1);
  const times = await measurePages(browser, visit, quick ? 1 : 7);
  await browser.close();
  await server.stop();
  await storage.close(0);
  const rows = times.map(({ page, cold, kilobytes }) => [
    page,
    cold.median.toFixed(0),
    cold.worst.toFixed(0),
    kilobytes.toFixed(1),
  ]);
  process.stdout.write(`${table(['page', 'median ms', 'worst ms', 'kB of data'], rows)}\n`);
} finally {
  await postgres.close();
}
