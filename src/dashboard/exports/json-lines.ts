/** Each as JSON on a line of its own (JSON Lines), batch by batch as they come. */
export async function* jsonLines<Item>(
  batches: AsyncIterable<readonly Item[]>,
  write: (item: Item) => unknown = item => item,
): AsyncGenerator<string> {
  for await (const batch of batches) yield batch.map(item => `${JSON.stringify(write(item))}\n`).join('');
}
