import { writeRows } from './pace.ts';

/** One JSON value per line (JSON Lines), written batch by batch. */
export async function* jsonLines<Item>(
  batches: AsyncIterable<readonly Item[]>,
  write: (item: Item) => unknown = item => item,
): AsyncGenerator<string> {
  yield* writeRows(batches, items => items.map(item => `${JSON.stringify(write(item))}\n`).join(''));
}
