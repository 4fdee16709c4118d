import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { mutants } from '../mutants/list.ts';
import { findStale } from '../mutants/stale.ts';

test('each mutant changes code that runs', () => {
  expect(findStale(mutants, fileURLToPath(new URL('../../', import.meta.url)))).toEqual([]);
});
