import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { mediaTypeOf } from '../formats/file-kinds.ts';
import { mediaTypeInThread } from './file-kind.ts';

it('is what the file is', async () => {
  expect(await mediaTypeInThread('a.json', Buffer.from('{"a":1}'))).toBe('application/json');
  expect(await mediaTypeInThread('a.json', Buffer.from('{"a":1'))).toBeUndefined();
});

it('is found beside the event loop, also in JSON that takes long and is refused at its end', async () => {
  const hostile = Buffer.from(`[${'{},'.repeat(1_500_000)}!`);
  const began = performance.now();
  expect(await mediaTypeOf('a.json', hostile)).toBeUndefined();
  const inPlace = performance.now() - began;
  let [longest, done] = [0, false];
  const found = mediaTypeInThread('a.json', hostile).finally(() => {
    done = true;
  });
  for (let last = performance.now(); !done; last = performance.now()) {
    await setImmediate();
    longest = Math.max(longest, performance.now() - last);
  }
  expect(await found).toBeUndefined();
  expect(longest, `of ${inPlace} ms`).toBeLessThan(inPlace / 2);
});
