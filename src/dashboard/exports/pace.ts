import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

/** Rows that are written at a time: one or two milliseconds' work, whatever a target has put into them. */
const rowsOfPiece = 20;

/** How often the time of a piece passes before the next begins: all files together take about a third of a processor, at most half. */
const rests = 2;

/** Milliseconds of a rest at most: the process may have been stopped for a while. */
const longestRestMs = 100;

let last: Promise<unknown> = Promise.resolve();

/**
 * Writes rows piece by piece. Of all files that a node writes, one piece is written at a time, in the order in which their rows came,
 * with a rest after each: requests get their turn in between, however many files there are. Nobody can hold it up.
 */
export async function* writeRows<Row>(
  batches: AsyncIterable<readonly Row[]>,
  write: (rows: readonly Row[]) => string,
): AsyncGenerator<string> {
  for await (const batch of batches) {
    for (let from = 0; from < batch.length; from += rowsOfPiece) {
      yield await paced(() => write(batch.slice(from, from + rowsOfPiece)));
    }
  }
}

function paced(work: () => string): Promise<string> {
  const done = last.then(async () => {
    await nextTurn();
    const startedAt = performance.now();
    return { piece: work(), restMs: rests * (performance.now() - startedAt) };
  });
  // A shorter pause than a millisecond would be one of a millisecond.
  const rested = done.then(async ({ restMs }) =>
    restMs < 1 ? nextTurn() : pause(Math.min(Math.ceil(restMs), longestRestMs)),
  );
  last = rested.catch(() => {});
  return done.then(({ piece }) => piece);
}
