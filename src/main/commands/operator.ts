import type { Command } from 'commander';
import { forTerminal } from '../../cli/terminal.ts';
import type { Actor } from '../../storage/audit.ts';
import type { Storage } from '../../storage/storage.ts';
import { readConfiguration } from '../configuration.ts';
import { openStorage } from '../open-storage.ts';

/** In the audit log, what is done at the host is the operator's act. */
export const operator: Actor = { kind: 'operator', id: 'host' };

export interface DataOption {
  readonly data?: string;
}

export function withData(command: Command): Command {
  return command.option('--data <folder>', 'data folder (PARAPET_DATA, default ./data)');
}

/** Opens what the service keeps, beside a running service or without one, for the time of the work. */
export async function withStorage<T>(
  options: DataOption,
  work: (storage: Storage) => Promise<T>,
): Promise<T> {
  const { storage, close } = await openStorage(readConfiguration(process.env, options), { works: false });
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
