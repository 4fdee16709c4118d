import type pg from 'pg';
import { scheduledBackupLock } from '../database/advisory-locks.ts';
import { connectOwner } from '../database/connect-owner.ts';
import type { ConnectionSettings } from '../database/connection.ts';
import { beginOwner } from '../database/with-owner.ts';
import { assertReadable } from './contents.ts';

export interface FinishedBackup {
  /** The moment whose rows it has. */
  readonly madeAt: string;
  readonly encrypted: boolean;
  /** Its name without the folder; null for standard output. */
  readonly name: string | null;
  readonly bytes: number;
  readonly rows: number;
}

export interface BackupFile {
  /** Without the folder. */
  readonly name: string;
  readonly bytes: number;
}

interface Recorded<T> {
  readonly backup: T;
  /** All backups of this installation in any folder, also those that were deleted. */
  readonly files: readonly BackupFile[];
}

/**
 * Makes a backup, and records it in the database that was backed up.
 *
 * @param connection of the owner
 * @param dueSince for the scheduled backup: undefined is returned, and nothing is done, if there is one since then, or while another
 *   process makes it
 */
export async function recorded<T extends FinishedBackup>(
  connection: ConnectionSettings,
  dueSince: Date | undefined,
  makeBackup: () => Promise<T>,
): Promise<Recorded<T> | undefined> {
  const owner = await connectOwner(connection, 'parapet-backup');
  try {
    // It waits for the whole backup, without a snapshot. The lock ends with it, whatever ends this process.
    await beginOwner(owner);
    await assertReadable(owner);
    if (dueSince && !(await isDue(owner, dueSince))) return undefined;
    const backup = await makeBackup();
    const files = await record(owner, backup, dueSince !== undefined);
    await owner.query('commit');
    return { backup, files };
  } finally {
    await owner.end();
  }
}

async function isDue(owner: pg.ClientBase, since: Date): Promise<boolean> {
  const { rows: locked } = await owner.query<{ has: boolean }>(
    'select pg_try_advisory_xact_lock($1) as has',
    [scheduledBackupLock],
  );
  if (!locked[0]!.has) return false;
  // A statement after the lock, to see what its last holder recorded.
  const { rowCount } = await owner.query('select from backups where scheduled and made_at >= $1', [since]);
  return rowCount === 0;
}

/** Returns all that are recorded. */
async function record(
  owner: pg.ClientBase,
  { madeAt, encrypted, name, bytes, rows }: FinishedBackup,
  scheduled: boolean,
): Promise<BackupFile[]> {
  // A newer release backs up the database of an older one, which has no such table.
  const { rows: found } = await owner.query<{ is: boolean }>(
    `select to_regclass('backups') is not null as is`,
  );
  if (!found[0]!.is) return [];
  await owner.query(
    `insert into backups (made_at, scheduled, encrypted, file, bytes, row_count) values ($1, $2, $3, $4, $5, $6)
      on conflict do nothing`,
    [madeAt, scheduled, encrypted, name, bytes, rows],
  );
  const { rows: files } = await owner.query<BackupFile>(
    'select file as name, bytes from backups where file is not null',
  );
  return files;
}
