import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seedGigabytes } from './fixture/gigabytes.ts';
import { connectAsOwner, openPostgres } from './fixture/postgres.ts';
import { measureCommand } from './processes/command.ts';
import { type BackupResult, backupText, mostGrowth } from './report/backup.ts';
import { progress } from './report/progress.ts';

// Time and memory of a backup and of its verification, which restores it, for databases of two sizes. `npm run bench:backup`
//
//   --gigabytes N   size of the larger database, 10 unless given; three times as much must be free where temporary files are
//   --quick         half a gigabyte: checks that memory does not grow with the database; its times mean nothing

const { values } = parseArgs({
  options: { gigabytes: { type: 'string', default: '10' }, quick: { type: 'boolean', default: false } },
});
const smaller = 0.1;
const larger = values.quick ? 0.5 : Number(values.gigabytes);
if (!(larger > smaller)) throw new Error(`--gigabytes is a number above ${smaller}`);

const postgres = await openPostgres();
const folder = await mkdtemp(join(tmpdir(), 'parapet-bench-backup-'));
const close = async () => {
  await postgres.close();
  await rm(folder, { recursive: true, force: true });
};
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void close().finally(() => process.exit(1)));

async function measure(gigabytes: number): Promise<BackupResult> {
  progress(`filling ${gigabytes} GB`);
  const database = await postgres.createDatabase();
  const owner = await connectAsOwner(database);
  const databaseBytes = await seedGigabytes(owner, database, gigabytes);
  await owner.end();
  const file = join(folder, 'backup.tar');
  progress('parapet backup');
  const backup = await measureCommand(['backup', file], {
    DATABASE_URL: database.url,
    PARAPET_MASTER_KEY: randomBytes(32).toString('base64'),
  });
  await database.drop();
  progress('parapet backup verify');
  const verify = await measureCommand(['backup', 'verify', file], {});
  const { size: fileBytes } = await stat(file);
  await rm(file);
  return { databaseBytes, fileBytes, backup, verify };
}

try {
  const [small, large] = [await measure(smaller), await measure(larger)];
  process.stdout.write(`${backupText([small, large])}\n`);
  for (const command of ['backup', 'verify'] as const) {
    if (large[command].megabytes > mostGrowth * small[command].megabytes) {
      process.stderr.write(`${command} takes over ${mostGrowth} times the memory for the larger database\n`);
      process.exitCode = 1;
    }
  }
} finally {
  await close();
}
