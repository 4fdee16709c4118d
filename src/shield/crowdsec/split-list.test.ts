import { expect, it } from 'vitest';
import { entriesIn } from './split-list.ts';

const bounds = { bytes: 1_000, entries: 20, entryBytes: 200, entryParts: 10, depth: 6 };

/** The entries of a text that arrives in pieces of these bytes. */
async function read(text: string, bytes = 1_000): Promise<(object | undefined)[]> {
  const all = Buffer.from(text);
  const pieces = async function* () {
    for (let at = 0; at < all.length; at += bytes) yield all.subarray(at, at + bytes);
  };
  const found: (object | undefined)[] = [];
  for await (const entry of entriesIn(pieces(), bounds)) found.push(entry);
  return found;
}

const objects = [{ a: '],[{}"\\', b: ['é€😀', { c: [] }, null] }, {}, { '}': '\\"' }];

it.each([1, 2, 3, 7, 1_000])('reads objects in pieces of %i bytes', async bytes => {
  expect(await read(JSON.stringify(objects), bytes)).toEqual(objects);
  expect(await read(` \n${JSON.stringify(objects, null, 2)}\n`, bytes)).toEqual(objects);
});

it.each(['null', ' null\n', '[]', ' [ ] '])('finds no entry in %s', async text => {
  expect(await read(text)).toEqual([]);
});

it('leaves out what is no object', async () => {
  expect(await read('[1,"a",{},[{}],null]')).toEqual([undefined, undefined, {}, undefined, undefined]);
});

it.each(['', '{}', '1', '[', '[{}', '[{]', '[{"a":]}]', '[{}]x', '[{}][]', '[{}]]', 'x[{}]', '["a'])(
  'refuses what is not a list: %s',
  async text => {
    await expect(read(text)).rejects.toThrow('is incomplete or not JSON');
  },
);

it('leaves out entries that are too large, and reads the others', async () => {
  const large = { text: 'x'.repeat(200) };
  expect(await read(JSON.stringify([{ a: 1 }, large, { a: 2 }]), 9)).toEqual([{ a: 1 }, undefined, { a: 2 }]);
});

it('leaves out entries of too many parts, and reads the others', async () => {
  const [most, more] = [9, 10].map(count => ({ list: Array(count - 1).fill([]) }));
  expect(await read(JSON.stringify([most, more, most]))).toEqual([most, undefined, most]);
});

it('refuses a list that is too large, too long or nested too deeply', async () => {
  await expect(read('[{"a":[[[[[]]]]]}]')).rejects.toThrow('is nested too deeply');
  expect(await read('[{"a":[[[[]]]]}]')).toHaveLength(1);
  await expect(read(`["${'x'.repeat(1_000)}"]`)).rejects.toThrow('is larger than 0.001 MB');
  await expect(read(JSON.stringify(Array(21).fill(1)))).rejects.toThrow('has more than 20 entries');
  expect(await read(JSON.stringify(Array(20).fill({})))).toHaveLength(20);
});
