/** Rows per read: a few milliseconds of work for the consumer. */
const batchLength = 100;

/** Reads the rows with these ids in the order of the ids, in batches with one query each. */
export async function* batchesOf<Row>(
  ids: readonly string[],
  read: (ids: readonly string[]) => Promise<Row[]>,
  length = batchLength,
): AsyncGenerator<Row[]> {
  for (let from = 0; from < ids.length; from += length) yield await read(ids.slice(from, from + length));
}

/**
 * A long list in batches with one query each, so that a slow consumer does not keep a connection or a snapshot.
 *
 * @param read returns at most this many rows that follow the given one
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
