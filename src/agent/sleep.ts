import { setTimeout as pause } from 'node:timers/promises';

/** The longest time that fits in a timer. */
const longest = 2 ** 31 - 1;

/** Waits for some milliseconds, or until the signal. */
export async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds <= 0) return;
  await pause(Math.min(milliseconds, longest), undefined, { signal }).catch(() => {});
}
