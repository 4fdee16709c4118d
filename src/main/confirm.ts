import { createInterface } from 'node:readline/promises';
import { forTerminal } from '../cli/terminal.ts';
import { ConfigurationError } from './configuration-error.ts';

/**
 * Has a person at a terminal type the text, as long as `yes` does not confirm it. Throws `ConfigurationError` without it.
 *
 * @param text names what is to be deleted
 */
export async function confirm(text: string, yes: boolean | undefined): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY) throw new ConfigurationError('Without a terminal, confirm with --yes');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const typed = await terminal.question(`Type "${forTerminal(text)}" to delete it: `);
  terminal.close();
  if (typed.trim() !== text.trim()) throw new ConfigurationError('Nothing was deleted: this is another name');
}

export interface ExportOptions {
  readonly export?: string;
  readonly withoutExport?: boolean;
  readonly yes?: boolean;
}

/** The file of `--export`; undefined for `--without-export`. Throws `ConfigurationError` unless one of them is given. */
export function givenExport({ export: file, withoutExport }: ExportOptions): string | undefined {
  if ((file === undefined) === (withoutExport === undefined))
    throw new ConfigurationError('Give either --export FILE or --without-export');
  return file;
}
