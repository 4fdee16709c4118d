import { expect, it } from 'vitest';
import { prettyJsonArray } from './json-array.ts';

it.each([0, 1, 99, 100, 101, 250])(
  'writes an array of %i items in pieces as JSON.stringify does at once',
  count => {
    const items = Array.from({ length: count }, (_, n) => ({
      n,
      text: 'a\nb"\\n',
      list: [n, {}],
      none: null,
    }));
    const pieces = [...prettyJsonArray(items, item => ({ ...item, path: `p/${item.n}` }))];
    expect(pieces.join('')).toBe(
      `${JSON.stringify(
        items.map(item => ({ ...item, path: `p/${item.n}` })),
        null,
        2,
      )}\n`,
    );
    expect(pieces.length).toBe(Math.max(1, Math.ceil(count / 100)));
  },
);
