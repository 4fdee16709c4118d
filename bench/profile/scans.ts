import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { connectAsOwner, openPostgres } from '../fixture/postgres.ts';
import { openStorage } from '../fixture/scans.ts';
import { measureScans } from '../measurements/scans.ts';
import { startWorker } from '../servers/start.ts';
import { serveSites } from '../sites/served-sites.ts';
import { printSelfTimes, selfTimes } from './self-times.ts';

// Profiles a worker that scans 200 websites, on the last build: `tsx bench/profile/scans.ts`.

const count = 200;
const postgres = await openPostgres();
try {
  const database = await postgres.createDatabase();
  const owner = await connectAsOwner(database);
  const storage = await openStorage(database);
  const served = await serveSites(count, 0);
  const folder = join(postgres.directory, 'profile');
  const worker = await startWorker({
    name: 'profiled',
    directory: postgres.directory,
    databaseUrl: database.url,
    masterKey: randomBytes(32).toString('base64'),
    nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${folder}`],
  });
  const processes = { worker: worker.pid, postmaster: postgres.postmaster, sites: served.pid };
  const service = { storage, owner, processes };
  // A first round warms up the compiler.
  await measureScans(service, served.sites);
  const since = process.hrtime.bigint();
  const { sitesPerMinute } = await measureScans(service, served.sites);
  await worker.stop();
  process.stdout.write(`${Math.round(sitesPerMinute)} sites/min, profiled\n`);
  const { packages, functions } = selfTimes(join(folder, (await readdir(folder))[0]!), since);
  printSelfTimes('by package: share, ms a site', packages.slice(0, 25), count);
  printSelfTimes('by function: share, ms a site', functions.slice(0, 40), count);
  served.close();
  await storage.close(0);
  await owner.end();
} finally {
  await postgres.close();
}
