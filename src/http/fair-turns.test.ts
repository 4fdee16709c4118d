import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FairTurns } from './fair-turns.ts';

// Time passes only by work and rests, however busy the machine is.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Blocks the thread. */
const work = (milliseconds: number) => void vi.advanceTimersByTime(milliseconds);

const turnsWithRest = (isNeeded: () => boolean) =>
  new FairTurns({ ofLine: 1, ofAll: 1, rest: { times: 3, isNeeded } });

/** Milliseconds between the starts of consecutive pieces of work. */
async function intervals(pieces: number, milliseconds: number, isNeeded = () => true): Promise<number[]> {
  const begun: number[] = [];
  let isResting = false;
  const turns = turnsWithRest(() => {
    isResting = begun.length < pieces && isNeeded();
    return isResting;
  });
  const begin = () => {
    begun.push(performance.now());
    work(milliseconds);
  };
  for (let piece = 0; piece < pieces; piece++) {
    turns.take({ line: 'a', member: 'b' }, { weight: 1, begin });
  }
  while (begun.length < pieces) {
    await nextTurn();
    if (isResting) vi.advanceTimersToNextTimer();
    isResting = false;
  }
  return begun.slice(1).map((at, index) => at - begun[index]!);
}

it('pauses three times as long as long work took', async () => {
  expect(await intervals(5, 10)).toEqual([40, 40, 40, 40]);
});

it('pauses for a quarter of a second at most', async () => {
  expect(await intervals(3, 100)).toEqual([350, 350]);
});

it('does not pause after short work', async () => {
  expect(await intervals(5, 4)).toEqual([4, 4, 4, 4]);
});

it('does not pause while the time is not needed, and pauses again once it is', async () => {
  expect(await intervals(5, 20, () => false)).toEqual([20, 20, 20, 20]);
  let calls = 0;
  expect(await intervals(4, 10, () => ++calls > 1)).toEqual([10, 40, 40]);
});

it('does not count the work of others as its own', async () => {
  const isNeeded = vi.fn(() => true);
  const turns = turnsWithRest(isNeeded);
  let others = true;
  const other = () => {
    if (!others) return;
    work(20);
    setImmediate(other);
  };
  setImmediate(other);
  for (let piece = 0; piece < 5; piece++) {
    await new Promise<void>(begin => void turns.take({ line: 'a', member: 'b' }, { weight: 1, begin }));
  }
  others = false;
  expect(isNeeded, 'a rest').not.toHaveBeenCalled();
});
