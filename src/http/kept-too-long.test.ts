import { expect, it } from 'vitest';
import { keptTooLong } from './kept-too-long.ts';

const mebibyte = 2 ** 20;
const kept = (name: string, mebibytes: number, seconds: number, movedMebibytes: number, site = 'site') => ({
  name,
  site,
  bytes: mebibytes * mebibyte,
  age: seconds * 1000,
  moved: movedMebibytes * mebibyte,
});
const endedOf = (all: ReturnType<typeof kept>[], mebibytes: number) =>
  keptTooLong(all, mebibytes * mebibyte).map(({ name }) => name);

const unread = kept('unread', 8, 15, 0);
const begun = kept('just begun', 8, 0, 0);
const slow = kept('read at the least rate', 8, 60, 1);
const download = kept('read for a minute', 8, 60, 40);

it('ends nothing up to the limit', () => {
  expect(endedOf([unread, begun, slow, download], 32)).toEqual([]);
});

it.each([
  [24, [unread]],
  [16, [unread, slow]],
  [8, [unread, slow, begun]],
])('ends unread answers before read ones, and slow ones before new ones: to %i MiB', (limit, ended) => {
  const all = [download, begun, slow, unread];
  expect(endedOf(all, limit)).toEqual(ended.map(({ name }) => name));
  expect(endedOf(all.toReversed(), limit)).toEqual(ended.map(({ name }) => name));
});

it('ends one large answer before many small ones', () => {
  const little = Array.from({ length: 20 }, (_, index) => kept(`little ${index}`, 0.25, 30, 0));
  expect(endedOf([...little, kept('much', 8, 5, 0)], 6)).toEqual(['much']);
});

it('ends answers of the site that fills the limit before slow ones of others', () => {
  const fast = Array.from({ length: 40 }, (_, index) => kept(`fast ${index}`, 0.25, 1, 0.25, 'full'));
  const others = [kept('slow', 0.2, 8, 0.1, 'one'), kept('slower', 0.25, 20, 0.1, 'another')];
  const ended = endedOf([...others, ...fast], 8);
  expect(ended.every(name => name.startsWith('fast'))).toBe(true);
  expect(ended).toHaveLength(10);
});
