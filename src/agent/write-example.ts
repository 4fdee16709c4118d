import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A file that `init` would replace, or cannot write. */
class ExampleNotWritten extends Error {
  override readonly name = 'ExampleNotWritten';
}

/**
 * Writes the configuration file that `init` makes. Mode 0600.
 *
 * @throws ExampleNotWritten
 */
export function writeExample(file: string, text: string): void {
  if (existsSync(file)) throw new ExampleNotWritten(`${file} exists: choose another with --config`);
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ExampleNotWritten(
      `${file} cannot be written (${code}): choose another with --config, or run this as root`,
    );
  }
}
