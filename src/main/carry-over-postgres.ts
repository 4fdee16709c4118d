import { writeBackup } from '../backup/write-backup.ts';
import { type CarriedOver, carryOver } from '../private-postgres/carry-over.ts';
import { giveUpRoot } from '../private-postgres/give-up-root.ts';
import type { Configuration } from './configuration.ts';
import { restoreArchive } from './restore.ts';

/**
 * Copies the private PostgreSQL of an older major version into one of this release, verified like a restore. Undefined if that is not
 * necessary. Throws `PrivatePostgresError` or `StorageError`.
 *
 * @param onBegin called before it begins to copy
 */
export async function carryOverPostgres(
  { dataDirectory: directory, postgresUser }: Configuration,
  onBegin: () => void,
): Promise<CarriedOver | undefined> {
  await giveUpRoot(directory);
  const serverUser = postgresUser === undefined ? {} : { serverUser: postgresUser };
  return carryOver({ directory, ...serverUser }, async (from, to) => {
    onBegin();
    const { stream, done } = writeBackup(from, { complete: true });
    const database = { connection: to, direct: to, close: async () => {} };
    await Promise.all([done, restoreArchive(database, stream)]);
  });
}
