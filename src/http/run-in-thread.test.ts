import { expect, it } from 'vitest';
import { runInThread, ThreadEnded } from './run-in-thread.ts';

const program = new URL('../../test/support/thread-program.mjs', import.meta.url);
const limits = { ms: 60_000, megabytes: 32 };

it('returns what the thread posts, without an environment', async () => {
  process.env.PARAPET_MASTER_KEY = 'S3cret';
  expect(await runInThread(program, 'answer', limits)).toEqual({ environment: {} });
  delete process.env.PARAPET_MASTER_KEY;
});

it('terminates a thread at its limits, without blocking', async () => {
  const began = performance.now();
  const computing = runInThread(program, 'compute forever', { ...limits, ms: 300 });
  await expect(computing).rejects.toThrow(new ThreadEnded('not finished within 300 ms'));
  expect(performance.now() - began).toBeLessThan(30_000);
  await expect(runInThread(program, 'fill the heap', limits)).rejects.toThrow(
    new ThreadEnded('out of memory'),
  );
  const stop = new AbortController();
  const stopped = runInThread(program, 'compute forever', limits, stop.signal);
  stop.abort(new Error('stopped'));
  await expect(stopped).rejects.toThrow('stopped');
});

it('rejects with the error of the program, or if it exits without a result', async () => {
  await expect(runInThread(program, 'throw', limits)).rejects.toThrow(new RangeError('thrown'));
  await expect(runInThread(program, 'end', limits)).rejects.toThrow('without a result');
});
