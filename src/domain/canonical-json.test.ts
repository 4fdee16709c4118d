import { expect, it } from 'vitest';
import { canonicalJson, canonicalPieces } from './canonical-json.ts';

it('writes the same facts in the same way, whatever the order of the fields', () => {
  const text = '{"a":[1,{"x":null,"é":"\\n"}],"b":true}';
  expect(canonicalJson({ b: true, a: [1, { é: '\n', x: null, gone: undefined }] })).toBe(text);
  expect(canonicalJson(JSON.parse(text))).toBe(text);
});

it.each([[1.5], [Number.NaN], [{ a: () => 1 }], [[undefined]]])('refuses %s', value => {
  expect(() => canonicalJson(value)).toThrow(TypeError);
});

it('writes the same piece by piece, with arrays that come in batches', async () => {
  async function* batches(...given: unknown[][]) {
    yield* given;
  }
  const written = async (value: unknown) => {
    let text = '';
    for await (const piece of canonicalPieces(value)) text += piece;
    return text;
  };
  const rest = { z: [1, { b: 1, a: [] }], gone: undefined, empty: {}, text: 'a\u2028"', none: null };
  const whole = { ...rest, list: [1, { y: 2, x: 1 }, 3], nested: { list: [], a: 1 } };
  const inBatches = {
    ...rest,
    list: batches([], [1, { y: 2, x: 1 }], [], [3]),
    nested: { list: batches([]), a: 1 },
  };
  expect(await written(inBatches)).toBe(canonicalJson(whole));
  expect(await written(whole)).toBe(canonicalJson(whole));
  await expect(written({ list: batches([1.5]) })).rejects.toThrow(TypeError);
});
