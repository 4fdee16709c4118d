import { chmod, lchown, lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from './log.ts';
import { canEnter, type Owner } from './owner.ts';
import { isServerOf } from './server-process.ts';

/**
 * As root, changes the owner of an existing cluster. Does nothing while a process of its server runs, even
 * one that a killed server left behind: PostgreSQL detects such a process only as the same user, and two
 * servers on one cluster destroy it. The old owner then keeps running the server until a start finds the
 * cluster unused.
 *
 * @returns the cluster's owner now
 */
export async function changeOwner(cluster: string, from: Owner, to: Owner, log: Log): Promise<Owner> {
  const reason = await reasonToWait(cluster, to);
  if (reason !== undefined) {
    log('postgres.not_handed_over', { cluster, from: from.uid, to: to.uid, reason });
    return from;
  }
  await give(cluster, to);
  log('postgres.handed_over', { cluster, from: from.uid, to: to.uid });
  return to;
}

async function reasonToWait(cluster: string, to: Owner): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'the processes of its server cannot be identified here';
  if (!(await canEnter(join(cluster, '..'), to))) return `uid ${to.uid} cannot enter its folder`;
  const entries = await readdir(cluster, { withFileTypes: true });
  const spaces = await readdir(join(cluster, 'pg_tblspc')).catch(() => []);
  if (spaces.length > 0 || entries.some(entry => entry.isSymbolicLink())) return 'it has files elsewhere';
  for (const name of await readdir('/proc')) {
    if (/^\d+$/.test(name) && (await isServerOf(Number(name), cluster))) return 'a server of it is running';
  }
  return undefined;
}

/**
 * Never follows links, because the old owner may have created one. A folder is closed to the old owner before
 * it is read: a process that has it open could replace a folder in it with a link. The cluster's folder
 * changes its owner last, so a cluster that is owned by root shows an interrupted change.
 */
async function give(path: string, owner: Owner): Promise<void> {
  await lchown(path, 0, 0);
  if ((await lstat(path)).isDirectory()) {
    await chmod(path, 0o700);
    for (const name of await readdir(path)) await give(join(path, name), owner);
  }
  await lchown(path, owner.uid, owner.gid);
}

/** The owner of a cluster. */
export async function ownerOf(cluster: string): Promise<Owner> {
  const { uid, gid } = await stat(cluster);
  return { uid, gid };
}
