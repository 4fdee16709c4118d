import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { withinTime } from './within-time.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const untilAborted = (signal: AbortSignal) =>
  new Promise<unknown>(resolve => signal.addEventListener('abort', () => resolve(signal.reason)));

it('ends in time although garbage is collected in the meantime', async () => {
  const never = new AbortController().signal;
  const ended = withinTime(100, never, untilAborted);
  const collecting = setInterval(collectGarbage, 10);
  expect(await ended).toMatchObject({ name: 'TimeoutError' });
  clearInterval(collecting);
});

it('ends when the given signal aborts, and returns what the work returns', async () => {
  const caller = new AbortController();
  const ended = withinTime(60_000, caller.signal, untilAborted);
  caller.abort(new Error('stopped'));
  expect(await ended).toMatchObject({ message: 'stopped' });
  expect(await withinTime(60_000, undefined, async () => 7)).toBe(7);
});
