import { expect, it } from 'vitest';
import { Bell } from './bell.ts';

it('wakes a waiter, and the next one after a ring without a waiter', async () => {
  const stop = new AbortController();
  const bell = new Bell(stop.signal);
  bell.ring();
  bell.ring();
  await bell.wait();
  let isAwake = false;
  const waiting = bell.wait().then(() => {
    isAwake = true;
  });
  await Promise.resolve();
  expect(isAwake).toBe(false);
  stop.abort();
  await waiting;
  expect(isAwake).toBe(true);
});
