import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { PasswordQueue, type Place } from './password-queue.ts';

/** Works, each named, that end one after another when the test says so. */
function startQueue(atOnce: number, longest: number) {
  const queue = new PasswordQueue(atOnce, longest);
  const begun: string[] = [];
  const refused: string[] = [];
  const ends: (() => void)[] = [];
  const add = (name: string, line: Place['line'] = 'others', holder = name) => {
    queue
      .run({ line, holder }, async () => {
        begun.push(name);
        await new Promise<void>(resolve => ends.push(resolve));
      })
      .catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'too_busy', details: { retry_after_seconds: 1 } });
        refused.push(name);
      });
  };
  /** Ends the one that began first. */
  const end = async () => {
    ends.shift()!();
    await setImmediate();
  };
  /** Those that begin while so many end. */
  const next = async (turns: number) => {
    const before = begun.length;
    for (let turn = 0; turn < turns; turn++) await end();
    return begun.slice(before);
  };
  return { queue, add, next, begun, refused };
}

it('runs so many at once, lets so many wait, and refuses the rest at once', async () => {
  const { queue, add, next, begun, refused } = startQueue(2, 3);
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) add(name);
  await setImmediate();
  expect([begun, refused]).toEqual([['a', 'b'], ['f']]);
  add('worker', 'paid');
  add('owner', 'first');
  expect(await next(5)).toEqual(['owner', 'worker', 'c', 'd', 'e']);
  await next(2);
  // Failed work releases its slot too.
  const place = { line: 'others', holder: 'x' } as const;
  await expect(queue.run(place, () => Promise.reject(new Error('x')))).rejects.toThrow('x');
  expect(await queue.run(place, async () => 'free')).toBe('free');
});

it('gives each line its turns, however many wait in the others', async () => {
  const { add, next } = startQueue(1, 64);
  add('running');
  for (const line of ['others', 'paid', 'first'] as const) {
    for (let index = 0; index < 8; index++) add(line, line, `${line} ${index}`);
  }
  const seven = ['first', 'paid', 'first', 'others', 'first', 'paid', 'first'];
  expect(await next(14)).toEqual([...seven, ...seven]);
  const two = ['paid', 'others', 'paid', 'paid', 'others'];
  expect(await next(5), 'where a line is empty').toEqual(two);
});

it('prefers the holder with the fewest recent runs, in every line', async () => {
  for (const line of ['first', 'paid', 'others'] as const) {
    const { add, next, refused } = startQueue(1, 64);
    for (let round = 0; round < 5; round++) {
      for (let index = 0; index < 10; index++) add('flood', line, `flood ${index}`);
      await next(10);
    }
    for (let index = 0; index < 10; index++) add('flood', line, `flood ${index}`);
    add('victim', line);
    expect(await next(1)).toEqual(['victim']);
    add('victim again', line, 'victim');
    expect(await next(1)).toEqual(['victim again']);
    expect(refused).toEqual([]);
  }
});

it('has two of one person wait, and refuses more', async () => {
  for (const line of ['first', 'paid'] as const) {
    const { add, next, refused } = startQueue(1, 64);
    for (let index = 0; index < 5; index++) add(`attacker ${index}`, line, 'attacker');
    add('victim', line);
    expect(await next(3)).toEqual(['victim', 'attacker 1', 'attacker 2']);
    expect(refused).toEqual(['attacker 3', 'attacker 4']);
  }
});

it('makes room in a full line for a holder with less load', async () => {
  const { add, next, refused } = startQueue(1, 6);
  add('running');
  for (let index = 0; index < 6; index++) add(`office ${index}`, 'others', 'office');
  add('victim');
  add('office 6', 'others', 'office');
  await setImmediate();
  expect(refused.sort()).toEqual(['office 5', 'office 6']);
  expect(await next(3)).toEqual(['office 0', 'victim', 'office 1']);

  // Many people with one request each, who have had no run yet.
  const people = startQueue(1, 6);
  people.add('running', 'first');
  for (const round of [1, 2]) {
    for (let index = 0; index < 6; index++) people.add(`${index} for the ${round}.`, 'first', `${index}`);
    if (round === 1) await people.next(6);
  }
  people.add('victim', 'first');
  await setImmediate();
  expect(people.refused).toHaveLength(1);
  expect(await people.next(1)).toEqual(['victim']);
});
