import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Package } from '../../src/private-postgres/binaries.ts';

/** Releases that Parapet supports and its own is not, from their npm packages (test/older-postgres). */
export async function olderPostgres(major: 16 | 17): Promise<Package> {
  const name = `postgres-${major}-${process.platform}-${process.arch}`;
  const root = fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url));
  const { version } = JSON.parse(await readFile(`${root}/package.json`, 'utf8'));
  return { root, version };
}
