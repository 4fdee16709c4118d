import { createHash } from 'node:crypto';
import { chmod, chown, lstat, mkdtemp, readdir, realpath, rmdir, stat, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Home } from './home.ts';
import { runsAsRoot } from './owner.ts';

/** Part of the socket's file name; nothing listens on TCP. */
export const PORT = 5432;

/** Bytes that the kernel takes for a socket's path: `sun_path` without its final zero. */
const LONGEST_PATH = process.platform === 'linux' ? 107 : 103;

/** Begins the name of each socket folder in the home. */
const IN_HOME = 's-';

/** A folder that is left over is one that nobody is about to start a server in. */
const LEFT_OVER_AFTER_MILLISECONDS = 60_000;

/**
 * Makes a fresh folder (mode 0700, of the server's user) for the socket of one start of the server: what an earlier
 * start left cannot be in the way. It lies in the home, or in the system's temporary folder where that path is too
 * long for a socket.
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

/** Removes the socket folder of a server that is gone. */
export async function removeSocketDirectory(directory: string): Promise<void> {
  // File by file and not recursively: as root, nothing but a socket and its lock is ever deleted here.
  for (const name of [`.s.PGSQL.${PORT}`, `.s.PGSQL.${PORT}.lock`]) {
    await unlink(join(directory, name)).catch(() => undefined);
  }
  await rmdir(directory).catch(() => undefined);
}

/** Removes the socket folders that servers of this home left behind when they were killed. */
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
 * Begins the path of each socket folder of this home outside of it. By device and inode: the home keeps them when it is
 * moved, and a copy in its place has others.
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
