import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Refusal } from '../domain/refusal.ts';
import { parseJson } from './parse-json.ts';

const refusal = (text: string, maxValues?: number) => {
  try {
    parseJson(Buffer.from(text), maxValues);
  } catch (error) {
    return (error as Refusal).details.fields?.[0]?.message;
  }
  return undefined;
};

it('rejects more values than batches have, before parsing them', () => {
  const tooMany = 'must not have more than 20000 values';
  for (const one of ['[]', '{ }', '"12345678"', '1']) {
    const list = (count: number) => `[${Array(count).fill(one).join()}]`;
    expect(refusal(list(19_999))).toBe(undefined);
    expect(refusal(list(20_000)), one).toBe(tooMany);
  }
  const members = (count: number) =>
    `{${Array.from({ length: count }, (_, index) => `"${index}":1`).join()}}`;
  expect(refusal(members(19_999))).toBe(undefined);
  expect(refusal(members(20_000))).toBe(tooMany);
  expect(refusal(`[${JSON.stringify('[{,'.repeat(50_000))}]`), 'in a text').toBe(undefined);
  expect(refusal('['.repeat(100_000)), 'and no JSON').toBe('must not be nested more than 32 levels deep');
  expect(refusal('"'.repeat(100_001)), 'no end of a text').toBe('must be JSON in UTF-8');
});

it.each([
  '9007199254740991',
  '-9007199254740992',
  '100000000000000000000',
  '0',
  '-0',
  '0.1',
  '1e3',
  '1.7976931348623157e308',
  '12345.678901234567',
  '0.0',
  '1.0000000000000000000000000',
  '5e-324',
])('accepts the number %s', number => {
  expect(refusal(`{"a":[{"b":${number}}]}`)).toBe(undefined);
});

it.each([
  '9007199254740993',
  '-9007199254740993',
  '123456789012345678901234567890',
  '1e999',
  '-1e999',
  '1e-999',
  '1E999',
  '0.123456789012345678',
])('rejects the number %s, which a double cannot represent', number => {
  const message = 'must fit a 64-bit float: send larger or more precise numbers as strings';
  for (const [text, path] of [
    [number, ''],
    [`{"a":[1,{"b":${number}}]}`, 'a.1.b'],
    [`[0,${number}]`, '1'],
    [`{"a":"x","b":${number},"c":1}`, 'b'],
  ] as const) {
    expect(() => parseJson(Buffer.from(text)), text).toThrow(
      expect.objectContaining({ details: { fields: [{ path, message }] } }),
    );
  }
  expect(refusal(JSON.stringify({ a: number })), 'in a text').toBe(undefined);
});

/** A JSON text before serialization: names may repeat, and characters may be escaped. */
type Written = string | number | boolean | null | Written[] | { readonly members: readonly Member[] };
type Member = readonly [name: string, value: Written];

const name = fc.constantFrom('a', 'b', '', '__proto__', 'é', '"', '\\', '💥', '{"a":1,"a":2}');
const { written } = fc.letrec<{ written: Written }>(tie => ({
  written: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(fc.string({ unit: 'binary' }), name, fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('written'), { maxLength: 3 }),
    fc.record({ members: fc.array(fc.tuple(name, tie('written')), { maxLength: 4 }) }),
  ),
}));

const escaped = (text: string) =>
  `"${[...Array(text.length).keys()].map(at => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`;

function textOf(value: Written, escapes: () => boolean, space: string): string {
  const string = (text: string) => (escapes() || !text.isWellFormed() ? escaped(text) : JSON.stringify(text));
  const write = (part: Written): string => {
    if (typeof part === 'string') return string(part);
    if (Array.isArray(part)) return `[${space}${part.map(write).join(`${space},`)}]`;
    if (typeof part !== 'object' || part === null) return String(part);
    const members = part.members.map(([key, member]) => `${space}${string(key)}${space}:${write(member)}`);
    return `{${members.join(',')}${space}}`;
  };
  return write(value);
}

function hasDuplicate(value: Written): boolean {
  if (Array.isArray(value)) return value.some(hasDuplicate);
  if (typeof value !== 'object' || value === null) return false;
  const names = value.members.map(([key]) => key);
  return new Set(names).size < names.length || value.members.some(([, member]) => hasDuplicate(member));
}

const problemOf = (text: string | Buffer): unknown => {
  try {
    parseJson(Buffer.from(text as string));
    return null;
  } catch (error) {
    return error instanceof Refusal ? [error.code, error.details.fields] : error;
  }
};

it('rejects exactly the texts with a repeated name, and parses the rest as JSON.parse does', () => {
  fc.assert(
    fc.property(
      written,
      fc.infiniteStream(fc.boolean()),
      fc.constantFrom('', ' ', '\n\t'),
      (value, escapes, space) => {
        const text = textOf(value, () => escapes.next().value, space);
        if (hasDuplicate(value)) {
          expect(() => parseJson(Buffer.from(text))).toThrow(Refusal);
        } else {
          expect(parseJson(Buffer.from(text))).toEqual(JSON.parse(text));
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

it('reports the repeated name, even if it is escaped', () => {
  expect(problemOf('{"a":1,"\\u0061":2}')).toEqual([
    'invalid_body',
    [{ path: 'a', message: 'must not be repeated' }],
  ]);
  expect(problemOf('{"list":[0,{"__proto__":1,"__proto__":1}]}')).toEqual([
    'invalid_body',
    [{ path: 'list.1.__proto__', message: 'must not be repeated' }],
  ]);
});

it('rejects deep nesting, invalid UTF-8 and invalid JSON', () => {
  expect(problemOf('['.repeat(32) + ']'.repeat(32))).toBe(null);
  for (const text of ['['.repeat(33) + ']'.repeat(33), '['.repeat(200_000), '{"a":', '', '\ufeff{}']) {
    expect(problemOf(text)).toMatchObject(['invalid_body', [{ path: '' }]]);
  }
  expect(problemOf(Buffer.from([0x22, 0xff, 0x22]))).toMatchObject(['invalid_body', [{ path: '' }]]);
});

function countOf(value: unknown): number {
  return typeof value === 'object' && value !== null
    ? Object.values(value).reduce((count: number, inner) => count + countOf(inner), 1)
    : 1;
}

it('counts the values of a text exactly', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom('', ' ', '\n\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(refusal(text, countOf(value))).toBe(undefined);
      expect(refusal(text, countOf(value) - 1)).toContain('values');
    }),
  );
});
