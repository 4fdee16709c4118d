/** Rows that are read at a time: a few milliseconds' work for who writes them into a file. */
const batchLength = 100;

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
