import { setTimeout as pause } from 'node:timers/promises';

/** Waits until `condition` holds, looking every 10 ms. Fails after `milliseconds`, naming what did not happen. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  milliseconds = 100_000,
): Promise<void> {
  const deadline = Date.now() + milliseconds;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`did not happen within ${milliseconds} ms: ${what}`);
    await pause(10);
  }
}
