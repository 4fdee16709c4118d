import type { Command } from 'commander';
import { migrate } from '../../storage/migrate.ts';
import { readConfiguration } from '../configuration.ts';
import { openDatabase } from '../open-storage.ts';
import { type DataOption, withData } from './operator.ts';

export function addMigrate(program: Command): void {
  withData(program.command('migrate').description("bring the database to this program's version")).action(
    run,
  );
}

async function run(options: DataOption): Promise<void> {
  const database = await openDatabase(readConfiguration(process.env, options));
  try {
    const { applied } = await migrate(database.connection);
    const done =
      applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'Nothing to do: the database is up to date';
    process.stdout.write(`${done}\n`);
  } finally {
    await database.close();
  }
}
