import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';

/** Bytes below which a write-ahead log segment, a backup of one or the log may no longer fit. */
const leastFree = 256 * 1024 * 1024;

/** Whether the disk of a folder has room, and whether this process may write there. */
export async function diskRoom(
  folder: string,
  least = leastFree,
): Promise<'disk full' | 'disk not writable' | undefined> {
  try {
    await access(folder, constants.W_OK);
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize < least ? 'disk full' : undefined;
  } catch {
    return 'disk not writable';
  }
}
