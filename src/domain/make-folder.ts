import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder with its parents, and returns whether it did not exist. Unlike the recursive `mkdir` of Node.js, which never ends in
 * /proc, it rejects with the system's error wherever no folder can be made.
 *
 * @param mode of those that it makes
 */
export async function makeFolder(path: string, mode: number): Promise<boolean> {
  try {
    return await makeOne(path, mode);
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error;
    await makeFolder(parent, mode);
    return makeOne(path, mode);
  }
}

async function makeOne(path: string, mode: number): Promise<boolean> {
  try {
    await mkdir(path, { mode });
    return true;
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST' && (await stat(path)).isDirectory();
    if (isThere) return false;
    throw error;
  }
}
