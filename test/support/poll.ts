import { setTimeout } from 'node:timers/promises';

/** Asks until the answer is not undefined. Fails with what it waited for when the seconds are over. */
export async function poll<T>(what: string, ask: () => Promise<T | undefined>, seconds = 60): Promise<T> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`waited ${seconds} s for ${what}`);
    await setTimeout(50);
  }
}
