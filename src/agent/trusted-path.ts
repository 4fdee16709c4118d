import { accessSync, constants, lstatSync, readFileSync, readlinkSync, type Stats, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';

const groupWrites = 0o020;
const allWrite = 0o002;
/** In such a folder, only owners replace entries: /tmp, volumes of Kubernetes' Secrets. */
const sticky = 0o1000;

/** A file that is not read. The message follows the file's name. */
export class FileRefused extends Error {
  override readonly name: string = 'FileRefused';
}

/** A file, or the way to it, that other users can change. */
export class ChangeableByOthers extends FileRefused {
  override readonly name = 'ChangeableByOthers';
}

/** Bytes of a file that is read: certificate authorities are the largest, with about 300 KB. */
const largest = 16 * 1024 * 1024;

/**
 * Reads a file that only root and this user can change. A pipe would wait for a writer, and a very large file take the memory of the
 * host.
 *
 * @throws FileRefused, and the system's error for a file that is missing or cannot be read
 */
export function readTrustedFile(path: string): Buffer {
  const stats = statSync(path);
  if (!stats.isFile()) throw new FileRefused('is not a regular file');
  if (stats.size > largest) throw new FileRefused('is larger than 16 MB');
  requireTrusted(path);
  return readFileSync(path);
}

/**
 * Refuses a path if users other than root and this one can change or replace what it leads to. Every folder and link on the way
 * counts, and is checked before what is in it is read: a path that was checked stays as it is.
 *
 * @param groups that may write in the folders. Otherwise no group may, not even root's: the group's bits are also the mask of an ACL,
 *   which can permit any user to write
 * @throws ChangeableByOthers, and the system's error for a path that is missing or hidden
 */
export function requireTrusted(path: string, groups: readonly number[] = []): void {
  // Throws for links that lead to each other.
  statSync(path);
  const names = ['.', ...partsOf(isAbsolute(path) ? path : `${process.cwd()}/${path}`)];
  let folder = '/';
  while (names.length > 0) {
    // The names are not normalized together: `..` after a link is relative to where the link leads.
    const place = join(folder, names.shift()!);
    const stats = lstatSync(place);
    if (stats.isSymbolicLink()) {
      if (!isTrusted(stats))
        throw new ChangeableByOthers(
          `is behind the link ${place}, which belongs to another user: run \`chown -h root ${place}\``,
        );
      const target = readlinkSync(place);
      names.unshift(...partsOf(target));
      if (isAbsolute(target)) folder = '/';
      continue;
    }
    const problem = problemOf(place, stats, groups);
    if (problem !== undefined)
      throw new ChangeableByOthers(names.length === 0 ? problem : `is in ${place}, which ${problem}`);
    folder = place;
  }
}

const partsOf = (path: string) => path.split('/').filter(part => part !== '');

function problemOf(place: string, stats: Stats, groups: readonly number[]): string | undefined {
  if (!isTrusted(stats)) return `belongs to another user: run \`chown root ${place}\``;
  const { gid, mode } = stats;
  if (stats.isDirectory() && (mode & sticky || isReadOnlyMount(place, stats))) return undefined;
  const isForAll = (mode & allWrite) !== 0;
  const isForGroup = (mode & groupWrites) !== 0 && !(stats.isDirectory() && groups.includes(gid));
  if (!isForAll && !isForGroup) return undefined;
  const writers = isForAll ? 'other users' : 'its group, or users in its ACL';
  return `may be changed by ${writers}: run \`chmod go-w ${place}\``;
}

const isTrusted = ({ uid }: Stats) => uid === 0 || uid === process.getuid?.();

/**
 * The volume of a Kubernetes' ConfigMap is a file system that is open to all users and mounted to be read only. Other read-only folders
 * may not be open: systemd's `ProtectSystem` makes them read only for the agent alone.
 */
function isReadOnlyMount(folder: string, { dev }: Stats): boolean {
  if (dev === statSync(dirname(folder)).dev) return false;
  try {
    accessSync(folder, constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS';
  }
}
