import { createHash, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StorageError } from '../storage-error.ts';

/** The key that wraps every credential's own key. It is never stored in the database. */
export interface MasterKey {
  /** 16 hex characters that tell keys apart and say nothing about them. */
  readonly id: string;
  readonly key: KeyObject;
}

const form = 'must be 32 bytes in base64 (make one with: openssl rand -base64 32)';

/** Reads `PARAPET_MASTER_KEY`. Throws a `StorageError` that does not repeat the value. */
export function parseMasterKey(value: string): MasterKey {
  const bytes = Buffer.from(value.trim(), 'base64');
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(value.trim()) || bytes.length !== 32) {
    throw new StorageError(`PARAPET_MASTER_KEY ${form}`);
  }
  const id = createHash('sha256').update('parapet master key id').update(bytes).digest('hex').slice(0, 16);
  return { id, key: createSecretKey(bytes) };
}

/** The master key of a data folder, made on first use with mode 0600. */
export async function masterKeyOf(dataDirectory: string): Promise<MasterKey> {
  const path = join(dataDirectory, 'master.key');
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  try {
    // Exclusive: of two processes that start at once, one makes the key and the other reads it.
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(`${randomBytes(32).toString('base64')}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return parseMasterKey(await readFile(path, 'utf8'));
}
