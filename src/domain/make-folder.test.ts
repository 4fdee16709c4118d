import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeFolder } from './make-folder.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'make-folder-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

it('makes a folder with its parents once', async () => {
  const path = join(root, 'a', 'b', 'c');
  await expect(makeFolder(path, 0o700)).resolves.toBe(true);
  await expect(makeFolder(path, 0o700)).resolves.toBe(false);
  expect((await stat(path)).mode & 0o777).toBe(0o700);
  await expect(makeFolder('/', 0o700)).resolves.toBe(false);
});

it.runIf(process.platform === 'linux')('rejects where the system makes no folder', async () => {
  await expect(makeFolder('/proc/parapet', 0o700)).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(makeFolder('/proc/parapet/data', 0o700)).rejects.toMatchObject({ code: 'ENOENT' });
});

it('rejects a file, and below one', async () => {
  await writeFile(join(root, 'file'), '');
  await expect(makeFolder(join(root, 'file'), 0o700)).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeFolder(join(root, 'file', 'data'), 0o700)).rejects.toMatchObject({ code: 'ENOTDIR' });
});
