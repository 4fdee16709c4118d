import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type EncryptionKeys, encrypted } from '../backup/encryption.ts';
import type { FinishedBackup } from '../backup/recorded-backups.ts';
import { writeBackup } from '../backup/write-backup.ts';
import type { ConnectionSettings } from '../database/connection.ts';
import { StorageError } from '../database/storage-error.ts';
import { NewFile } from './backup-file.ts';

interface BackupTarget {
  /** `-` for standard output. */
  readonly path: string;
  /** Included if it is given. */
  readonly masterKey: Buffer | undefined;
  readonly keys: EncryptionKeys | undefined;
}

/** Writes a backup. A signal that stops this process stops it as well, with a `StorageError`, and leaves no file. */
export async function makeBackup(
  connection: ConnectionSettings,
  { path, masterKey, keys }: BackupTarget,
): Promise<FinishedBackup> {
  const file = path === '-' ? undefined : await NewFile.create(path);
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const { stream, done } = writeBackup(connection, { masterKey });
  // Reported by the file, which the stream's error ends.
  done.catch(() => {});
  let bytes = 0;
  async function* counted(content: Readable) {
    for await (const chunk of content) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  try {
    const content = Readable.from(counted(keys ? await encrypted(stream, keys) : stream));
    if (file) await file.write(content, stopping.signal);
    else await pipeline(content, process.stdout, { end: false, signal: stopping.signal });
  } catch (error) {
    const isUnread = (error as NodeJS.ErrnoException).code === 'EPIPE';
    if (isUnread || stopping.signal.aborted) throw new StorageError('Stopped before the backup was complete');
    throw error;
  } finally {
    await file?.discard();
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
  const { header, rows } = await done;
  const name = path === '-' ? null : basename(path);
  return { madeAt: header.created_at, encrypted: keys !== undefined, name, bytes, rows };
}
