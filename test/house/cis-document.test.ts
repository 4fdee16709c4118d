import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkById } from '../../src/detectors/catalogue.ts';

/** Documents, and the least number of checks that each names. */
const documents = [
  { surface: 'postgres', document: 'cis-postgresql.md', least: 88 },
  { surface: 'mysql', document: 'cis-mysql.md', least: 45 },
];

describe.each(documents)('the CIS benchmark of $surface', ({ surface, document, least }) => {
  const text = readFileSync(new URL(`../../docs/databases/${document}`, import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| ([\d.]+) \| [^|]+ \| ([^|]+) \|$/gm)].map(([, item, state]) => ({
    item: item!,
    state: state!.trim(),
  }));

  it('names only checks that exist', () => {
    const named = rows.flatMap(({ state }) =>
      [...state.matchAll(/`([a-z]+\.[a-z_0-9]+)`/g)].map(([, id]) => id!),
    );
    expect(named.length).toBeGreaterThanOrEqual(least);
    expect(named.filter(id => !id.startsWith(`${surface}.`) || checkById(id) === undefined)).toEqual([]);
  });

  it('gives each item one state, and covers four of five that SQL can see', () => {
    expect(new Set(rows.map(({ item }) => item)).size).toBe(rows.length);
    const covered = rows.filter(({ state }) => state.startsWith(`covered (\`${surface}.`));
    const others = rows.filter(one => !covered.includes(one));
    expect(others.filter(({ state }) => state !== 'not visible to SQL' && state !== 'not yet')).toEqual([]);
    const visible = rows.filter(({ state }) => state !== 'not visible to SQL');
    expect(covered.length / visible.length).toBeGreaterThanOrEqual(0.8);
  });
});
