import { chmod, mkdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from './error.ts';

/** The operating system's user and group ids. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Runs PostgreSQL if Parapet runs as root, because PostgreSQL refuses root. No other program uses this id:
 * programs of the same user could read and change the whole database.
 */
export const PARAPET: Owner = { uid: 64_701, gid: 64_701 };

/**
 * `nobody`/`nogroup` on Linux: owns clusters of earlier versions, and clusters where `PARAPET` is not mapped.
 */
export const NOBODY: Owner = { uid: 65_534, gid: 65_534 };

/** Whether processes can run as this user: a container's user namespace may map only some ids. */
export async function isMapped({ uid, gid }: Owner): Promise<boolean> {
  const [users, groups] = await Promise.all(['uid_map', 'gid_map'].map(readMap));
  return users!(uid) && groups!(gid);
}

/**
 * Lines of `first inside, first outside, count` (user_namespaces(7)). Without the file, every id is mapped.
 */
async function readMap(name: string): Promise<(id: number) => boolean> {
  const text = await readFile(`/proc/self/${name}`, 'utf8').catch(() => '0 0 4294967295');
  const ranges = text
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/).map(Number));
  return id => ranges.some(([first = 0, , count = 0]) => id >= first && id < first + count);
}

/** Whether Parapet runs as root and must run PostgreSQL as another user. */
export function runsAsRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Whether `user` can enter `directory`, according to the owners and mode bits of every folder on its path.
 * Only the primary group counts: a child process with another uid gets no other groups.
 */
export async function canEnter(directory: string, user: Owner): Promise<boolean> {
  const entry = await stat(directory);
  const executable = entry.uid === user.uid ? 0o100 : entry.gid === user.gid ? 0o010 : 0o001;
  if ((entry.mode & executable) === 0) return false;
  const parent = dirname(directory);
  return parent === directory || canEnter(parent, user);
}

/** Creates a folder with this mode, whatever the umask. An existing one is not changed. */
export async function makeFolder(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    throw error;
  }
  await chmod(path, mode);
}
