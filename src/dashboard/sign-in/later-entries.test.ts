import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { LaterEntries } from './later-entries.ts';

it('writes remaining entries one at a time on close, so that none is refused', async () => {
  const entries = new LaterEntries();
  const done: string[] = [];
  let [busy, begun] = [0, () => {}];
  const first = new Promise<void>(resolve => {
    begun = resolve;
  });
  for (let number = 0; number < 40; number++) {
    entries.add(async last => {
      begun();
      const isRefused = busy > 0;
      busy += 1;
      await setTimeout(60);
      busy -= 1;
      if (!isRefused || last) done.push(isRefused ? `${number} is lost` : 'written');
      return !isRefused || last;
    });
  }
  await first;
  await entries.close();
  expect(done).toEqual(Array(40).fill('written'));
});
