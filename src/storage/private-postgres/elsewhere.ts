import { createHash } from 'node:crypto';
import { readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, PrivatePostgresError } from './error.ts';
import { refuseRootIn } from './give-up-root.ts';
import { canEnter, makeFolder, type Owner } from './owner.ts';

/** Where the cluster goes when the server's user cannot enter the data folder. */
const ELSEWHERE = '/var/lib/parapet';

/** In a home elsewhere: the path of the data folder that it belongs to. */
const BELONGS_TO = 'data-folder';

/**
 * Makes the home of the data folder `data` below /var/lib/parapet, and `entry`, a link to it in the data folder.
 *
 * @returns the real path of the home
 * @throws PrivatePostgresError when that cannot be done either
 */
export async function makeElsewhere(data: string, entry: string, serverUser: Owner): Promise<string> {
  const name = createHash('sha256').update(data).digest('hex').slice(0, 12);
  const directory = join(ELSEWHERE, name, 'postgres');
  try {
    await makeFolder(ELSEWHERE, 0o755);
    await makeFolder(join(ELSEWHERE, name), 0o711);
    await makeFolder(directory, 0o711);
    for (const folder of [ELSEWHERE, join(ELSEWHERE, name), directory]) await refuseRootIn(folder);
    if (!(await canEnter(directory, serverUser)))
      throw new Error(`uid ${serverUser.uid} cannot enter it either`);
    await writeFile(join(directory, BELONGS_TO), `${data}\n`, { mode: 0o600 });
    // Last, so that the link never points to a folder that was not made.
    await symlink(directory, entry).catch(error => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
    return await realpath(entry);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PrivatePostgresError(
      `the database server runs as uid ${serverUser.uid}, which cannot enter ${data}, and ${directory} cannot be used (${reason}): choose another --data`,
      { cause },
    );
  }
}

/**
 * Refuses a copied data folder: its link leads to the database of the folder that it was copied from, and what is
 * tried out in the copy would happen there. A data folder that was moved keeps its database.
 *
 * @throws PrivatePostgresError
 */
export async function refuseBorrowed(directory: string, data: string): Promise<void> {
  const path = join(directory, BELONGS_TO);
  const recorded = await readFile(path, 'utf8').catch(() => null);
  const owner = recorded?.trim();
  if (owner === undefined || owner === data) return;
  if ((await realpath(join(owner, 'postgres')).catch(() => null)) === directory) {
    throw new PrivatePostgresError(
      `${join(data, 'postgres')} links to the database of ${owner}: remove the link and restore a backup into ${data}`,
    );
  }
  await writeFile(path, `${data}\n`);
}
