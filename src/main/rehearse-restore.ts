import type { DecryptionKeys } from '../backup/encryption.ts';
import type { RestoredBackup } from '../backup/restore-backup.ts';
import { openPrivatePostgres } from '../private-postgres/open.ts';
import { restoreInto } from './restore.ts';
import { makeThrowAwayFolder } from './throw-away-folder.ts';

/** Restores a backup into a temporary private PostgreSQL, which is removed. Throws `StorageError` if it cannot be restored. */
export async function rehearse(from: string, keys: DecryptionKeys): Promise<RestoredBackup> {
  const folder = await makeThrowAwayFolder();
  try {
    const server = await openPrivatePostgres({ directory: folder.path });
    try {
      return await restoreInto({ ...server, direct: server.connection }, from, keys);
    } finally {
      await server.close();
    }
  } finally {
    await folder.remove();
  }
}
