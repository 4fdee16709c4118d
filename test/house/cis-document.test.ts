import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checkById } from '../../src/detectors/catalogue.ts';

const text = readFileSync(new URL('../../docs/databases/cis-postgresql.md', import.meta.url), 'utf8');
const rows = [...text.matchAll(/^\| ([\d.]+) \| [^|]+ \| ([^|]+) \|$/gm)].map(([, item, state]) => ({
  item: item!,
  state: state!.trim(),
}));

it('names only checks that exist for the items of the CIS benchmark', () => {
  const named = rows.flatMap(({ state }) =>
    [...state.matchAll(/`(postgres\.[a-z_0-9]+)`/g)].map(([, id]) => id!),
  );
  expect(named.length).toBeGreaterThan(90);
  expect(named.filter(id => checkById(id) === undefined)).toEqual([]);
});

it('gives each item one state, and covers four of five that SQL can see', () => {
  expect(new Set(rows.map(({ item }) => item)).size).toBe(rows.length);
  const covered = rows.filter(({ state }) => /^covered \(`postgres\./.test(state));
  const others = rows.filter(one => !covered.includes(one));
  expect(others.filter(({ state }) => state !== 'not visible to SQL' && state !== 'not yet')).toEqual([]);
  const visible = rows.filter(({ state }) => state !== 'not visible to SQL');
  expect(covered.length / visible.length).toBeGreaterThanOrEqual(0.8);
});
