import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { link, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Keep, notKept } from '../backup/kept-backups.ts';
import { StorageError } from '../database/storage-error.ts';
import { syncPath } from '../domain/sync-path.ts';

/** The path of the file, or of a new one in the folder. */
export async function pathOfBackup(to: string, now: Date, isEncrypted: boolean): Promise<string> {
  if (!(await stat(to).catch(() => null))?.isDirectory()) return to;
  const moment = now.toISOString().replace(/[-:]|\.\d+/g, '');
  return join(to, `parapet-${moment}.tar${isEncrypted ? '.age' : ''}`);
}

/**
 * Writes a file that only its user can read, and that is on disk when this ends. Until then it has another name, and if it fails, it is
 * removed: a file with its own name is whole. Throws `StorageError` if there is a file already.
 */
export async function writeWhole(path: string, content: Readable, signal?: AbortSignal): Promise<void> {
  if (await stat(path).catch(() => null)) throw new StorageError(`${path} exists already`);
  // Each writer has a file, also of two that write to one path.
  const unfinished = `${path}.${randomBytes(6).toString('hex')}.unfinished`;
  try {
    await pipeline(content, createWriteStream(unfinished, { mode: 0o600, flags: 'wx' }), { signal });
    await syncPath(unfinished);
    await give(unfinished, path);
    await syncPath(dirname(path));
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Renames the file, unless there is one of that name: a link, which never replaces another file, where the file system has links. */
async function give(unfinished: string, path: string): Promise<void> {
  try {
    await link(unfinished, path);
    await rm(unfinished);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new StorageError(`${path} exists already`);
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) throw error;
    await rename(unfinished, path);
  }
}

/** The moment in the name of a file in a folder of backups. */
const namedMoment = /^parapet-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar(?:\.age)?$/;

/**
 * Deletes those of an installation's backups in the folder that are not kept. Returns their names.
 *
 * @param names of all backups of the installation: another one may use the folder too
 */
export async function deleteOldBackups(
  folder: string,
  names: readonly string[],
  keep: Keep,
): Promise<string[]> {
  const own = new Set(names);
  const found = (await readdir(folder)).flatMap(name => {
    const moment = own.has(name) ? namedMoment.exec(name)?.slice(1).map(Number) : undefined;
    if (!moment) return [];
    const [year, month, day, ...time] = moment as [number, number, number, number, number, number];
    return [{ name, madeAt: new Date(Date.UTC(year, month - 1, day, ...time)) }];
  });
  const old = notKept(found, keep).map(({ name }) => name);
  for (const name of [...old, ...(await abandoned(folder))]) await rm(join(folder, name), { force: true });
  return old;
}

/** Files of processes that were killed: nothing has been written to them for a day. */
async function abandoned(folder: string): Promise<string[]> {
  const unfinished = (await readdir(folder)).filter(name => /^parapet-[^/]+\.unfinished$/.test(name));
  const isOld = async (name: string) => {
    const { mtimeMs } = (await stat(join(folder, name)).catch(() => null)) ?? { mtimeMs: Date.now() };
    return Date.now() - mtimeMs > 86_400_000;
  };
  const old = await Promise.all(unfinished.map(isOld));
  return unfinished.filter((_name, index) => old[index]);
}

/** The bytes of the file, or of standard input for `-`. */
export function readBackup(path: string): AsyncIterable<Buffer> {
  return path === '-' ? process.stdin : createReadStream(path);
}
