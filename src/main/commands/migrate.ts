import type { Command } from 'commander';
import { carryOverPostgres } from '../carry-over-postgres.ts';
import { type Configuration, readConfiguration } from '../configuration.ts';
import { migrateDatabase, openDatabase } from '../open-storage.ts';
import { type DataOption, refuseEmpty, withData } from './operator.ts';

export function addMigrate(program: Command): void {
  withData(
    program
      .command('migrate')
      .description('upgrade the database to this release, and the private PostgreSQL'),
  ).action(run);
}

async function run(options: DataOption): Promise<void> {
  const configuration = readConfiguration(process.env, options);
  await refuseEmpty(configuration);
  if (!configuration.databaseUrl) await carryOver(configuration);
  const database = await openDatabase(configuration);
  try {
    const { applied } = await migrateDatabase(database, {
      log: () => process.stderr.write('Waiting for another node, which is migrating the database\n'),
    });
    const done = applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'The database is up to date';
    process.stdout.write(`${done}\n`);
  } finally {
    await database.close();
  }
}

async function carryOver(configuration: Configuration): Promise<void> {
  const carried = await carryOverPostgres(configuration, () =>
    process.stderr.write('Copying the database into a new major version of PostgreSQL\n'),
  );
  if (!carried) return;
  const { from, to, replaced } = carried;
  process.stdout.write(
    `Copied the database from PostgreSQL ${from} to ${to}. The former one is in ${replaced}: delete it when you no longer need it.\n`,
  );
}
