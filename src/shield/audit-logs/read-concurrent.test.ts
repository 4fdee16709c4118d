import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readConcurrent } from './read-concurrent.ts';

const minute = '/20261126/20261126-0909';
let storage: string;
beforeEach(async () => {
  storage = await mkdtemp(join(tmpdir(), 'read-concurrent-'));
  await mkdir(join(storage, minute), { recursive: true });
});
afterEach(() => rm(storage, { recursive: true, force: true }));

const placeOf = (id: string) => `${minute}/20261126-090933-${id}`;
const read = (place: string) => readConcurrent(storage, `a.example 192.0.2.1 ${place} 0 9 md5:a`);

it('reads the record of a line, with and without the folder', async () => {
  await writeFile(join(storage, placeOf('one')), '{}');
  expect(await read(placeOf('one'))).toBe('{}');
  expect(await read(join(storage, placeOf('one')))).toBe('{}');
});

it('reads nothing where there is no record, or none that can be read', async () => {
  expect(await read(placeOf('none'))).toBe(undefined);
  expect(await read('/../secret')).toBe(undefined);
  // Also for root, who may read everything.
  await symlink(placeOf('loop').split('/').at(-1)!, join(storage, placeOf('loop')));
  expect(await read(placeOf('loop'))).toBe(undefined);
});
