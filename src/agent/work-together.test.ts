import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { workTogether } from './work-together.ts';

const { signal } = new AbortController();

/** Ends with the signal, after a while. */
const working = (ended: () => void) => async (end: AbortSignal) => {
  await pause(60_000, undefined, { signal: end }).catch(() => {});
  await pause(10);
  ended();
};

it('ends all works if one fails, however early, and throws its error once they have ended', async () => {
  const ended = vi.fn();
  const failing = async () => {
    throw new Error('a bug');
  };
  const works = [working(ended), failing, working(ended)];
  await expect(workTogether('/spool', signal, works)).rejects.toThrow('a bug');
  expect(ended).toHaveBeenCalledTimes(2);
});

it('names the spool folder in an error of the system', async () => {
  const failing = async () => void (await readFile('/missing/events'));
  await expect(workTogether('/spool', signal, [working(() => {}), failing])).rejects.toMatchObject({
    name: 'SpoolUnusable',
    message: expect.stringMatching(/^the spool folder \/spool can no longer be used: ENOENT.*\/missing/),
  });
});

it('ends with the signal', async () => {
  const stop = new AbortController();
  const ended = vi.fn();
  const done = workTogether('/spool', stop.signal, [working(ended)]);
  stop.abort();
  await done;
  expect(ended).toHaveBeenCalledOnce();
});
