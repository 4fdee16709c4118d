import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { BatchedLookup, LookupRefused } from './batched-lookup.ts';

/** A lookup that waits for the test: `end(0)` ends its first query, `end(1)` its second. */
function startLookup(most?: number) {
  const batches: (readonly string[])[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const lookup = new BatchedLookup<string, string>(
    batch => {
      batches.push(batch);
      return new Promise((resolve, reject) =>
        ends.push(error =>
          error
            ? reject(error)
            : resolve(batch.map(asked => (asked === 'none' ? undefined : `found ${asked}`))),
        ),
      );
    },
    asked => asked,
    most,
  );
  return { lookup, batches, end: (index: number, error?: Error) => ends[index]!(error) };
}

it('runs one query at a time, and queries each waiting key once in the next batch', async () => {
  const { lookup, batches, end } = startLookup();
  const first = lookup.find('a');
  const later = ['b', 'none', 'b', 'a'].map(asked => lookup.find(asked));
  expect(batches).toEqual([['a']]);
  end(0);
  expect(await first).toBe('found a');
  await setImmediate();
  expect(batches).toEqual([['a'], ['b', 'none', 'a']]);
  end(1);
  expect(await Promise.all(later)).toEqual(['found b', undefined, 'found b', 'found a']);
});

it('queries again for what the running query may have missed', async () => {
  const { lookup, batches, end } = startLookup();
  const before = lookup.find('none');
  const after = lookup.find('none');
  end(0);
  await before;
  await setImmediate();
  expect(batches).toHaveLength(2);
  end(1);
  expect(await after).toBeUndefined();
});

it('rejects lookups beyond the limit at once, and works again after a failure', async () => {
  const { lookup, end } = startLookup(2);
  const works = ['a', 'b', 'c', 'd'].map(asked => lookup.find(asked));
  const outcomes = Promise.allSettled(works);
  await expect(works[3]).rejects.toThrow(LookupRefused);
  end(0, new Error('the database is gone'));
  await expect(works[0]).rejects.toThrow('the database is gone');
  await setImmediate();
  end(1);
  expect((await outcomes).map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled',
    'rejected',
  ]);
  const next = lookup.find('e');
  end(2);
  expect(await next).toBe('found e');
});
