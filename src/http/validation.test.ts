import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import Type from 'typebox';
import { expect, it } from 'vitest';
import { linearAjv, validatorCompiler } from './validation.ts';

const compile = validatorCompiler();
const schema = Type.Object(
  { name: Type.String({ maxLength: 5 }), tags: Type.Optional(Type.Array(Type.Integer())) },
  { additionalProperties: false },
);
const validate = compile({ schema }) as ((value: unknown) => boolean) & {
  errors: unknown[];
};
const withUnknown = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, 0]));

it('reports every error of a small input', () => {
  expect(validate({ name: 'a' })).toBe(true);
  expect(validate({ name: 'too long', ...withUnknown(500), tags: ['a'] })).toBe(false);
  expect(validate.errors).toHaveLength(502);
});

it.each([
  ['unknown members', { name: 'a', ...withUnknown(30_000) }],
  ['wrong items', { name: 'a', tags: Array(30_000).fill('a') }],
])('reports the first error of an input with many %s', (_what, input) => {
  expect(validate(input)).toBe(false);
  expect(validate.errors).toHaveLength(1);
});

it('accepts the same times as the format', () => {
  const plain = new Ajv();
  addFormats.default(plain, ['date-time']);
  const schema = { type: 'string', format: 'date-time' };
  const [fits, expected] = [linearAjv().compile(schema), plain.compile(schema)];
  const number = (max: number, digits = 2) =>
    fc.integer({ min: 0, max }).map(value => String(value).padStart(digits, '0'));
  const part = fc.tuple(number(9_999, 4), number(13), number(32), number(24), number(60), number(61));
  const rest = fc.constantFrom('Z', '.123Z', '.1234567890Z', 'z', '+02:00', '', 'Z ');
  fc.assert(
    fc.property(part, rest, ([year, month, day, hour, minute, second], end) => {
      const text = `${year}-${month}-${day}T${hour}:${minute}:${second}${end}`;
      expect(fits(text), text).toBe(expected(text));
    }),
    { numRuns: 2_000 },
  );
});
