import { resolve } from 'node:path';
import type { Command } from 'commander';
import { forTerminal } from '../../cli/terminal.ts';
import { hasDatabase } from '../../private-postgres/home.ts';
import type { Storage } from '../../resources/storage.ts';
import { type Configuration, ConfigurationError, readConfiguration } from '../configuration.ts';
import { openStorage } from '../open-storage.ts';

export interface DataOption {
  readonly data?: string;
}

export function withData(command: Command): Command {
  return command.option('--data <folder>', 'data folder (PARAPET_DATA, default ./data)');
}

/**
 * Opens what the service keeps, beside a running service or without one, for the time of the work. Most commands encrypt
 * nothing: they help also where a master key is missing, and do not make one.
 *
 * @param mayBegin whether a new installation may begin with this command
 */
export async function withStorage<T>(
  options: DataOption,
  work: (storage: Storage) => Promise<T>,
  { needsKeys = false, mayBegin = false }: { needsKeys?: boolean; mayBegin?: boolean } = {},
): Promise<T> {
  const configuration = readConfiguration(process.env, options);
  if (!mayBegin) await refuseEmpty(configuration);
  const { storage, close } = await openStorage(configuration, { works: false, needsKeys });
  try {
    return await work(storage);
  } finally {
    await close(0);
  }
}

/** Who mistypes a folder must not be shown a new, empty installation as if it were theirs. Throws `ConfigurationError`. */
export async function refuseEmpty({ databaseUrl, dataDirectory }: Configuration): Promise<void> {
  if (databaseUrl || (await hasDatabase(dataDirectory))) return;
  throw new ConfigurationError(
    `${resolve(dataDirectory)} is no data folder of Parapet: check --data and PARAPET_DATA, or begin with parapet serve or parapet organizations create`,
  );
}

/** One JSON document, or lines for people. */
export function print(json: boolean | undefined, value: unknown, lines: () => string): void {
  process.stdout.write(`${json ? JSON.stringify(value) : forTerminal(lines())}\n`);
}
