import { mkdir, readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { olderPostgres } from '../../test/support/older-postgres.ts';
import { asOwner } from '../../test/support/postgres.ts';
import { DataFolders, processesIn } from '../../test/support/private-postgres/data-folders.ts';
import { carryOver } from './carry-over.ts';
import { openPrivatePostgres } from './open.ts';

const folders = new DataFolders();
afterAll(() => folders.remove());

test('an error while copying leaves the old cluster as it was, and no server', async () => {
  const directory = await folders.make();
  const programs = await olderPostgres(17);
  const before = await openPrivatePostgres({ directory, programs });
  await asOwner(before.connection, client => client.query('create table t as select 42 as answer'));
  await before.close();
  const broken = carryOver({ directory }, async (_from, to) => {
    await asOwner(to, client => client.query('create table t as select 1 as answer'));
    throw new Error('the disk is full');
  });
  await expect(broken).rejects.toThrow('the disk is full');
  expect(await processesIn(directory)).toEqual([]);
  const names = await readdir(join(directory, 'postgres'));
  expect(names.filter(name => /cluster|making/.test(name))).toEqual(['cluster-17']);
  const after = await openPrivatePostgres({ directory, programs });
  const { rows } = await asOwner(after.connection, client => client.query('select answer from t'));
  expect(rows).toEqual([{ answer: 42 }]);
  await after.close();
});

test('an old cluster in use is not copied', async () => {
  const directory = await folders.make();
  const used = await openPrivatePostgres({ directory, programs: await olderPostgres(17) });
  const copied = vi.fn(async () => {});
  await expect(carryOver({ directory }, copied)).rejects.toThrow(/cluster-17 is in use/);
  expect(copied).not.toHaveBeenCalled();
  const { rows } = await asOwner(used.connection, client => client.query('select 1 as one'));
  expect(rows).toEqual([{ one: 1 }]);
  await used.close();
});

test('an older cluster beside the current one is set aside, so that no older release goes on with it', async () => {
  const directory = await folders.make();
  await (await openPrivatePostgres({ directory })).close();
  await mkdir(join(directory, 'postgres/cluster-17'));
  await (await openPrivatePostgres({ directory })).close();
  const names = await readdir(join(directory, 'postgres'));
  expect(names.filter(name => /cluster/.test(name)).toSorted()).toEqual([
    'cluster-18',
    'replaced-cluster-17',
  ]);
  expect(await carryOver({ directory }, async () => {})).toBeUndefined();
});

test('a cluster of a newer release needs that release', async () => {
  const directory = await realpath(dirname(await folders.make()));
  await mkdir(join(directory, 'postgres/cluster-19'), { recursive: true });
  await expect(openPrivatePostgres({ directory })).rejects.toThrow(/start the newer release of Parapet/);
  expect(await carryOver({ directory }, async () => {})).toBeUndefined();
});
