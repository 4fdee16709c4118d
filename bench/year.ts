import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { launchBrowser } from '../test/support/browser.ts';
import { openPostgres } from './fixture/postgres.ts';
import { progress } from './report/progress.ts';
import { yearText } from './report/year.ts';
import { serveSites } from './sites/served-sites.ts';
import { scannedOrganization, type YearOrganization } from './year/organization.ts';
import { growthOf, mostGrowth, timePages } from './year/page-times.ts';
import { simulate } from './year/simulate.ts';
import { readTableSizes } from './year/table-sizes.ts';

// A year of hourly scans and four weeks, hour by hour: what it takes on disk, and whether pages stay as fast. `npm run bench:year`
//
//   --kept 30|90|365   days after which scans are deleted, a year unless given
//   --sources N        websites that are scanned
//   --quick            checks that every part runs: its figures mean nothing

const { values } = parseArgs({
  options: {
    kept: { type: 'string', default: '365' },
    sources: { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
});
const { quick } = values;
const keptDays = ([30, 90, 365] as const).find(days => String(days) === values.kept);
if (keptDays === undefined) throw new Error('--kept is 30, 90 or 365');
const sources = Number(values.sources ?? (quick ? 4 : 16));
// Four weeks more than the retention: scans are then deleted as fast as they are made.
const days = quick ? 33 : keptDays + 28;
const simulation = { days, keptDays: quick ? 30 : keptDays, busyDays: quick ? 1 : 7 } as const;

const postgres = await openPostgres();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void postgres.close().finally(() => process.exit(1)));
const sites = await serveSites(sources, 0);
const hosts = sites.sites.map(({ url }) => url);
const masterKey = randomBytes(32).toString('base64');
const organizations: YearOrganization[] = [];
try {
  progress(`scanning ${sources} websites`);
  for (let each = 0; each < 2; each++)
    organizations.push(await scannedOrganization(postgres, hosts, masterKey));
  const [afterDay, atEnd] = organizations as [YearOrganization, YearOrganization];
  progress('simulating a day');
  await simulate(afterDay, { ...simulation, days: 1, busyDays: 1 }, progress);
  progress(`simulating ${days} days`);
  await simulate(atEnd, simulation, progress);
  const sizes = await readTableSizes(atEnd.owner);
  const kept = sizes.find(({ name }) => name === 'scans')!.rows / (24 * sources);
  // A day less after midnight.
  if (kept > simulation.keptDays || kept < simulation.keptDays - 1)
    throw new Error(`scans of ${kept} days are kept, and should be of ${simulation.keptDays}`);
  for (const { owner } of organizations) await owner.query('analyze');
  progress('opening pages');
  const browser = await launchBrowser();
  const pages = await timePages(postgres, browser, organizations, {
    masterKey,
    rounds: quick ? 1 : 3,
    ...(quick ? { names: ['overview', 'scans', 'scan', 'sources'] } : {}),
  });
  await browser.close();
  const results = { sources, ...simulation, empty: atEnd.emptySizes, atEnd: sizes, pages };
  process.stdout.write(`${yearText(results)}\n`);
  if (!quick && pages.some(page => growthOf(page) > mostGrowth)) {
    process.stderr.write(`A page takes over ${mostGrowth} times as long as after a day\n`);
    process.exitCode = 1;
  }
} finally {
  for (const organization of organizations) await organization.close();
  sites.close();
  await postgres.close();
}
