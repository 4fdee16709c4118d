import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { takeProcessLock } from '../locks/process-lock.ts';

/** Another agent uses the folder. */
class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
}

export interface FolderLock {
  release(): Promise<void>;
}

/**
 * Keeps other agents from the folder until this process ends, however it ends.
 *
 * @throws FolderInUse
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const path = join(folder, 'lock');
  // A process that can open the file can take the lock.
  const file = await open(path, 'a', 0o600);
  await file.close();
  const release = await takeProcessLock(path);
  if (!release)
    throw new FolderInUse(`another process of Parapet uses ${folder}. Stop it, or set another spool folder`);
  return { release };
}
