import { expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

it('writes the same facts in the same way, whatever the order of the fields', () => {
  const text = '{"a":[1,{"x":null,"é":"\\n"}],"b":true}';
  expect(canonicalJson({ b: true, a: [1, { é: '\n', x: null, gone: undefined }] })).toBe(text);
  expect(canonicalJson(JSON.parse(text))).toBe(text);
});

it.each([[1.5], [Number.NaN], [{ a: () => 1 }], [[undefined]]])('refuses %s', value => {
  expect(() => canonicalJson(value)).toThrow(TypeError);
});
