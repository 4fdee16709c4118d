import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeThrowAwayFolder } from './throw-away-folder.ts';

let elsewhere: string;
beforeEach(async () => {
  elsewhere = await mkdtemp(join(tmpdir(), 'parapet-test-'));
});
afterEach(() => rm(elsewhere, { recursive: true }));

/** Places the database of `owner` outside its data folder. */
async function placeDatabase(folder: string, owner: string): Promise<void> {
  const home = join(elsewhere, 'others', 'hash', 'postgres');
  await mkdir(home, { recursive: true });
  await writeFile(join(home, 'data-folder'), `${owner}\n`);
  await writeFile(join(folder, 'master.key'), 'x');
  await symlink(home, join(folder, 'postgres'));
}

it('removes the folder and a database outside it', async () => {
  const folder = await makeThrowAwayFolder();
  await placeDatabase(folder.path, folder.path);
  await folder.remove();
  await expect(readdir(folder.path)).rejects.toThrow(/ENOENT/);
  expect(await readdir(elsewhere)).toEqual([]);
});

it('leaves the database of another folder and neighboring databases alone', async () => {
  const folder = await makeThrowAwayFolder();
  await placeDatabase(folder.path, '/somewhere/else');
  await folder.remove();
  await expect(readdir(folder.path)).rejects.toThrow(/ENOENT/);
  expect(await readdir(join(elsewhere, 'others', 'hash'))).toEqual(['postgres']);

  const own = await makeThrowAwayFolder();
  await rm(join(elsewhere, 'others', 'hash'), { recursive: true });
  await placeDatabase(own.path, own.path);
  await mkdir(join(elsewhere, 'others', 'neighbor'));
  await own.remove();
  expect(await readdir(join(elsewhere, 'others'))).toEqual(['neighbor']);
});
