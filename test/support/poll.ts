import { setTimeout } from 'node:timers/promises';

/**
 * Repeats a query until its result is neither undefined nor false, at first every 20 ms, and less often after a second.
 * After the timeout, fails with what it waited for.
 */
export async function poll<T>(
  what: string,
  ask: () => T | undefined | Promise<T | undefined>,
  seconds = 100,
): Promise<Exclude<T, false>> {
  const start = Date.now();
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer as Exclude<T, false>;
    const waited = Date.now() - start;
    if (waited > seconds * 1000) throw new Error(`waited ${seconds} s for ${what}`);
    await setTimeout(Math.min(Math.max(20, waited / 50), 100));
  }
}
