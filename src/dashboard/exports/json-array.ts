import { writeRows } from './pace.ts';

/** A JSON array with one item per line, written batch by batch. */
export async function* jsonArray<Item>(batches: AsyncIterable<readonly Item[]>): AsyncGenerator<string> {
  let separator = '[\n';
  yield* writeRows(batches, items => {
    const piece = separator + items.map(item => JSON.stringify(item)).join(',\n');
    separator = ',\n';
    return piece;
  });
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

/** Items written at a time. */
const batchLength = 100;

/** Writes the same bytes as `JSON.stringify` with an indent of 2, and a line break, in pieces. */
export function* prettyJsonArray<Item>(
  items: readonly Item[],
  write: (item: Item) => unknown,
): Generator<string> {
  const indented = (item: Item) => `  ${JSON.stringify(write(item), null, 2).replaceAll('\n', '\n  ')}`;
  if (items.length === 0) yield '[]\n';
  for (let from = 0; from < items.length; from += batchLength) {
    const batch = items.slice(from, from + batchLength).map(indented);
    const isLast = from + batchLength >= items.length;
    yield `${from === 0 ? '[' : ','}\n${batch.join(',\n')}${isLast ? '\n]\n' : ''}`;
  }
}
