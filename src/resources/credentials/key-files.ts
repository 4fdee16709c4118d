import { randomBytes } from 'node:crypto';
import { chmod, link, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { StorageError } from '../../database/storage-error.ts';
import { makeFolder } from '../../domain/make-folder.ts';
import { syncPath } from '../../domain/sync-path.ts';
import type { KeyRing } from './key-ring.ts';
import { type MasterKey, parseMasterKey } from './master-key.ts';

/**
 * The master key of a data folder in `master.key`, with mode 0600, and the previous one in `master.key.previous` during
 * a rotation. Each use reads the files, since another process may rotate. A missing key is not created here, because
 * existing records may need it.
 *
 * @param lost see `KeyRing`
 */
export async function keyRingOf(dataDirectory: string, lost: readonly string[] = []): Promise<KeyRing> {
  const path = keyPath(dataDirectory);
  const previousPath = `${path}.previous`;
  // As root, the private PostgreSQL runs as another user, who needs access to its own folder inside.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  const isNew = await makeFolder(dataDirectory, mode).catch((error: NodeJS.ErrnoException) => {
    throw new StorageError(`The data folder ${dataDirectory} cannot be made (${error.code})`);
  });
  if (isNew) await chmod(dataDirectory, mode);
  await assertPrivate(path);
  const current = async () => {
    const key = await readKey(path);
    if (!key) throw new StorageError(`${path} is missing: restore it from a backup`);
    return key;
  };
  return {
    lost,
    remedy: `Restore ${path} from a backup, and ${previousPath} where the backup has it`,
    makeFirst: async () => {
      await makeFirst(path);
      // File names are durable once their folder is synced, and everything wrapped by a lost key is lost.
      await syncPath(dataDirectory);
      await current();
    },
    current,
    find: async id => {
      let failure: unknown;
      for (const file of [path, previousPath]) {
        const key = await readKey(file).catch(error => {
          failure ??= error;
        });
        if (key?.id === id) return key;
      }
      if (failure !== undefined) throw failure;
      return undefined;
    },
    renew: async () => {
      // The old key gets its second name before the new one replaces it, so that a crash in between loses neither.
      await link(path, previousPath).catch(ignore('EEXIST'));
      const [now, previous] = [await current(), await readKey(previousPath)];
      if (now.id === previous?.id) await rename(await writeKey(path), path);
      await syncPath(dataDirectory);
    },
    forgetOthers: () => unlink(previousPath).catch(ignore('ENOENT')),
  };
}

/** Where the master key of a data folder is. */
export const keyPath = (dataDirectory: string): string => join(dataDirectory, 'master.key');

/**
 * Puts the key of a backup into a data folder, and returns what removes it again. Throws `StorageError` if that has another key, which other
 * records may need.
 */
export async function restoreKey(dataDirectory: string, key: string): Promise<() => Promise<void>> {
  const path = keyPath(dataDirectory);
  const present = await readKey(path);
  if (present && present.id !== parseMasterKey(key).id) {
    throw new StorageError(
      `${path} is another master key than that of the backup: restore into another folder`,
    );
  }
  if (present) return async () => {};
  await writePrivately(path, key);
  await syncPath(dataDirectory);
  return () => unlink(path);
}

async function readKey(path: string): Promise<MasterKey | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    const hint = error.code === 'EACCES' ? ': it must belong to the user who runs Parapet' : '';
    throw new StorageError(`${path} cannot be read (${error.code})${hint}`);
  });
  return text === undefined ? undefined : parseMasterKey(text, path, 'restore it from a backup');
}

/** A restored file or a Kubernetes volume may be readable by the group; access for all users is a mistake. */
async function assertPrivate(path: string): Promise<void> {
  const file = await stat(path).catch(ignore('ENOENT'));
  if (file && !file.isFile()) throw new StorageError(`${path} is not a file: restore it from a backup`);
  if (file && file.mode & 0o007)
    throw new StorageError(`${path} can be read by every user of this machine: chmod 600 ${path}`);
}

/**
 * The file appears with its whole content: of two processes that start at once, one creates the key and the other reads
 * it.
 */
async function makeFirst(path: string): Promise<void> {
  if (await stat(path).catch(ignore('ENOENT'))) return;
  const unfinished = await writeKey(path);
  try {
    await link(unfinished, path).catch(ignore('EEXIST'));
  } finally {
    await unlink(unfinished);
  }
}

/** Writes a new key to a temporary file beside the path, and returns its name. */
async function writeKey(path: string): Promise<string> {
  const unfinished = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writePrivately(unfinished, `${randomBytes(32).toString('base64')}\n`);
  return unfinished;
}

/** Writes a new file for this user only. */
async function writePrivately(path: string, content: string | Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

function ignore(expected: string): (error: unknown) => undefined {
  return error => {
    if ((error as NodeJS.ErrnoException).code !== expected) throw error;
  };
}
