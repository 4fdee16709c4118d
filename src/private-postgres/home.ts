import { lstat, mkdir, readdir, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { changeOwner, ownerOf } from './change-owner.ts';
import { makeElsewhere, refuseBorrowed } from './elsewhere.ts';
import { codeOf, PrivatePostgresError } from './error.ts';
import { refuseRootIn } from './give-up-root.ts';
import type { Log } from './log.ts';
import { canEnter, isMapped, makeFolder, NOBODY, type Owner, PARAPET, runsAsRoot } from './owner.ts';

/** The folder of the private PostgreSQL, and the owners of its contents. */
export interface Home {
  /** `<data>/postgres`, with every symbolic link resolved. */
  readonly directory: string;
  /** Runs the server and owns the cluster. Everything else in the folder belongs to Parapet's user. */
  readonly serverUser: Owner;
}

/**
 * Finds or creates `<data>/postgres`. As root, if the server's user cannot enter the data folder, the real
 * folder is created below /var/lib/parapet and `<data>/postgres` is a link to it. Existing permissions are
 * never widened.
 *
 * @throws PrivatePostgresError if the server's user has no access, or the folder belongs to another user
 */
export async function settleHome(dataDirectory: string, wanted: Owner | undefined, log: Log): Promise<Home> {
  await mkdir(dataDirectory, { recursive: true, mode: runsAsRoot() ? 0o711 : 0o700 });
  const data = await realpath(resolve(dataDirectory));
  await refuseRootIn(data);
  const entry = join(data, 'postgres');
  const serverUser = await newServerUser(wanted, log);
  if (await lstat(entry).catch(() => null)) return existingHome(data, entry, serverUser, log);
  if (!runsAsRoot() || (await canEnter(data, serverUser))) {
    await makeFolder(entry, runsAsRoot() ? 0o711 : 0o700);
    return { directory: entry, serverUser };
  }
  const directory = await makeElsewhere(data, entry, serverUser);
  log('postgres.placed_elsewhere', { directory, reason: `uid ${serverUser.uid} cannot enter ${data}` });
  return { directory, serverUser };
}

/**
 * Whether the data folder contains a private PostgreSQL. A link to one that is not mounted and an unreadable
 * folder count too, but not a folder of something else with that name.
 */
export async function hasDatabase(dataDirectory: string): Promise<boolean> {
  const entry = join(dataDirectory, 'postgres');
  try {
    if (!(await lstat(entry)).isDirectory()) return true;
    return (await readdir(entry)).some(name => /^cluster-\d+$/.test(name));
  } catch (error) {
    return !['ENOENT', 'ENOTDIR'].includes(String(codeOf(error)));
  }
}

async function existingHome(data: string, entry: string, wanted: Owner, log: Log): Promise<Home> {
  const directory = await realpath(entry).catch(() => {
    // A database that is not mounted must not be replaced with an empty one.
    throw new PrivatePostgresError(`${entry} links to a missing folder: mount or restore it`);
  });
  await refuseForeign(directory);
  if (directory !== entry) await refuseBorrowed(directory, data);
  if (!runsAsRoot()) return { directory, serverUser: wanted };
  const serverUser = await clusterOwner(directory, wanted, log);
  if (await canEnter(directory, serverUser)) return { directory, serverUser };
  throw new PrivatePostgresError(
    `the database server runs as uid ${serverUser.uid}, which cannot enter ${directory}: choose another --data`,
  );
}

/** @param wanted the operator's choice */
async function newServerUser(wanted: Owner | undefined, log: Log): Promise<Owner> {
  if (!runsAsRoot()) return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const chosen = wanted ?? PARAPET;
  if (chosen.uid === 0) throw new PrivatePostgresError('PostgreSQL does not run as root: choose another uid');
  if (await isMapped(chosen)) return chosen;
  if (wanted !== undefined || !(await isMapped(NOBODY))) {
    throw new PrivatePostgresError(
      `this container maps no uid and gid ${chosen.uid}, which would run PostgreSQL: set PARAPET_POSTGRES_UID to a uid that it maps, or set DATABASE_URL`,
    );
  }
  log('postgres.user_not_mapped', { uid: chosen.uid, instead: NOBODY.uid });
  return NOBODY;
}

/**
 * The user of an existing cluster's server: PostgreSQL opens a cluster only as its owner. If it belongs to
 * user 65534, or to root after an interrupted change, its owner becomes `wanted` if possible.
 */
async function clusterOwner(directory: string, wanted: Owner, log: Log): Promise<Owner> {
  const name = (await readdir(directory)).find(entry => /^cluster-\d+$/.test(entry));
  if (name === undefined) return wanted;
  const cluster = join(directory, name);
  const owner = await ownerOf(cluster);
  const isOurs = [0, NOBODY.uid, PARAPET.uid].includes(owner.uid);
  if (owner.uid === wanted.uid || !isOurs) return owner;
  return changeOwner(cluster, owner, wanted, log);
}

async function refuseForeign(directory: string): Promise<void> {
  await refuseRootIn(directory);
  const { uid } = await stat(directory);
  if (runsAsRoot() || uid === process.getuid?.()) return;
  throw new PrivatePostgresError(
    `${directory} belongs to uid ${uid}: run Parapet as that user, or choose another --data`,
  );
}
