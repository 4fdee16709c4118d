import { chmod, link, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keyRingOf } from './key-files.ts';

let parent: string;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'parapet-key-'));
  await chmod(parent, 0o755);
});
afterAll(() => rm(parent, { recursive: true, force: true }));

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
const currentOf = async (data: string) => (await (await keyRingOf(data)).current()).id;

it('is made once, whoever asks first, and only its owner can read it', async () => {
  const data = join(parent, 'once');
  const ids = await Promise.all([currentOf(data), currentOf(data), currentOf(data)]);
  expect(new Set(ids).size).toBe(1);
  expect(await currentOf(data)).toBe(ids[0]);
  expect(await modeOf(join(data, 'master.key'))).toBe('600');
});

it('makes a data folder that the database server can enter, and leaves one that is there as it is', async () => {
  const data = join(parent, 'deeper', 'made');
  await keyRingOf(data);
  expect(await modeOf(data)).toBe(process.getuid?.() === 0 ? '711' : '700');
  await chmod(data, 0o750);
  await keyRingOf(data);
  expect(await modeOf(data)).toBe('750');
});

it('renews once, keeps the key before until it is told to forget, and others see it at once', async () => {
  const data = join(parent, 'renewed');
  const ring = await keyRingOf(data);
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

it('goes on where a renewal died between its two steps', async () => {
  const data = join(parent, 'died');
  const ring = await keyRingOf(data);
  const before = await ring.current();
  await link(join(data, 'master.key'), join(data, 'master.key.previous'));
  await ring.renew();
  expect((await ring.current()).id).not.toBe(before.id);
  expect((await ring.find(before.id))?.id).toBe(before.id);
  expect(await readFile(join(data, 'master.key'), 'utf8')).not.toBe(
    await readFile(join(data, 'master.key.previous'), 'utf8'),
  );
});
