import { expect, it } from 'vitest';
import { whileWanted } from './while-wanted.ts';

/** Returns the answers in turn. The work rejects when aborted, and finishes after the last answer was used. */
function wanting(...answers: (boolean | Error)[]) {
  let goOn = (_: string) => {};
  const wentOn = new Promise<string>(resolve => {
    goOn = resolve;
  });
  const left = [...answers];
  return {
    left,
    isWanted: async () => {
      const answer = left.shift();
      if (answer === undefined) goOn('went on');
      if (answer instanceof Error) throw answer;
      return answer ?? true;
    },
    work: (signal: AbortSignal) => {
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
      return Promise.race([aborted, wentOn]);
    },
  };
}

it('aborts work that is no longer wanted, and returns nothing', async () => {
  const { isWanted, work, left } = wanting(true, false);
  expect(await whileWanted(isWanted, work)).toBeUndefined();
  expect(left).toEqual([]);
});

it('continues while it is unknown whether the work is wanted', async () => {
  const { isWanted, work, left } = wanting(new Error('the database does not answer'), true, false);
  expect(await whileWanted(isWanted, work)).toBeUndefined();
  expect(left).toEqual([]);
});

it('returns the result of wanted work, and rejects as it does', async () => {
  const { isWanted, work } = wanting(true);
  expect(await whileWanted(isWanted, work)).toBe('went on');
  const failure = new Error('a fault of the work');
  await expect(whileWanted(isWanted, () => Promise.reject(failure))).rejects.toBe(failure);
});

it('aborts work with the caller’s signal, and rejects with its reason', async () => {
  const { isWanted, work } = wanting();
  const controller = new AbortController();
  const done = whileWanted(isWanted, work, controller.signal);
  controller.abort(new Error('the worker stops'));
  await expect(done).rejects.toThrow('the worker stops');
});
