import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncPath } from '../domain/sync-path.ts';

/** The last write of each file. */
const writing = new Map<string, Promise<void>>();

/** Replaces a file so that after a crash either the old or the new content is there, one write at a time. Mode 0600. */
export async function writeAtomically(path: string, content: string): Promise<void> {
  const before = writing.get(path) ?? Promise.resolve();
  const done = before.catch(() => {}).then(() => replace(path, content));
  writing.set(path, done);
  try {
    await done;
  } finally {
    if (writing.get(path) === done) writing.delete(path);
  }
}

async function replace(path: string, content: string): Promise<void> {
  const unfinished = `${path}.new`;
  // What a crash left, or what someone else put there: a link would lead the write to another file.
  await rm(unfinished, { force: true });
  const file = await open(unfinished, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
  await syncPath(dirname(path));
}
