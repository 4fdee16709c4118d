import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import * as locks from '../../src/database/advisory-locks.ts';

const root = new URL('../../', import.meta.url);

/** The numbers of locks that files below the folder take, other than by name. */
async function numbersIn(folder: string, ending: string): Promise<Set<number>> {
  const names = await readdir(new URL(folder, root), { recursive: true });
  const texts = names
    .filter(name => name.endsWith(ending) && !name.endsWith('.test.ts'))
    .map(name => readFile(new URL(`${folder}/${name}`, root), 'utf8'));
  const found = (await Promise.all(texts)).flatMap(text => [
    ...text.matchAll(/advisory_(?:xact_)?lock(?:_shared)?\((\d+)/g),
  ]);
  return new Set(found.map(([, number]) => Number(number)));
}

it('gives each lock a number of its own', async () => {
  const ofMigrations = [...(await numbersIn('migrations', '.sql'))];
  const numbers = [...Object.values(locks), ...ofMigrations];
  expect(ofMigrations.length).toBeGreaterThan(3);
  expect(new Set(numbers).size).toBe(numbers.length);
  // Code takes locks of migrations by number, and its own by name.
  const ofCode = [...(await numbersIn('src', '.ts'))];
  expect(ofCode.filter(number => !ofMigrations.includes(number))).toEqual([]);
});
