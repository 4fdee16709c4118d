import { createHash } from 'node:crypto';
import { constants, type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A place in a log file, which is found again after a restart and after the file was rotated. */
export interface LogPosition {
  readonly device: number;
  readonly inode: number;
  /** Bytes that are read; a line begins there. */
  readonly offset: number;
  /** Of the first bytes: systems assign a freed inode to the next file, and a truncated file keeps its own. */
  readonly fingerprint: Fingerprint;
}

export interface Fingerprint {
  readonly length: number;
  readonly sha256: string;
}

/** Enough for the time, port and id of the first record. */
const fingerprintBytes = 512;

/** Of the first 512 bytes, or of what there is before `offset`: what follows may still change. */
export async function fingerprintOf(file: FileHandle, offset: number): Promise<Fingerprint> {
  const length = Math.min(offset, fingerprintBytes);
  return { length, sha256: await hashOf(file, length) };
}

/** Whether the file has more bytes than were read when its fingerprint was taken, and enough of them for a better one. */
export function isImprovable({ length }: Fingerprint, offset: number): boolean {
  return length < fingerprintBytes && offset > length;
}

async function hashOf(file: FileHandle, length: number): Promise<string> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, 0);
  return createHash('sha256').update(bytes.subarray(0, bytesRead)).digest('hex');
}

/** Whether the file begins as it did, and still has what was read. */
export async function isStillThere(file: FileHandle, position: LogPosition): Promise<boolean> {
  const { size } = await file.stat();
  if (size < position.offset) return false;
  const { length, sha256 } = position.fingerprint;
  return (await hashOf(file, length)) === sha256;
}

/** Rotated files that are compared. */
const maxFiles = 200;

/**
 * Opens the file that has the position: the log itself, or where a rotation moved or copied it. Compressed files are not read, nor are
 * rotated files that cannot be.
 *
 * @returns undefined if the rest is gone
 * @throws if the log cannot be read, and the rest is not in a renamed file: a copy may be older
 */
export async function openAt(path: string, position: LogPosition): Promise<FileHandle | undefined> {
  // Without a fingerprint, only the same file is known to be it.
  const isCopyKnown = position.fingerprint.length > 0;
  let copy: FileHandle | undefined;
  let failure: unknown;
  for (const candidate of await rotatedFiles(path)) {
    const file = await openFile(candidate).catch(error => {
      if (candidate === path) failure = error;
      return undefined;
    });
    if (file === undefined) continue;
    const { ino, dev } = await file.stat();
    const isSame = ino === position.inode && dev === position.device;
    const isIt = (isSame || (isCopyKnown && copy === undefined)) && (await isStillThere(file, position));
    if (isIt && isSame) {
      await copy?.close();
      return file;
    }
    if (isIt) copy = file;
    else await file.close();
  }
  if (failure === undefined) return copy;
  await copy?.close();
  throw failure;
}

/** The log and the files next to it whose names begin with its name, which rotations make. */
async function rotatedFiles(path: string): Promise<string[]> {
  const folder = dirname(path);
  const name = basename(path);
  const names = await readdir(folder).catch(() => []);
  const rotated = names
    .filter(other => other.startsWith(name) && other !== name && !/\.(?:gz|bz2|xz|zst)$/.test(other))
    .sort()
    .slice(0, maxFiles);
  return [path, ...rotated.map(other => join(folder, other))];
}

/** Opens a file to read it; undefined if there is none. */
export async function openFile(path: string): Promise<FileHandle | undefined> {
  try {
    if (!(await stat(path)).isFile()) return undefined;
    // A pipe that has replaced it since would wait for a writer: the server's user may write in the folder.
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
