import { createHash } from 'node:crypto';
import { chmod, chown, lstat, mkdtemp, readdir, realpath, rmdir, stat, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Home } from './home.ts';
import { runsAsRoot } from './owner.ts';

/** Part of the socket's file name; nothing listens on TCP. */
export const PORT = 5432;

/** Maximum bytes of a socket's path: `sun_path` without the final zero. */
const LONGEST_PATH = process.platform === 'linux' ? 107 : 103;

/** Prefix of each socket folder's name in the home. */
const IN_HOME = 's-';

/** Socket folders older than this are not of a server that is about to start. */
const LEFT_OVER_AFTER_MILLISECONDS = 60_000;

/**
 * Creates a new folder (mode 0700, owned by the server's user) for the socket of one start of the server, so
 * that leftovers of an earlier start do not matter. It is in the home, or in the system's temporary folder if
 * the path would be too long for a socket.
 */
export async function makeSocketDirectory(home: Home): Promise<string> {
  const inHome = join(home.directory, IN_HOME);
  const directory = await mkdtemp(fits(inHome) ? inHome : await temporaryPrefix(home));
  await chmod(directory, 0o700);
  if (runsAsRoot()) await chown(directory, home.serverUser.uid, home.serverUser.gid);
  return directory;
}

/** Whether a folder in the home with this name is a socket folder. */
export function isSocketDirectoryName(name: string): boolean {
  return name.startsWith(IN_HOME);
}

/** Removes the socket folder of a dead server. */
export async function removeSocketDirectory(directory: string): Promise<void> {
  // File by file, not recursively, so that root deletes nothing but a socket and its lock.
  for (const name of [`.s.PGSQL.${PORT}`, `.s.PGSQL.${PORT}.lock`]) {
    await unlink(join(directory, name)).catch(() => undefined);
  }
  await rmdir(directory).catch(() => undefined);
}

/** Removes socket folders of killed servers of this home. */
export async function removeLeftOverSocketDirectories(home: Home, inUse: string): Promise<void> {
  const prefixes = [join(home.directory, IN_HOME), await temporaryPrefix(home)];
  for (const prefix of prefixes) {
    const parent = join(prefix, '..');
    for (const name of await readdir(parent)) {
      const directory = join(parent, name);
      if (!directory.startsWith(prefix) || directory === inUse) continue;
      const entry = await lstat(directory).catch(() => null);
      if (!entry?.isDirectory() || entry.uid !== home.serverUser.uid) continue;
      if (Date.now() - entry.mtimeMs > LEFT_OVER_AFTER_MILLISECONDS) await removeSocketDirectory(directory);
    }
  }
}

/**
 * Prefix of the paths of this home's socket folders outside of it. It contains device and inode, which a
 * moved home keeps, and a copy does not have.
 */
export async function temporaryPrefix(home: Home): Promise<string> {
  const { dev, ino } = await stat(home.directory);
  const name = createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 8);
  const prefix = join(await realpath(tmpdir()), `parapet-${name}-`);
  return fits(prefix) ? prefix : `/tmp/parapet-${name}-`;
}

function fits(prefix: string): boolean {
  return Buffer.byteLength(`${prefix}XXXXXX/.s.PGSQL.${PORT}`) <= LONGEST_PATH;
}
