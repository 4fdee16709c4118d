import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from './api-error.ts';
import { once } from './once.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A change that is asked for with this content, and the key that it carries; `status` is 0 where the answer is lost. */
async function ask(method: string, path: string, content: string, status = 200): Promise<string> {
  let sent = 'joined another';
  const answer = once({ method, path }, content, async key => {
    sent = key;
    if (status !== 200) throw new ApiError(status, {});
  });
  await answer.catch(() => {});
  return sent;
}

it('carries the same key again where the answer was lost, for a minute', async () => {
  const first = await ask('POST', '/systems', 'A', 0);
  vi.advanceTimersByTime(59_000);
  expect(await ask('POST', '/systems', 'A', 502)).toBe(first);
  vi.advanceTimersByTime(61_000);
  expect(await ask('POST', '/systems', 'A'), 'much later').not.toBe(first);
});

it.each([200, 400, 409])('carries a new key where the answer was %i', async status => {
  const first = await ask('POST', '/systems', 'A', status);
  expect(await ask('POST', '/systems', 'A')).not.toBe(first);
});

it('sets a value anew that another has replaced since the answer was lost', async () => {
  const [first, other] = [await ask('PUT', '/name', 'A', 0), await ask('PUT', '/other', 'A', 0)];
  await ask('PUT', '/name', 'B');
  expect(await ask('PUT', '/name', 'A')).not.toBe(first);
  expect(await ask('PUT', '/other', 'A')).toBe(other);
});

it('forgets no creation because of another', async () => {
  const first = await ask('POST', '/keys', 'A', 0);
  await ask('POST', '/keys', 'B');
  expect(await ask('POST', '/keys', 'A')).toBe(first);
});
