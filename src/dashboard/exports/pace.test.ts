import { expect, it } from 'vitest';
import { writeRows } from './pace.ts';

/** Batches as the database returns them. */
async function* batches(count: number): AsyncGenerator<number[]> {
  for (let batch = 0; batch < count; batch++) yield Array.from({ length: 50 }, (_, row) => batch * 50 + row);
}

it('writes every row once, in order, in small pieces', async () => {
  const pieces: string[] = [];
  const lengths: number[] = [];
  const write = (rows: readonly number[]) => {
    lengths.push(rows.length);
    return `${rows.join()};`;
  };
  for await (const piece of writeRows(batches(2), write)) pieces.push(piece);
  expect(lengths).toEqual([20, 20, 10, 20, 20, 10]);
  expect(pieces.join('')).toMatch(/^0,1,.*,19;20,.*,49;50,.*,99;$/);
});

it('writes one piece at a time, by turns, and leaves most of the time to others, however many files there are', async () => {
  let turn = 0;
  let counting = setImmediate(function count() {
    turn += 1;
    counting = setImmediate(count);
  });
  const begun: { file: number; turn: number }[] = [];
  let worked = 0;
  const startedAt = performance.now();
  await Promise.all(
    [0, 1, 2, 3, 4].map(async file => {
      const pieces = writeRows(batches(4), () => {
        begun.push({ file, turn });
        const from = performance.now();
        while (performance.now() - from < 3);
        worked += performance.now() - from;
        return '';
      });
      for await (const _ of pieces);
    }),
  );
  const share = worked / (performance.now() - startedAt);
  clearImmediate(counting);
  expect(begun).toHaveLength(60);
  expect(new Set(begun.map(piece => piece.turn)).size).toBe(60);
  expect(begun.slice(0, 10).map(({ file }) => file)).toEqual([0, 1, 2, 3, 4, 0, 1, 2, 3, 4]);
  expect(share).toBeLessThan(0.4);
});

it('continues with other files after a piece fails', async () => {
  const broken = writeRows(batches(1), () => {
    throw new Error('no piece');
  });
  await expect(broken.next()).rejects.toThrow('no piece');
  expect((await writeRows(batches(1), () => 'piece').next()).value).toBe('piece');
});
