import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Permits } from './permits.ts';

it('lets so many works go on at once, in the order in which they came, whatever becomes of them', async () => {
  const permits = new Permits(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const works = [0, 1, 2, 3].map(number =>
    permits.use(async () => {
      begun.push(number);
      await new Promise<void>(resolve => ends.push(resolve));
      if (number === 0) throw new Error('it failed');
    }),
  );
  const settled = Promise.allSettled(works);
  await setImmediate();
  expect(begun).toEqual([0, 1]);
  ends[0]!();
  await setImmediate();
  expect(begun, 'after one that failed').toEqual([0, 1, 2]);
  for (let index = 1; index < 4; index += 1) {
    ends[index]!();
    await setImmediate();
  }
  expect(begun).toEqual([0, 1, 2, 3]);
  expect((await settled).map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
});
