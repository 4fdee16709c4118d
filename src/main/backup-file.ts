import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
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
export async function writeWhole(path: string, content: Readable): Promise<void> {
  if (await stat(path).catch(() => null)) throw new StorageError(`${path} exists already`);
  const unfinished = `${path}.unfinished`;
  try {
    await pipeline(content, createWriteStream(unfinished, { mode: 0o600, flags: 'w' }));
    await syncPath(unfinished);
    await rename(unfinished, path);
    await syncPath(dirname(path));
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** The bytes of the file, or of standard input for `-`. */
export function readBackup(path: string): AsyncIterable<Buffer> {
  return path === '-' ? process.stdin : createReadStream(path);
}
