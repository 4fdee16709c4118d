import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from './api-error.ts';
import { once } from './once.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Requests a change and returns the idempotency key that it carries. @param status of the response; 0 if it is lost */
async function ask(method: string, path: string, content: string, status = 200): Promise<string> {
  let sent = 'joined another';
  const answer = once({ method, path }, content, async key => {
    sent = key;
    if (status !== 200) throw new ApiError(status, {});
  });
  await answer.catch(() => {});
  return sent;
}

it('carries the same key again after a lost response, for a minute', async () => {
  const first = await ask('POST', '/systems', 'A', 0);
  vi.advanceTimersByTime(59_000);
  expect(await ask('POST', '/systems', 'A', 502)).toBe(first);
  vi.advanceTimersByTime(61_000);
  expect(await ask('POST', '/systems', 'A'), 'much later').not.toBe(first);
});

it.each([200, 400, 409, 499])('carries a new key after a response with status %i', async status => {
  const first = await ask('POST', '/systems', 'A', status);
  expect(await ask('POST', '/systems', 'A')).not.toBe(first);
});

it('carries a new key for a value that another has replaced since', async () => {
  const [first, other] = [await ask('PUT', '/name', 'A', 0), await ask('PUT', '/other', 'A', 0)];
  await ask('PUT', '/name', 'B');
  expect(await ask('PUT', '/name', 'A')).not.toBe(first);
  expect(await ask('PUT', '/other', 'A')).toBe(other);
});

it('remembers a creation after another one', async () => {
  const first = await ask('POST', '/keys', 'A', 0);
  await ask('POST', '/keys', 'B');
  expect(await ask('POST', '/keys', 'A')).toBe(first);
});

it.each([0, 500, 503])('carries the same key again after status %i', async status => {
  const first = await ask('POST', '/systems', `failed ${status}`, status);
  expect(await ask('POST', '/systems', `failed ${status}`)).toBe(first);
});

it('uses a UUID of version 4 as the key', async () => {
  expect(await ask('POST', '/systems', 'A')).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
});

it('remembers the last 50 failed changes', async () => {
  const keys = [];
  for (let index = 0; index <= 50; index++) keys.push(await ask('POST', '/systems', `many ${index}`, 0));
  expect(await ask('POST', '/systems', 'many 50')).toBe(keys[50]);
  expect(await ask('POST', '/systems', 'many 1')).toBe(keys[1]);
  expect(await ask('POST', '/systems', 'many 0')).not.toBe(keys[0]);
});

it('shares the response of a change that is in flight', async () => {
  let sent = 0;
  const send = () =>
    once({ method: 'POST', path: '/systems' }, 'twice', async () => {
      sent += 1;
      return sent;
    });
  expect(await Promise.all([send(), send()])).toEqual([1, 1]);
  expect(await send()).toBe(2);
});
