import Type from 'typebox';
import { expect, it } from 'vitest';
import { validatorCompiler } from './validation.ts';

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
