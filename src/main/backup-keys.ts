import { readFile } from 'node:fs/promises';
import type { DecryptionKeys, EncryptionKeys } from '../backup/encryption.ts';
import { secretOf } from '../domain/secret-variable.ts';
import { commaSeparated } from './configuration.ts';
import { ConfigurationError } from './configuration-error.ts';

/** Where the keys of backups are: never on the command line, which other users of the machine can read. */
export interface KeyOptions {
  readonly passphraseFile?: string;
  readonly recipient?: readonly string[];
  readonly identityFile?: string;
}

/** What to encrypt a backup to; undefined to leave it readable. Throws `ConfigurationError`. */
export async function encryptionKeys(options: KeyOptions): Promise<EncryptionKeys | undefined> {
  const passphrase = await passphraseOf(options);
  const recipients = options.recipient ?? commaSeparated(process.env.PARAPET_BACKUP_RECIPIENTS);
  if (passphrase === undefined && recipients.length === 0) return undefined;
  return { passphrase, recipients };
}

/** Throws `ConfigurationError`. */
export async function decryptionKeys(options: KeyOptions): Promise<DecryptionKeys> {
  const lines = options.identityFile === undefined ? [] : (await read(options.identityFile)).split('\n');
  const identities = lines.map(line => line.trim()).filter(line => line !== '' && !line.startsWith('#'));
  return { passphrase: await passphraseOf(options), identities };
}

async function passphraseOf({ passphraseFile }: KeyOptions): Promise<string | undefined> {
  const text =
    passphraseFile === undefined
      ? secretOf(process.env, 'PARAPET_BACKUP_PASSPHRASE')
      : await read(passphraseFile);
  const passphrase = text?.trim();
  if (passphrase === undefined) return undefined;
  if (passphrase.length < 12)
    throw new ConfigurationError('The passphrase of backups must have at least 12 characters');
  return passphrase;
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new ConfigurationError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
