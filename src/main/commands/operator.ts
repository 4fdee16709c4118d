import type { Command } from 'commander';
import { forTerminal } from '../../cli/terminal.ts';
import type { Storage } from '../../storage/storage.ts';
import { readConfiguration } from '../configuration.ts';
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
 */
export async function withStorage<T>(
  options: DataOption,
  work: (storage: Storage) => Promise<T>,
  needsKeys = false,
): Promise<T> {
  const configuration = readConfiguration(process.env, options);
  const { storage, close } = await openStorage(configuration, { works: false, needsKeys });
  try {
    return await work(storage);
  } finally {
    await close(0);
  }
}

/** One JSON document, or lines for people. */
export function print(json: boolean | undefined, value: unknown, lines: () => string): void {
  process.stdout.write(`${json ? JSON.stringify(value) : forTerminal(lines())}\n`);
}
