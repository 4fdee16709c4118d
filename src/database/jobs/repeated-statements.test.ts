import { expect, it } from 'vitest';
import { RepeatedStatements } from './repeated-statements.ts';

const uses = (count: number, use: () => unknown) => Array.from({ length: count }, use);

it('prepares a text that was used five times, under one name', () => {
  const repeated = new RepeatedStatements();
  const prepare = () => repeated.prepare('select $1', [1]);
  expect(uses(5, prepare)).toEqual(Array(5).fill({ text: 'select $1', values: [1] }));
  const [first, second] = uses(2, prepare) as [{ name: string }, { name: string }];
  expect(first).toEqual({ text: 'select $1', values: [1], name: expect.stringMatching(/^[0-9a-f]{32}$/) });
  expect(second).toEqual(first);
});

it('prepares no text with several statements', () => {
  const repeated = new RepeatedStatements();
  expect(uses(10, () => repeated.prepare('begin; select 1; commit')).at(-1)).toEqual({
    text: 'begin; select 1; commit',
  });
});

it('prepares a limited number of texts, however many there are', () => {
  const repeated = new RepeatedStatements();
  const names = new Set<string>();
  for (let round = 0; round < 8; round++) {
    for (let text = 0; text < 500; text++) names.add(repeated.prepare(`select ${text}`).name ?? '');
  }
  names.delete('');
  expect(names.size).toBe(256);
  uses(20, () => repeated.prepare('select'));
  expect(repeated.prepare('select').name).toBeUndefined();
});

it('prepares a text that is used repeatedly after a thousand others were used once', () => {
  const repeated = new RepeatedStatements();
  for (let text = 0; text < 1_024; text++) repeated.prepare(`select ${text}`);
  expect(uses(6, () => repeated.prepare('select')).at(-1)).toHaveProperty('name');
});
