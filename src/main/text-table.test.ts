import { expect, it } from 'vitest';
import { readableSize, textTable } from './text-table.ts';

it('aligns columns, each row on one line', () => {
  const rows = [
    ['name', 'rows', 'note'],
    ['a', '1,000', 'two\nlines'],
    ['longer', '1', ''],
  ];
  expect(textTable(rows, { right: [1] })).toEqual([
    'name     rows  note',
    'a       1,000  two lines',
    'longer      1',
  ]);
});

it.each([
  [0, '0 bytes'],
  [1023, '1023 bytes'],
  [1024, '1.0 kB'],
  [24 * 1024, '24 kB'],
  [1.5 * 1024 ** 3, '1.5 GB'],
  [3000 * 1024 ** 5, '3000 PB'],
])('writes %d bytes as %s', (bytes, text) => {
  expect(readableSize(bytes)).toBe(text);
});
