import { chmod, lstat, mkdtemp, readFile, readlink, realpath, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface ThrowAwayFolder {
  readonly path: string;
  /** Removes it with all that is in it, and the database where that was placed elsewhere. */
  remove(): Promise<void>;
}

/** Makes an empty data folder that lives only as long as a demonstration. */
export async function makeThrowAwayFolder(): Promise<ThrowAwayFolder> {
  const path = await mkdtemp(join(await realpath(tmpdir()), 'parapet-demo-'));
  // As root the database runs as another user, who must get through to its part.
  if (process.getuid?.() === 0) await chmod(path, 0o711);
  return {
    path,
    remove: async () => {
      await removeElsewhere(path);
      await rm(path, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** As root, where the database's user cannot enter the folder, `postgres` in it is a link to a place of its own. */
async function removeElsewhere(folder: string): Promise<void> {
  const entry = join(folder, 'postgres');
  if (!(await lstat(entry).catch(() => null))?.isSymbolicLink()) return;
  const home = await readlink(entry);
  // It says whose it is: nothing else is ever removed.
  const owner = await readFile(join(home, 'data-folder'), 'utf8').catch(() => '');
  if (owner.trim() !== folder) return;
  await rm(dirname(home), { recursive: true, force: true, maxRetries: 3 });
  // Only goes when no other data folder has its database there.
  await rmdir(dirname(dirname(home))).catch(() => undefined);
}
