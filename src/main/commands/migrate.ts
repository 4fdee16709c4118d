import type { Command } from 'commander';
import { readConfiguration } from '../configuration.ts';
import { migrateDatabase, openDatabase } from '../open-storage.ts';
import { type DataOption, refuseEmpty, withData } from './operator.ts';

export function addMigrate(program: Command): void {
  withData(program.command('migrate').description('apply pending database migrations')).action(run);
}

async function run(options: DataOption): Promise<void> {
  const configuration = readConfiguration(process.env, options);
  await refuseEmpty(configuration);
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
