import { CommandFailed, outputOf } from './run-command.ts';
import type { SecretSource } from './settings.ts';
import { FileRefused, readTrustedFile } from './trusted-path.ts';

/** A secret that could not be read. The message says which one and why, without its value. */
export class SecretMissing extends Error {
  override readonly name = 'SecretMissing';
}

const commandMs = 30_000;
const mostBytes = 16_384;

/**
 * Reads a secret from the environment, a file or the output of a command. One trailing line break is removed.
 *
 * @param signal ends the command
 * @throws SecretMissing, and the reason of the signal
 */
export async function readSecret(source: SecretSource, signal?: AbortSignal): Promise<string> {
  const text = await textOf(source, signal);
  const secret = text.replace(/\r?\n$/, '');
  if (secret === '') throw new SecretMissing(`${describe(source)} is empty`);
  return secret;
}

async function textOf(source: SecretSource, signal: AbortSignal | undefined): Promise<string> {
  if ('env' in source) {
    const value = process.env[source.env];
    if (value === undefined) throw new SecretMissing(`${describe(source)} is not set, or not exported`);
    return value;
  }
  if ('file' in source) {
    const bytes = bytesOf(source.file, describe(source));
    if (bytes.length > mostBytes)
      throw new SecretMissing(`${describe(source)} is longer than ${mostBytes} bytes`);
    return bytes.toString('utf8');
  }
  try {
    return await outputOf(source.command, { milliseconds: commandMs, bytes: mostBytes }, signal);
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    throw new SecretMissing(`${describe(source)} ${error.message}`);
  }
}

/** A link can lead to any file that this user may read, and the target would receive its text. */
function bytesOf(file: string, what: string): Buffer {
  try {
    return readTrustedFile(file);
  } catch (error) {
    throw new SecretMissing(`${what} ${whyUnreadable(error as NodeJS.ErrnoException)}`);
  }
}

function whyUnreadable(error: NodeJS.ErrnoException): string {
  if (error instanceof FileRefused) return error.message;
  return error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${error.code})`;
}

function describe(source: SecretSource): string {
  if ('env' in source) return `the environment variable ${source.env}`;
  if ('file' in source) return `the file ${source.file}`;
  return 'the command for the secret';
}
