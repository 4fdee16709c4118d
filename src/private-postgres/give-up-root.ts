import { stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { codeOf, PrivatePostgresError } from './error.ts';
import type { Log } from './log.ts';
import { canEnter, runsAsRoot } from './owner.ts';

/**
 * As root, permanently switches this process to the data folder's owner, if that is another user. The owner
 * can replace anything in the folder with a link to a file of root at any time, so root must not read or
 * write there.
 *
 * @throws PrivatePostgresError if the process cannot switch to that user, or that user cannot run Parapet
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
  log('root_given_up', { uid: owner.uid, reason: `${dataDirectory} belongs to that user` });
}

/** Refuses to let root work in another user's folder, see `giveUpRoot`. @throws PrivatePostgresError */
export async function refuseRootIn(directory: string): Promise<void> {
  const { uid } = await stat(directory);
  if (!runsAsRoot() || uid === 0) return;
  throw new PrivatePostgresError(
    `${directory} belongs to uid ${uid}, root does not work in it: run Parapet as that user (sudo -u '#${uid}'), or choose another --data`,
  );
}

/** The folder's group is not used, because it may be root's. */
function become(uid: number): void {
  const gid = primaryGroupOf(uid);
  process.setgroups!([gid]);
  process.setgid!(gid);
  process.setuid!(uid);
}

/** A user without an entry in /etc/passwd gets the group with the same id. */
function primaryGroupOf(uid: number): number {
  // Node only reports the current user of a process.
  process.seteuid!(uid);
  try {
    return userInfo().gid;
  } catch {
    return uid;
  } finally {
    process.seteuid!(0);
  }
}
