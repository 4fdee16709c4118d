import { chmod, lstat, mkdtemp, readFile, readlink, realpath, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface ThrowAwayFolder {
  readonly path: string;
  /** Removes the folder, and the database if it is outside the folder. */
  remove(): Promise<void>;
}

/** Creates an empty data folder. */
export async function makeThrowAwayFolder(): Promise<ThrowAwayFolder> {
  const path = await mkdtemp(join(await realpath(tmpdir()), 'parapet-temporary-'));
  // As root, the database runs as another user, which needs to traverse the folder.
  if (process.getuid?.() === 0) await chmod(path, 0o711);
  return {
    path,
    remove: async () => {
      await removeElsewhere(path);
      await rm(path, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** As root, `postgres` is a symbolic link when the database user cannot enter the folder. */
async function removeElsewhere(folder: string): Promise<void> {
  const entry = join(folder, 'postgres');
  if (!(await lstat(entry).catch(() => null))?.isSymbolicLink()) return;
  const home = await readlink(entry);
  // The file names the owning data folder: never remove the database of another one.
  const owner = await readFile(join(home, 'data-folder'), 'utf8').catch(() => '');
  if (owner.trim() !== folder) return;
  await rm(dirname(home), { recursive: true, force: true, maxRetries: 3 });
  // Fails, as intended, while the database of another data folder is there.
  await rmdir(dirname(dirname(home))).catch(() => undefined);
}
