import { setTimeout } from 'node:timers/promises';

/**
 * Repeats a query until its result is neither undefined nor false. After the timeout, fails with what it waited for.
 */
export async function poll<T>(
  what: string,
  ask: () => T | undefined | Promise<T | undefined>,
  seconds = 100,
): Promise<Exclude<T, false>> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer as Exclude<T, false>;
    if (Date.now() > deadline) throw new Error(`waited ${seconds} s for ${what}`);
    await setTimeout(20);
  }
}
