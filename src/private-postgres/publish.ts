import { chmod, mkdir, mkdtemp, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, ignore } from './error.ts';

const MAKING = /^making-(\d+)-/;

/**
 * Creates the folder `<home>/<name>` completely or not at all: `make` fills a temporary folder, which is
 * renamed at the end. If another process was faster, the temporary folder is discarded.
 */
export async function publishFolder(
  home: string,
  name: string,
  make: (unfinished: string, workshop: string) => Promise<void>,
): Promise<void> {
  await removeUnfinished(home);
  const workshop = await mkdtemp(join(home, `making-${process.pid}-`));
  try {
    await chmod(workshop, 0o711);
    const unfinished = join(workshop, name);
    await mkdir(unfinished);
    await make(unfinished, workshop);
    await rename(unfinished, join(home, name)).catch(ignore('ENOTEMPTY', 'EEXIST'));
    await sync(home);
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
}

/** Removes temporary folders of killed processes. */
async function removeUnfinished(home: string): Promise<void> {
  for (const workshop of await unfinishedIn(home)) {
    // An initdb that outlived its parent may still write there: then the next start removes it.
    await rm(workshop, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Temporary folders of killed processes. */
export async function unfinishedIn(home: string): Promise<string[]> {
  const names = await readdir(home);
  return names.flatMap(name => {
    const maker = MAKING.exec(name)?.[1];
    return maker === undefined || isAlive(Number(maker)) ? [] : [join(home, name)];
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Makes a file durable, or the renames in a folder. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
