import { expect, it } from 'vitest';
import { whileWanted } from './while-wanted.ts';

/** Answers from a list whether work is wanted. The work rejects when it is aborted, and goes on once more has been asked. */
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

it('aborts work that is not wanted any more, and returns nothing', async () => {
  const { isWanted, work, left } = wanting(true, false);
  expect(await whileWanted(isWanted, work)).toBeUndefined();
  expect(left).toEqual([]);
});

it('goes on while it is not known whether the work is wanted', async () => {
  const { isWanted, work, left } = wanting(new Error('the database does not answer'), true, false);
  expect(await whileWanted(isWanted, work)).toBeUndefined();
  expect(left).toEqual([]);
});

it('returns what wanted work returns, and rejects as it does', async () => {
  const { isWanted, work } = wanting(true);
  expect(await whileWanted(isWanted, work)).toBe('went on');
  const failure = new Error('a fault of the work');
  await expect(whileWanted(isWanted, () => Promise.reject(failure))).rejects.toBe(failure);
});

it('aborts work with the signal of whoever asked for it, and rejects with its reason', async () => {
  const { isWanted, work } = wanting();
  const controller = new AbortController();
  const done = whileWanted(isWanted, work, controller.signal);
  controller.abort(new Error('the worker stops'));
  await expect(done).rejects.toThrow('the worker stops');
});
