/** Rows that are read at a time: a few milliseconds' work for who writes them into a file. */
const batchLength = 100;

/** Of a long list in an order of its own, the rows with these ids in that order, batch by batch, each read by itself. */
export async function* batchesOf<Row>(
  ids: readonly string[],
  read: (ids: readonly string[]) => Promise<Row[]>,
  length = batchLength,
): AsyncGenerator<Row[]> {
  for (let from = 0; from < ids.length; from += length) yield await read(ids.slice(from, from + length));
}

/**
 * A long list, batch by batch. Each is read by itself, so that whoever takes them slowly holds nothing in the database.
 *
 * @param read gives at most so many rows, those that come after the one given
 */
export async function* inBatches<Row>(
  read: (after: Row | undefined, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let last: Row | undefined;
  do {
    const batch: Row[] = await read(last, batchLength);
    if (batch.length > 0) yield batch;
    last = batch.length === batchLength ? batch.at(-1) : undefined;
  } while (last !== undefined);
}
