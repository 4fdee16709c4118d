import { expect, it } from 'vitest';
import { hasRoomBeside, usedBytes, victimOf } from './memory.ts';

const megabyte = 1024 * 1024;
const using = (megabytes: number, alive = true) => ({ alive, ownBytes: megabytes * megabyte });

it('counts what living processes use, and what new ones will use', () => {
  const others = [using(0), using(100), using(200, false)];
  expect(usedBytes(others)).toBe(100 * megabyte);
  const room = (count: number, megabytes: number) =>
    hasRoomBeside(others, count, { processes: 8, memoryBytes: megabytes * megabyte });
  expect([room(1, 227), room(1, 228), room(2, 228), room(2, 292)]).toEqual([false, true, false, true]);
  expect(hasRoomBeside(others, 1, { processes: 3 })).toBe(false);
  expect(hasRoomBeside([], 1, { processes: 1, memoryBytes: 1 })).toBe(true);
});

it('ends a process of the organization that uses most', () => {
  const [large, small, other] = [using(250), using(150), using(120)];
  const running = new Map([
    [large, 'a'],
    [small, 'b'],
    [other, 'b'],
  ]);
  expect([small, other]).toContain(victimOf(running, new Map()));
});

it('ends the largest one that runs tasks together, whose tasks have not run alone', () => {
  const [alone, small, large, dead] = [using(300), using(50), using(100), using(310, false)];
  const running = new Map([alone, small, large, dead].map(process => [process, 'a']));
  const shared = new Map([small, large, dead].map(process => [process, 1]));
  expect(victimOf(running, shared)).toBe(large);
});

it('ends the one that started last where all run alone, so that each comes to its end', () => {
  const [first, last] = [using(300), using(100)];
  const running = new Map([first, last].map(process => [process, 'a']));
  expect(victimOf(running, new Map())).toBe(last);
  expect(victimOf(new Map(), new Map())).toBe(undefined);
});
