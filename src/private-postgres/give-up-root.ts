import { stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { codeOf, PrivatePostgresError } from './error.ts';
import type { Log } from './log.ts';
import { canEnter, runsAsRoot } from './owner.ts';

/**
 * As root, makes this process one of the data folder's owner, for good, where that is another user. The owner can replace
 * everything in the folder, at any moment, by a link to a file of root's: then root must not read or write there at all.
 *
 * @throws PrivatePostgresError when the process cannot become that user, or that user could not run Parapet
 */
export async function giveUpRoot(dataDirectory: string, log: Log = () => undefined): Promise<void> {
  if (!runsAsRoot()) return;
  const owner = await stat(dataDirectory).catch(() => null);
  if (owner === null || owner.uid === 0) return;
  if (!(await canEnter(import.meta.dirname, owner))) {
    throw new PrivatePostgresError(
      `${dataDirectory} belongs to uid ${owner.uid}, which cannot enter ${import.meta.dirname}: install Parapet where that user can run it`,
    );
  }
  try {
    become(owner.uid);
  } catch (cause) {
    throw new PrivatePostgresError(
      `${dataDirectory} belongs to uid ${owner.uid}: run Parapet as that user (${codeOf(cause) ?? cause})`,
      { cause },
    );
  }
  log('root_given_up', { uid: owner.uid, because: `${dataDirectory} belongs to that user` });
}

/** Refuses root a folder of another user's, see `giveUpRoot`. @throws PrivatePostgresError */
export async function refuseRootIn(directory: string): Promise<void> {
  const { uid } = await stat(directory);
  if (!runsAsRoot() || uid === 0) return;
  throw new PrivatePostgresError(
    `${directory} belongs to uid ${uid}, root does not work in it: run Parapet as that user (sudo -u '#${uid}'), or choose another --data`,
  );
}

/** The folder's group plays no part: it may be root's. */
function become(uid: number): void {
  const gid = primaryGroupOf(uid);
  process.setgroups!([gid]);
  process.setgid!(gid);
  process.setuid!(uid);
}

/** A user without an entry in /etc/passwd gets the group of the same number. */
function primaryGroupOf(uid: number): number {
  // Node tells only of the user that a process is at the moment.
  process.seteuid!(uid);
  try {
    return userInfo().gid;
  } catch {
    return uid;
  } finally {
    process.seteuid!(0);
  }
}
