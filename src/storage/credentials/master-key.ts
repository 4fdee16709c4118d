import { createHash, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { access, chmod, link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { StorageError } from '../storage-error.ts';

/** The key that wraps every credential's own key. It is never stored in the database. */
export interface MasterKey {
  /** 16 hex characters that tell keys apart and say nothing about them. */
  readonly id: string;
  readonly key: KeyObject;
}

const form = 'must be 32 bytes in base64 (make one with: openssl rand -base64 32)';

/** Reads `PARAPET_MASTER_KEY`. Throws a `StorageError` that does not repeat the value. */
export function parseMasterKey(value: string): MasterKey {
  const bytes = Buffer.from(value.trim(), 'base64');
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(value.trim()) || bytes.length !== 32) {
    throw new StorageError(`PARAPET_MASTER_KEY ${form}`);
  }
  const id = createHash('sha256').update('parapet master key id').update(bytes).digest('hex').slice(0, 16);
  return { id, key: createSecretKey(bytes) };
}

/** The master key of a data folder, made on first use with mode 0600. */
export async function masterKeyOf(dataDirectory: string): Promise<MasterKey> {
  const path = join(dataDirectory, 'master.key');
  // As root, the private PostgreSQL runs as another user, who must get through to its own folder in there.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  if (await mkdir(dataDirectory, { recursive: true })) await chmod(dataDirectory, mode);
  if (!(await exists(path))) await makeKeyFile(path);
  return parseMasterKey(await readFile(path, 'utf8'));
}

/** The file appears whole: of two processes that start at once, one makes the key, and the other finds all of it. */
async function makeKeyFile(path: string): Promise<void> {
  const unfinished = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const file = await open(unfinished, 'wx', 0o600);
  try {
    await file.writeFile(`${randomBytes(32).toString('base64')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await link(unfinished, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(unfinished);
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
