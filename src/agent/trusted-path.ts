import { accessSync, constants, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';

const groupWrites = 0o020;
const allWrite = 0o002;
/** In such a folder, only owners replace files: /tmp. */
const sticky = 0o1000;

/**
 * How users other than root and this one can change a file, and what to do; undefined if they cannot. Group 0 is root's.
 *
 * @param stats of the file as it is open: its path may lead to another one by now
 */
export function changeableBy(file: string, stats: Stats): string | undefined {
  if (!isTrusted(stats)) return `belongs to another user: run \`chown root ${file}\``;
  if (isWritable(stats)) return `may be changed by other users: run \`chmod go-w ${file}\``;
  return replaceableAt(file, 'group');
}

/** The same for what a path leads to: where it is, and where the link to it is. */
export function replaceableAt(path: string, group?: 'group'): string | undefined {
  return (
    replaceableIn(dirname(realpathSync(path)), group) ?? replaceableIn(realpathSync(dirname(path)), group)
  );
}

/**
 * How other users can replace what is in a folder, or the folder: they own one of the folders above, or all users can write there.
 *
 * @param folder an absolute path without links
 * @param group refuses a folder also if a group can write in it, but none of those above: groups such as `staff` may
 */
export function replaceableIn(folder: string, group?: 'group'): string | undefined {
  const stats = statSync(folder);
  if (!isTrusted(stats))
    return `is in ${folder}, which belongs to another user: run \`chown root ${folder}\``;
  const isOpen = (group ? isWritable(stats) : (stats.mode & allWrite) !== 0) && (stats.mode & sticky) === 0;
  // Volumes with the configuration of a container are open to all users, and mounted to be read only.
  if (isOpen && !isReadOnly(folder))
    return `is in ${folder}, where other users can replace it: run \`chmod go-w ${folder}\``;
  return folder === '/' ? undefined : replaceableIn(dirname(folder));
}

const isTrusted = ({ uid }: Stats) => uid === 0 || uid === process.getuid?.();

const isWritable = ({ gid, mode }: Stats) => (mode & (gid === 0 ? allWrite : groupWrites | allWrite)) !== 0;

function isReadOnly(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS';
  }
}
