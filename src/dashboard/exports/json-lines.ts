/** One JSON array, an item on each line, batch by batch as they come. */
export async function* jsonArray<Item>(batches: AsyncIterable<readonly Item[]>): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    yield separator + batch.map(item => JSON.stringify(item)).join(',\n');
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

/** Each as JSON on a line of its own (JSON Lines), batch by batch as they come. */
export async function* jsonLines<Item>(
  batches: AsyncIterable<readonly Item[]>,
  write: (item: Item) => unknown = item => item,
): AsyncGenerator<string> {
  for await (const batch of batches) yield batch.map(item => `${JSON.stringify(write(item))}\n`).join('');
}
