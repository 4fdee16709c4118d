import { expect, it } from 'vitest';
import { PasswordQueue } from './password-queue.ts';

it('runs so many at once, lets so many wait, refuses the rest at once, and lets who goes first go first', async () => {
  const queue = new PasswordQueue(2, 3);
  const order: string[] = [];
  const ends: (() => void)[] = [];
  let running = 0;
  let most = 0;
  const work = (name: string, line?: 'first' | 'paid') =>
    queue.run(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>(resolve => ends.push(resolve));
      running -= 1;
      order.push(name);
    }, line);
  const begun = ['a', 'b', 'c', 'd', 'e'].map(name => work(name));
  await expect(work('f')).rejects.toMatchObject({ code: 'too_busy', details: { retry_after_seconds: 1 } });
  expect([queue.isFull('others'), queue.isFull('paid')]).toEqual([true, false]);
  begun.push(work('worker', 'paid'), work('owner', 'first'));
  while (order.length < 7) {
    ends.shift()?.();
    await new Promise(resolve => setImmediate(resolve));
  }
  await Promise.all(begun);
  expect(most).toBe(2);
  expect(order).toEqual(['a', 'b', 'owner', 'worker', 'c', 'd', 'e']);
  // What fails gives its place back too.
  await expect(queue.run(() => Promise.reject(new Error('x')))).rejects.toThrow('x');
  expect(await queue.run(async () => 'free')).toBe('free');
});
