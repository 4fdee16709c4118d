import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

/** Rows written at a time: one or two milliseconds of work, regardless of their content. */
const rowsOfPiece = 20;

/** Pause after each piece, as a multiple of its duration: all files together use about a third of a CPU core, at most half. */
const rests = 2;

/** Maximum pause in milliseconds: a piece seems long if the process was suspended. */
const longestRestMs = 100;

let last: Promise<unknown> = Promise.resolve();

/**
 * Writes rows in pieces. Across all files of a node, pieces are written one at a time, in order of arrival, with a pause
 * after each. Other requests run in the pauses, regardless of the number of files, and no client can block the queue.
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
  // Timers cannot pause for less than a millisecond.
  const rested = done.then(async ({ restMs }) =>
    restMs < 1 ? nextTurn() : pause(Math.min(Math.ceil(restMs), longestRestMs)),
  );
  last = rested.catch(() => {});
  return done.then(({ piece }) => piece);
}
