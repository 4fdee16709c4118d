import type { Readable } from 'node:stream';
import { ArchiveEntries } from '../backup/archive-entries.ts';
import { type DecryptionKeys, decrypted } from '../backup/encryption.ts';
import { Restore, type RestoredBackup, type TakeKey } from '../backup/restore-backup.ts';
import { StorageError } from '../database/storage-error.ts';
import { parseMasterKey } from '../resources/credentials/master-key.ts';
import { readBackup } from './backup-file.ts';
import { type Database, migrateDatabase } from './open-storage.ts';

/** Restores a backup into an empty database: all of it, verified, or nothing. Throws `StorageError`. */
export async function restoreInto(
  database: Database,
  from: string,
  keys: DecryptionKeys,
  takeKey: TakeKey = async () => {},
): Promise<RestoredBackup> {
  const takeValidKey = async (key: string) => {
    parseMasterKey(key, 'master.key in the backup', 'the backup is damaged');
    await takeKey(key);
  };
  return restoreArchive(database, await decrypted(readBackup(from), keys), takeValidKey);
}

export async function restoreArchive(
  database: Database,
  archive: Readable,
  takeKey?: TakeKey,
): Promise<RestoredBackup> {
  const restore = new Restore(await ArchiveEntries.open(archive), takeKey);
  try {
    await migrateDatabase(database, { fill: restore });
  } catch (error) {
    throw constraint(error);
  } finally {
    archive.destroy();
  }
  return restore.restored;
}

/** Rows that PostgreSQL refuses are not those of a database. Its detail may contain them. */
function constraint(error: unknown): unknown {
  const { code, message } = error as { code?: string; message: string };
  return code !== undefined && /^2[23]/.test(code)
    ? new StorageError(`The backup is damaged: ${message}`)
    : error;
}
