import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Continuity } from './continuity.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

/** The times that turns are stated, after these milliseconds each. */
async function turnsAfter(...pauses: number[]): Promise<number[]> {
  const continuity = new Continuity();
  const stated: number[] = [];
  for (const pause of pauses) {
    vi.setSystemTime(Date.now() + pause);
    await continuity.turn(async ms => void stated.push(ms));
  }
  return stated;
}

it('states for how long turns have followed each other', async () => {
  expect(await turnsAfter(0, 10_000, 60_000, 10_000)).toEqual([0, 10_000, 70_000, 80_000]);
});

it('begins again after more than a minute, or if the clock was set back', async () => {
  expect(await turnsAfter(0, 10_000, 60_001, 10_000)).toEqual([0, 10_000, 0, 10_000]);
  expect(await turnsAfter(0, 10_000, -1, 10_000)).toEqual([0, 10_000, 0, 10_000]);
});

it('does not count turns that fail', async () => {
  const continuity = new Continuity();
  await continuity.turn(async () => {});
  for (let turn = 0; turn < 7; turn++) {
    vi.setSystemTime(Date.now() + 10_000);
    const failing = continuity.turn(() => Promise.reject(new Error('no database')));
    await expect(failing).rejects.toThrow('no database');
  }
  vi.setSystemTime(Date.now() + 1);
  expect(await new Promise(resolve => void continuity.turn(async ms => resolve(ms)))).toBe(0);
});

it('counts the duration of a turn', async () => {
  const continuity = new Continuity();
  await continuity.turn(async () => void vi.setSystemTime(Date.now() + 90_000));
  vi.setSystemTime(Date.now() + 10_000);
  let stated = -1;
  await continuity.turn(async ms => {
    stated = ms;
  });
  expect(stated).toBe(100_000);
});
