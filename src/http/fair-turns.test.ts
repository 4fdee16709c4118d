import { expect, it } from 'vitest';
import { FairTurns } from './fair-turns.ts';

/** Blocks the thread. */
function work(milliseconds: number): void {
  for (const begun = performance.now(); performance.now() - begun < milliseconds; );
}

const turnsWithRest = (isNeeded: () => boolean) =>
  new FairTurns({ ofLine: 1, ofAll: 1, rest: { times: 3, isNeeded } });

/** Milliseconds between the starts of consecutive pieces of work. */
async function intervals(pieces: number, milliseconds: number, isNeeded = () => true): Promise<number[]> {
  const turns = turnsWithRest(isNeeded);
  const begun = await Promise.all(
    Array.from(
      { length: pieces },
      () =>
        new Promise<number>(resolve => {
          const begin = () => {
            resolve(performance.now());
            work(milliseconds);
          };
          turns.take({ line: 'a', member: 'b' }, { weight: 1, begin });
        }),
    ),
  );
  return begun.slice(1).map((at, index) => at - begun[index]!);
}

it('pauses three times as long as long work took', async () => {
  for (const interval of await intervals(5, 10)) expect(interval).toBeGreaterThan(4 * 10 - 2);
});

it('does not pause after short work', async () => {
  const total = (await intervals(200, 0)).reduce((sum, interval) => sum + interval, 0);
  expect(total).toBeLessThan(200);
});

it('does not pause while the time is not needed, and pauses again once it is', async () => {
  const total = (await intervals(5, 20, () => false)).reduce((sum, interval) => sum + interval, 0);
  expect(total, 'four times 20 ms, and 240 more with rests').toBeLessThan(4 * 20 + 120);
  let calls = 0;
  const [first, ...others] = await intervals(4, 10, () => ++calls > 1);
  expect(first).toBeLessThan(4 * 10 - 2);
  for (const interval of others) expect(interval).toBeGreaterThan(4 * 10 - 2);
});

it('does not count the work of others as its own', async () => {
  const turns = turnsWithRest(() => true);
  let others = true;
  const other = () => {
    work(20);
    if (others) setImmediate(other);
  };
  setImmediate(other);
  const begun = performance.now();
  for (let piece = 0; piece < 5; piece++) {
    await new Promise<void>(begin => void turns.take({ line: 'a', member: 'b' }, { weight: 1, begin }));
  }
  others = false;
  // With rests after each turn of 20 ms, five pieces would take 400 ms.
  expect(performance.now() - begun).toBeLessThan(300);
});
