import { resolve } from 'node:path';
import type { Command } from 'commander';
import { forTerminal } from '../../cli/terminal.ts';
import type { ConnectionSettings } from '../../database/connection.ts';
import { hasDatabase } from '../../private-postgres/home.ts';
import type { Storage } from '../../resources/storage.ts';
import { type Configuration, readConfiguration } from '../configuration.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { openStorage } from '../open-storage.ts';

export interface DataOption {
  readonly data?: string;
}

export function withData(command: Command): Command {
  return command.option('--data <folder>', 'data folder (PARAPET_DATA, default ./data)');
}

/** For commands that delete. */
export function withExport(command: Command): Command {
  return withData(command)
    .option('--export <file>', 'export to this new file before anything is deleted')
    .option('--without-export', 'delete without an export')
    .option('--yes', 'skip the confirmation')
    .option('--json', 'print JSON');
}

/** Collects the values of an option that can be given several times. */
export const repeatable = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
];

/**
 * Opens the storage for the duration of `work`; the service may be running. Most commands encrypt nothing, and therefore also work when
 * a master key is missing. None of them creates an installation or migrates it: nodes of another release may use it.
 *
 * @param work gets the connection of the owner too
 */
export async function withStorage<T>(
  options: DataOption,
  work: (storage: Storage, owner: ConnectionSettings) => Promise<T>,
  { needsKeys = false, usesReplica = false }: { needsKeys?: boolean; usesReplica?: boolean } = {},
): Promise<T> {
  const configuration = readConfiguration(process.env, options);
  await refuseEmpty(configuration);
  const { storage, owner, close } = await openStorage(configuration, {
    works: false,
    needsKeys,
    usesReplica,
    instead: serveOrMigrate,
  });
  try {
    return await work(storage, owner);
  } finally {
    await close(0);
  }
}

const serveOrMigrate = 'start parapet serve, which prepares it, or run parapet migrate';

/** A mistyped folder must not silently become a new installation. Throws `ConfigurationError`. */
export async function refuseEmpty({ databaseUrl, dataDirectory }: Configuration): Promise<void> {
  if (databaseUrl || (await hasDatabase(dataDirectory))) return;
  throw new ConfigurationError(
    `${resolve(dataDirectory)} is not a Parapet data folder. Check --data and PARAPET_DATA, or create an installation with parapet serve`,
  );
}

/** Prints one JSON document, or plain text. */
export function print(json: boolean | undefined, value: unknown, lines: () => string): void {
  process.stdout.write(`${json ? JSON.stringify(value) : forTerminal(lines())}\n`);
}
