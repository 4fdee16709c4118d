import { BackOff } from '../agent/back-off.ts';
import { sleep } from '../agent/sleep.ts';

const longestPauseMs = 60_000;

interface Pauses {
  readonly backOff: BackOff;
  /** After work that took this long, pauses are short again. */
  readonly goodMs: number;
}

/**
 * Works until the signal. Begins again after an error, such as a full disk, from the stored state.
 *
 * @param onError called with the message of each error
 */
export async function keepForwarding(
  work: () => Promise<void>,
  signal: AbortSignal,
  onError: (message: string) => void,
  { backOff, goodMs }: Pauses = { backOff: new BackOff(1_000, longestPauseMs), goodMs: longestPauseMs },
): Promise<void> {
  while (!signal.aborted) {
    const since = performance.now();
    try {
      await work();
    } catch (error) {
      onError(String(error));
      if (performance.now() - since >= goodMs) backOff.reset();
      await sleep(backOff.next(), signal);
    }
  }
}
