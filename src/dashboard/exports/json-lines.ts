import { writeRows } from './pace.ts';

/** Each as JSON on a line of its own (JSON Lines), batch by batch as they come. */
export async function* jsonLines<Item>(
  batches: AsyncIterable<readonly Item[]>,
  write: (item: Item) => unknown = item => item,
): AsyncGenerator<string> {
  yield* writeRows(batches, items => items.map(item => `${JSON.stringify(write(item))}\n`).join(''));
}
