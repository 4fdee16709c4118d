import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { StorageError } from '../../database/storage-error.ts';
import type { KeyRing } from './key-ring.ts';
import { type MasterKey, parseMasterKey } from './master-key.ts';

/**
 * The master key of a data folder in `master.key`, with mode 0600, and the one before it in `master.key.previous` while a
 * rotation lasts. Every use reads the files: a rotation is another process's doing. A missing key is not made here: records
 * may need the one that is missing.
 *
 * @param lost see `KeyRing`
 */
export async function keyRingOf(dataDirectory: string, lost: readonly string[] = []): Promise<KeyRing> {
  const path = join(dataDirectory, 'master.key');
  const previousPath = `${path}.previous`;
  // As root, the private PostgreSQL runs as another user, who must get through to its own folder in there.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  const made = await mkdir(dataDirectory, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw new StorageError(`The data folder ${dataDirectory} cannot be made (${error.code})`);
  });
  if (made) await chmod(dataDirectory, mode);
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
      await syncFolder(dataDirectory);
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
      // First the old key gets its second name, then the new one takes its place: a death in between loses neither.
      await link(path, previousPath).catch(ignore('EEXIST'));
      const [now, previous] = [await current(), await readKey(previousPath)];
      if (now.id === previous?.id) await rename(await writeKey(path), path);
      await syncFolder(dataDirectory);
    },
    forgetOthers: () => unlink(previousPath).catch(ignore('ENOENT')),
  };
}

async function readKey(path: string): Promise<MasterKey | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    const hint = error.code === 'EACCES' ? ': it must belong to the user who runs Parapet' : '';
    throw new StorageError(`${path} cannot be read (${error.code})${hint}`);
  });
  return text === undefined ? undefined : parseMasterKey(text, path, 'restore it from a backup');
}

/** A copy put back, or a folder of Kubernetes, may let in the group; anybody else is a mistake. */
async function assertPrivate(path: string): Promise<void> {
  const file = await stat(path).catch(ignore('ENOENT'));
  if (file && !file.isFile()) throw new StorageError(`${path} is no file: restore it from a backup`);
  if (file && file.mode & 0o007)
    throw new StorageError(`${path} can be read by every user of this machine: chmod 600 ${path}`);
}

/** The file appears whole: of two processes that start at once, one makes the key, and the other finds all of it. */
async function makeFirst(path: string): Promise<void> {
  if (await stat(path).catch(ignore('ENOENT'))) return;
  const unfinished = await writeKey(path);
  try {
    await link(unfinished, path).catch(ignore('EEXIST'));
  } finally {
    await unlink(unfinished);
  }
}

/** Writes a new key beside the path, and returns where. */
async function writeKey(path: string): Promise<string> {
  const unfinished = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const file = await open(unfinished, 'wx', 0o600);
  try {
    await file.writeFile(`${randomBytes(32).toString('base64')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  return unfinished;
}

/** Names in a folder are durable once the folder is. What a lost key has wrapped is lost. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function ignore(expected: string): (error: unknown) => undefined {
  return error => {
    if ((error as NodeJS.ErrnoException).code !== expected) throw error;
  };
}
