import { expect, it } from 'vitest';
import { BackOff } from '../agent/back-off.ts';
import { keepForwarding } from './keep-forwarding.ts';

it.each([
  ['longer pauses after errors in a row', Number.POSITIVE_INFINITY, 2 ** 5],
  ['the shortest pause after work that went well before its error', 0, 2],
])('makes %s', async (_, goodMs, nextMs) => {
  const backOff = new BackOff(1, 1_000, () => 1);
  const stop = new AbortController();
  const errors: string[] = [];
  const work = async () => {
    throw new Error('full');
  };
  const onError = (message: string) => {
    if (errors.push(message) === 5) stop.abort();
  };
  await keepForwarding(work, stop.signal, onError, { backOff, goodMs });
  expect(errors).toEqual(Array.from({ length: 5 }, () => 'Error: full'));
  expect(backOff.next()).toBe(nextMs);
});
