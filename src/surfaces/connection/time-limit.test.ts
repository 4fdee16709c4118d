import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { withTimeLimit } from './time-limit.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Resolves when the signal aborts; collects garbage in the meantime. */
function aborted(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const collecting = setInterval(collectGarbage, 10);
    const tooLate = setTimeout(() => reject(new Error('it did not abort')), 5_000);
    signal.addEventListener('abort', () => {
      clearInterval(collecting);
      clearTimeout(tooLate);
      resolve(signal.reason);
    });
  });
}

it('ends in time although garbage is collected in the meantime', async () => {
  const never = new AbortController().signal;
  expect(await aborted(withTimeLimit(withTimeLimit(never, 10_000), 100))).toMatchObject({
    name: 'TimeoutError',
  });
  expect(await aborted(withTimeLimit(withTimeLimit(never, 100), 10_000))).toMatchObject({
    name: 'TimeoutError',
  });
});

it('ends when the given signal aborts', async () => {
  const caller = new AbortController();
  const signal = withTimeLimit(caller.signal, 10_000);
  caller.abort(new Error('stopped'));
  expect(signal.reason).toMatchObject({ message: 'stopped' });
});
