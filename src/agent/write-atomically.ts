import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Replaces a file so that after a crash either the old or the new content is there. Mode 0600. */
export async function writeAtomically(path: string, content: string): Promise<void> {
  const unfinished = `${path}.new`;
  const file = await open(unfinished, 'w', 0o600);
  try {
    await file.writeFile(content);
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
  await syncFolder(dirname(path));
}

/** Makes new names in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
