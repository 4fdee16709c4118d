import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Permits } from './permits.ts';

type Options = ConstructorParameters<typeof Permits>[0];

const many = { waitingPerHolder: 10, longestWaitMs: 60_000 };

/** Works of organizations, each named by its number, that end when the test says so. */
function startWorks(options: Partial<Options> & Pick<Options, 'atOnce' | 'perHolder'>) {
  const permits = new Permits({ ...many, refusal: () => new Error('refused'), ...options });
  const begun: number[] = [];
  const ends = new Map<number, (error?: Error) => void>();
  const begin = (number: number, holder: string, signal = new AbortController().signal) => {
    const work = permits.use({ holder, signal }, () => {
      begun.push(number);
      return new Promise<void>((resolve, reject) =>
        ends.set(number, error => (error ? reject(error) : resolve())),
      );
    });
    work.catch(() => {});
    return work;
  };
  const end = async (number: number, error?: Error) => {
    ends.get(number)!(error);
    await setImmediate();
  };
  return { permits, begin, begun, end };
}

it('lets so many works go on at once, in the order in which they came, whatever becomes of them', async () => {
  const { begin, begun, end } = startWorks({ atOnce: 2, perHolder: 2 });
  for (const number of [0, 1, 2, 3]) begin(number, 'a');
  expect(begun).toEqual([0, 1]);
  await end(0, new Error('it failed'));
  expect(begun, 'after one that failed').toEqual([0, 1, 2]);
  await end(1);
  expect(begun).toEqual([0, 1, 2, 3]);
});

it('keeps an organization from taking what others need', async () => {
  const { begin, begun, end } = startWorks({ atOnce: 2, perHolder: 1 });
  begin(0, 'a');
  begin(1, 'a');
  begin(2, 'b');
  expect(begun).toEqual([0, 2]);
  begin(3, 'c');
  await end(2);
  expect(begun, 'the one of c, since a has its share').toEqual([0, 2, 3]);
  await end(0);
  expect(begun).toEqual([0, 2, 3, 1]);
});

it('has organizations that hold some leave a few to those that hold none', async () => {
  const { begin, begun, end } = startWorks({ atOnce: 6, perHolder: 3, reserved: 2 });
  for (const number of [0, 1, 2]) begin(number, 'a');
  for (const number of [3, 4, 5]) begin(number, 'b');
  expect(begun).toEqual([0, 1, 2, 3]);
  begin(6, 'c');
  begin(7, 'd');
  expect(begun, 'both at once').toEqual([0, 1, 2, 3, 6, 7]);
  for (const number of [6, 7]) await end(number);
  expect(begun, 'reserved again').toHaveLength(6);
  await end(0);
  expect(begun).toEqual([0, 1, 2, 3, 6, 7, 4]);
});

it('has an organization wait for one work of another, however many of it wait', async () => {
  const { begin, begun, end } = startWorks({ atOnce: 2, perHolder: 2 });
  for (const number of [0, 1, 2, 3]) begin(number, 'a');
  begin(4, 'b');
  await end(0);
  expect(begun).toEqual([0, 1, 4]);
  await end(1);
  expect(begun).toEqual([0, 1, 4, 2]);
});

it('refuses what would wait too long: too many of one organization, over time, or without a client', async () => {
  const { begin, begun, end } = startWorks({
    atOnce: 1,
    perHolder: 1,
    waitingPerHolder: 1,
    longestWaitMs: 50,
  });
  begin(0, 'a');
  const gone = new AbortController();
  const waiting = begin(1, 'a', gone.signal);
  await expect(begin(2, 'a')).rejects.toThrow('refused');
  gone.abort(new Error('the client has gone'));
  await expect(waiting).rejects.toThrow('the client has gone');
  await expect(begin(3, 'a', gone.signal)).rejects.toThrow('the client has gone');
  await expect(begin(4, 'b')).rejects.toThrow('refused');
  await end(0);
  begin(5, 'b');
  expect(begun, 'none that was refused').toEqual([0, 5]);
});

it('goes by limits that change: works beyond smaller ones go on, and larger ones let waiting ones begin', async () => {
  const { permits, begin, begun, end } = startWorks({ atOnce: 4, perHolder: 4 });
  for (const number of [0, 1, 2]) begin(number, 'a');
  permits.limit({ atOnce: 2, perHolder: 1 });
  begin(3, 'b');
  begin(4, 'a');
  await end(0);
  expect(begun, 'two go on').toEqual([0, 1, 2]);
  await end(1);
  expect(begun).toEqual([0, 1, 2, 3]);
  begin(5, 'c');
  begin(6, 'd');
  permits.limit({ atOnce: 4, perHolder: 2 });
  await setImmediate();
  expect(begun, 'the one that came first, of those with the fewest').toEqual([0, 1, 2, 3, 5, 6]);
});
