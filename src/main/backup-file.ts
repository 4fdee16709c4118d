import { randomBytes } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { type FileHandle, link, lstat, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Keep, notKept } from '../backup/kept-backups.ts';
import type { BackupFile } from '../backup/recorded-backups.ts';
import { StorageError } from '../database/storage-error.ts';
import { syncPath } from '../domain/sync-path.ts';

/** The path of the file, or of a new one in the folder. */
export async function pathOfBackup(to: string, now: Date, isEncrypted: boolean): Promise<string> {
  if (!(await stat(to).catch(() => null))?.isDirectory()) return to;
  const moment = now.toISOString().replace(/[-:]|\.\d+/g, '');
  return join(to, `parapet-${moment}.tar${isEncrypted ? '.age' : ''}`);
}

/** See `NewFile`: creates it, and then writes the content. */
export async function writeWhole(path: string, content: () => Readable): Promise<void> {
  const file = await NewFile.create(path);
  await file.write(content());
}

/**
 * A file that only its user can read. Until it is written and on disk it has another name, and if that fails, it is removed: a file with
 * its own name is whole. Others who may write to the folder can replace names in it, so it is written through the handle that created it.
 */
export class NewFile {
  readonly #path: string;
  readonly #unfinished: string;
  readonly #handle: FileHandle;
  readonly #created: Stats;

  private constructor(path: string, unfinished: string, handle: FileHandle, created: Stats) {
    this.#path = path;
    this.#unfinished = unfinished;
    this.#handle = handle;
    this.#created = created;
  }

  /** Throws `StorageError` if there is a file already, or if none can be written there. */
  static async create(path: string): Promise<NewFile> {
    if (await lstat(path).catch(() => null)) throw new StorageError(`${path} exists already`);
    // Each writer has a file, also of two that write to one path.
    const unfinished = `${path}.${randomBytes(6).toString('hex')}.unfinished`;
    try {
      const handle = await open(unfinished, 'wx', 0o600);
      return new NewFile(path, unfinished, handle, await handle.stat());
    } catch (error) {
      throw notWritten(path, error);
    }
  }

  /** Ends with the whole file on disk. Throws `StorageError` if there is a file of that name by then. */
  async write(content: Readable, signal?: AbortSignal): Promise<void> {
    try {
      const file = new Writable({
        write: (chunk, _encoding, done) =>
          void this.#handle.writeFile(chunk).then(
            () => done(),
            error => done(notWritten(this.#path, error)),
          ),
      });
      await pipeline(content, file, { signal });
      await this.#handle.sync();
      if (!(await this.#hasName())) {
        throw new StorageError(
          `${this.#path} cannot be written: another process replaced ${this.#unfinished}`,
        );
      }
      await give(this.#unfinished, this.#path);
      await syncPath(dirname(this.#path));
    } finally {
      await this.discard();
    }
  }

  /** Removes it, unless it was written. */
  async discard(): Promise<void> {
    await this.#handle.close();
    if (await this.#hasName()) await rm(this.#unfinished);
  }

  /** Whether its first name still names this file. */
  async #hasName(): Promise<boolean> {
    const named = await lstat(this.#unfinished).catch(() => null);
    return named?.ino === this.#created.ino && named.dev === this.#created.dev;
  }
}

const notWritten = (path: string, error: unknown) =>
  new StorageError(`${path} cannot be written: ${writeFailure(error)}`);

/** The code of an error, and for a refused right the user. */
export function writeFailure(error: unknown): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code !== 'EACCES') return code;
  return `${code} (as uid ${process.geteuid?.()}: run by root, it has the rights of the data folder's owner)`;
}

/** Renames the file, unless there is one of that name: a link, which never replaces another file, where the file system has links. */
async function give(unfinished: string, path: string): Promise<void> {
  try {
    await link(unfinished, path);
    await rm(unfinished);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new StorageError(`${path} exists already`);
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) throw error;
    await rename(unfinished, path);
  }
}

/** For a whole file whose writer may have been killed: makes its name durable, and removes its first name if that is left. */
export async function finishGiving(path: string): Promise<void> {
  const folder = dirname(path);
  await syncPath(folder);
  const { ino, dev } = await stat(path);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${basename(path)}.`) || !name.endsWith('.unfinished')) continue;
    const first = await lstat(join(folder, name));
    if (first.ino === ino && first.dev === dev) await rm(join(folder, name));
  }
}

/** The moment in the name of a file in a folder of backups. */
const namedMoment = /^parapet-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar(?:\.age)?$/;

/**
 * Deletes those of an installation's backups in the folder that are not kept. Returns their names.
 *
 * @param files all backups of the installation. One of another installation can have the same name, but hardly the same size.
 */
export async function deleteOldBackups(
  folder: string,
  files: readonly BackupFile[],
  keep: Keep,
): Promise<string[]> {
  const own = new Set(files.map(({ name, bytes }) => `${name} ${bytes}`));
  const inFolder = await filesIn(folder);
  const found = inFolder.flatMap(({ name, size }) => {
    const moment = own.has(`${name} ${size}`) ? namedMoment.exec(name)?.slice(1).map(Number) : undefined;
    if (!moment) return [];
    const [year, month, day, ...time] = moment as [number, number, number, number, number, number];
    return [{ name, madeAt: new Date(Date.UTC(year, month - 1, day, ...time)) }];
  });
  const old = notKept(found, keep).map(({ name }) => name);
  // Of processes that were killed: nothing has been written to them for a day.
  const abandoned = inFolder.filter(
    ({ name, mtimeMs }) => /^parapet-[^/]+\.unfinished$/.test(name) && Date.now() - mtimeMs > 86_400_000,
  );
  for (const name of [...old, ...abandoned.map(file => file.name)])
    await rm(join(folder, name), { force: true });
  return old;
}

async function filesIn(folder: string) {
  const found = await Promise.all(
    (await readdir(folder)).map(async name => {
      const file = await lstat(join(folder, name)).catch(() => null);
      return file?.isFile() ? [{ name, size: file.size, mtimeMs: file.mtimeMs }] : [];
    }),
  );
  return found.flat();
}

/** The bytes of the file, or of standard input for `-`. */
export function readBackup(path: string): AsyncIterable<Buffer> {
  return path === '-' ? process.stdin : createReadStream(path);
}
