import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { StorageError } from '../../database/storage-error.ts';
import { keyRingOf } from './key-files.ts';
import type { KeyRing } from './key-ring.ts';

let parent: string;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'parapet-key-'));
  await chmod(parent, 0o755);
});
afterAll(() => rm(parent, { recursive: true, force: true }));

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

/** A key ring of an installation with its first key. */
async function begun(data: string): Promise<KeyRing> {
  const ring = await keyRingOf(data);
  await ring.makeFirst();
  return ring;
}
const currentOf = async (data: string) => (await (await begun(data)).current()).id;

it('creates one key under concurrency, readable by its owner only', async () => {
  const data = join(parent, 'once');
  const ids = await Promise.all([currentOf(data), currentOf(data), currentOf(data)]);
  expect(new Set(ids).size).toBe(1);
  expect(await currentOf(data)).toBe(ids[0]);
  expect(await modeOf(join(data, 'master.key'))).toBe('600');
});

it('makes a data folder that the database server can enter, and leaves an existing one unchanged', async () => {
  const data = join(parent, 'deeper', 'made');
  await keyRingOf(data);
  expect(await modeOf(data)).toBe(process.getuid?.() === 0 ? '711' : '700');
  await chmod(data, 0o750);
  await keyRingOf(data);
  expect(await modeOf(data)).toBe('750');
});

it('renews once, keeps the previous key until it is forgotten, and other processes see it at once', async () => {
  const data = join(parent, 'renewed');
  const ring = await begun(data);
  const elsewhere = await keyRingOf(data);
  const before = await ring.current();
  await ring.renew();
  const after = await elsewhere.current();
  expect(after.id).not.toBe(before.id);
  expect((await elsewhere.find(before.id))?.id).toBe(before.id);
  expect(await modeOf(join(data, 'master.key'))).toBe('600');
  await elsewhere.renew();
  expect(await currentOf(data)).toBe(after.id);
  await ring.forgetOthers();
  await ring.forgetOthers();
  expect(await elsewhere.find(before.id)).toBeUndefined();
  expect(await readdir(data)).toEqual(['master.key']);
});

it('continues after a renewal that died between its two steps', async () => {
  const data = join(parent, 'died');
  const ring = await begun(data);
  const before = await ring.current();
  await link(join(data, 'master.key'), join(data, 'master.key.previous'));
  await ring.renew();
  expect((await ring.current()).id).not.toBe(before.id);
  expect((await ring.find(before.id))?.id).toBe(before.id);
  expect(await readFile(join(data, 'master.key'), 'utf8')).not.toBe(
    await readFile(join(data, 'master.key.previous'), 'utf8'),
  );
});

it('refuses a key that all users of the machine can read, and a data folder that is a file', async () => {
  const data = join(parent, 'open');
  await begun(data);
  const file = join(data, 'master.key');
  for (const mode of [0o644, 0o604, 0o602]) {
    await chmod(file, mode);
    await expect(keyRingOf(data)).rejects.toThrow(`chmod 600 ${file}`);
  }
  await chmod(file, 0o640);
  await keyRingOf(data);
  await expect(keyRingOf(file)).rejects.toThrow(`The data folder ${file} cannot be made (EEXIST)`);
});

it('refuses an unusable key with the name of its file and without its content', async () => {
  const data = join(parent, 'unusable');
  await mkdir(data);
  const file = join(data, 'master.key');
  await writeFile(file, 'garbage-S3cret', { mode: 0o600 });
  const ring = await keyRingOf(data);
  for (const use of [ring.current, () => ring.find('another'), ring.makeFirst]) {
    const error = await use().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StorageError);
    expect((error as Error).message).toBe(`${file} must be 32 bytes in base64 (restore it from a backup)`);
  }
  expect(await readFile(file, 'utf8')).toBe('garbage-S3cret');
  await unlink(file);
  await mkdir(file);
  await expect(ring.current()).rejects.toThrow(`${file} cannot be read (EISDIR)`);
});

it('finds the current key if the previous one cannot be read', async () => {
  const data = join(parent, 'broken-before');
  const ring = await begun(data);
  const { id } = await ring.current();
  await writeFile(join(data, 'master.key.previous'), '');
  expect((await ring.find(id))?.id).toBe(id);
  await expect(ring.find('another')).rejects.toThrow(StorageError);
});

it('does not replace a missing key until no record needs it', async () => {
  const data = join(parent, 'missing');
  const ring = await begun(data);
  const { id } = await ring.current();
  await unlink(join(data, 'master.key'));
  await expect(ring.current()).rejects.toThrow('master.key is missing: restore it from a backup');
  expect(await (await keyRingOf(data)).find(id)).toBeUndefined();
  expect(await readdir(data)).toEqual([]);
});
