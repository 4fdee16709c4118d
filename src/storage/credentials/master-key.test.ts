import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { masterKeyOf } from './master-key.ts';

let parent: string;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'parapet-key-'));
  await chmod(parent, 0o755);
});
afterAll(() => rm(parent, { recursive: true, force: true }));

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

it('is made once, whoever asks first, and only its owner can read it', async () => {
  const data = join(parent, 'once');
  const keys = await Promise.all([masterKeyOf(data), masterKeyOf(data), masterKeyOf(data)]);
  expect(new Set(keys.map(key => key.id)).size).toBe(1);
  expect((await masterKeyOf(data)).id).toBe(keys[0].id);
  expect(await modeOf(join(data, 'master.key'))).toBe('600');
});

it('makes a data folder that the database server can enter, and leaves one that is there as it is', async () => {
  const data = join(parent, 'deeper', 'made');
  await masterKeyOf(data);
  expect(await modeOf(data)).toBe(process.getuid?.() === 0 ? '711' : '700');
  await chmod(data, 0o750);
  await masterKeyOf(data);
  expect(await modeOf(data)).toBe('750');
});
