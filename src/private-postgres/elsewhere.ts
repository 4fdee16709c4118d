import { createHash } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, realpath, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ignore, PrivatePostgresError } from './error.ts';
import { refuseRootIn } from './give-up-root.ts';
import { canEnter, makeFolder, type Owner } from './owner.ts';

/** The location of clusters whose server user cannot enter the data folder. */
const ELSEWHERE = '/var/lib/parapet';

/** A file in such a home with the path of its data folder. */
const BELONGS_TO = 'data-folder';

/**
 * Creates the home of the data folder `data` below /var/lib/parapet, and `entry`, a link to it in the data
 * folder.
 *
 * @returns the real path of the home
 * @throws PrivatePostgresError if that fails too
 */
export async function makeElsewhere(data: string, entry: string, serverUser: Owner): Promise<string> {
  const name = createHash('sha256').update(data).digest('hex').slice(0, 12);
  let directory = join(ELSEWHERE, name, 'postgres');
  try {
    await makeFolder(ELSEWHERE, 0o755);
    await makeFolder(join(ELSEWHERE, name), 0o711);
    if (await hasCluster(directory)) directory = await makeBeside(join(ELSEWHERE, name));
    await makeFolder(directory, 0o711);
    for (const folder of [ELSEWHERE, dirname(directory), directory]) await refuseRootIn(folder);
    if (!(await canEnter(directory, serverUser)))
      throw new Error(`uid ${serverUser.uid} cannot enter it either`);
    await writeFile(join(directory, BELONGS_TO), `${data}\n`, { mode: 0o600 });
    // Last, so that the link never points to a missing folder.
    await symlink(directory, entry).catch(ignore('EEXIST'));
    return await realpath(entry);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PrivatePostgresError(
      `the database server runs as uid ${serverUser.uid}, which cannot enter ${data}, and ${directory} cannot be used (${reason}): choose another --data`,
      { cause },
    );
  }
}

/** An existing database belongs to an earlier data folder at this path, which may have been moved. */
async function hasCluster(directory: string): Promise<boolean> {
  const names = await readdir(directory).catch(() => []);
  return names.some(name => name.startsWith('cluster-'));
}

async function makeBeside(folder: string): Promise<string> {
  const parent = await mkdtemp(`${folder}-`);
  await chmod(parent, 0o711);
  return join(parent, 'postgres');
}

/**
 * Refuses a copied data folder whose `postgres` is a link to the original's database, because changes in the
 * copy would happen there. A moved data folder keeps its database.
 *
 * @throws PrivatePostgresError
 */
export async function refuseBorrowed(directory: string, data: string): Promise<void> {
  const path = join(directory, BELONGS_TO);
  const recorded = await readFile(path, 'utf8').catch(() => null);
  const owner = recorded?.trim();
  if (owner === data) return;
  if (owner !== undefined && (await isOtherFolder(owner, data)) && (await homeOf(owner)) === directory) {
    throw new PrivatePostgresError(
      `${join(data, 'postgres')} links to the database of ${owner}: remove the link and restore a backup into ${data}`,
    );
  }
  await writeFile(path, `${data}\n`, { mode: 0o600 });
}

/** False for one folder that is mounted at two places. */
async function isOtherFolder(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map(path => stat(path).catch(() => null)));
  return first?.dev !== second?.dev || first?.ino !== second?.ino;
}

async function homeOf(data: string): Promise<string | null> {
  return realpath(join(data, 'postgres')).catch(() => null);
}
