import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { openFile } from '../log-file/position.ts';
import { maxLine } from '../log-file/split-lines.ts';

/** The place of a record: in Apache the server's user, then a day, a minute, and a second with the id of the transaction. */
const recordPath = /^(?:\/[\w-]{1,64})?\/\d{8}\/\d{8}-\d{4}\/\d{8}-\d{6}-[A-Za-z0-9@._-]{1,100}$/;

/**
 * Reads the record of a line of a concurrent log's index, which ends with `PLACE OFFSET SIZE md5:HASH`. Text of clients precedes it.
 *
 * @param storage `SecAuditLogStorageDir`; ModSecurity 3 begins places with it
 * @returns undefined if there is none, if it cannot be read, or if it is over 1 MB
 */
export async function readConcurrent(storage: string, line: string): Promise<string | undefined> {
  const written = line.slice(-2_000).trimEnd().split(' ').at(-4) ?? '';
  const place = written.startsWith(storage) ? written.slice(storage.replace(/\/$/, '').length) : written;
  if (!recordPath.test(place)) return undefined;
  let file: FileHandle | undefined;
  try {
    file = await openFile(join(storage, place));
    if (file === undefined) return undefined;
    const { size } = await file.stat();
    if (size > maxLine) return undefined;
    const bytes = Buffer.alloc(size);
    const { bytesRead } = await file.read(bytes, 0, size, 0);
    return bytes.toString('utf8', 0, bytesRead);
  } catch {
    // One record must not stop the others.
    return undefined;
  } finally {
    await file?.close();
  }
}
