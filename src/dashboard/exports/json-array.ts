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
