import { lstat, mkdir, readdir, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeElsewhere, refuseBorrowed } from './elsewhere.ts';
import { PrivatePostgresError } from './error.ts';
import type { Log } from './log.ts';
import { canEnter, makeFolder, NOBODY, type Owner, runsAsRoot } from './owner.ts';

/** The folder of everything that belongs to the private PostgreSQL, and who owns what in it. */
export interface Home {
  /** `<data>/postgres`, with every symbolic link resolved. */
  readonly directory: string;
  /** Runs the server and owns the cluster. */
  readonly serverUser: Owner;
  /** Owns the folder itself, the binaries and the password: who Parapet runs as, or the data folder's owner. */
  readonly keeper: Owner;
}

/**
 * Finds or makes `<data>/postgres`. As root, where the server's user cannot enter the data folder, the real folder
 * is made below /var/lib/parapet and `<data>/postgres` becomes a link to it. Nothing that exists is opened wider.
 *
 * @throws PrivatePostgresError when the server's user cannot get in, or the folder belongs to another user
 */
export async function settleHome(dataDirectory: string, wanted: Owner | undefined, log: Log): Promise<Home> {
  await mkdir(dataDirectory, { recursive: true, mode: runsAsRoot() ? 0o711 : 0o700 });
  const data = await realpath(resolve(dataDirectory));
  const entry = join(data, 'postgres');
  const keeper = await keeperOf(data);
  if (await lstat(entry).catch(() => null)) return existingHome(data, entry, wanted, keeper);
  const serverUser = newServerUser(wanted, keeper);
  if (!runsAsRoot() || (await canEnter(data, serverUser))) {
    await makeFolder(entry, serverUser.uid === keeper.uid ? 0o700 : 0o711, keeper);
    return { directory: entry, serverUser, keeper };
  }
  const directory = await makeElsewhere(data, entry, serverUser, keeper);
  log('postgres.placed_elsewhere', { directory, because: `uid ${serverUser.uid} cannot enter ${data}` });
  return { directory, serverUser, keeper };
}

async function existingHome(
  data: string,
  entry: string,
  wanted: Owner | undefined,
  keeper: Owner,
): Promise<Home> {
  const directory = await realpath(entry).catch(() => {
    // Never a fresh, empty database in the place of one that is only not mounted.
    throw new PrivatePostgresError(`${entry} links to a folder that is gone: put the database back there`);
  });
  await refuseForeign(directory);
  const serverUser = (await clusterOwner(directory)) ?? newServerUser(wanted, keeper);
  if (!runsAsRoot()) return { directory, serverUser: keeper, keeper };
  await refuseBorrowed(directory, data);
  if (await canEnter(directory, serverUser)) return { directory, serverUser, keeper };
  throw new PrivatePostgresError(
    `the database server runs as uid ${serverUser.uid}, which cannot enter ${directory}: choose another --data`,
  );
}

async function keeperOf(data: string): Promise<Owner> {
  if (!runsAsRoot()) return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const { uid, gid } = await stat(data);
  return { uid, gid };
}

function newServerUser(wanted: Owner | undefined, keeper: Owner): Owner {
  if (!runsAsRoot()) return keeper;
  if (wanted !== undefined && wanted.uid !== 0) return wanted;
  return keeper.uid === 0 ? NOBODY : keeper;
}

/** An existing cluster decides who runs its server: PostgreSQL opens a cluster only as its owner. */
async function clusterOwner(directory: string): Promise<Owner | null> {
  const clusters = (await readdir(directory)).filter(name => /^cluster-\d+$/.test(name));
  if (clusters[0] === undefined) return null;
  const { uid, gid } = await stat(join(directory, clusters[0]));
  return { uid, gid };
}

async function refuseForeign(directory: string): Promise<void> {
  const { uid } = await stat(directory);
  if (runsAsRoot() || uid === process.getuid?.()) return;
  throw new PrivatePostgresError(
    `${directory} belongs to uid ${uid}: run Parapet as that user, or choose another --data`,
  );
}
