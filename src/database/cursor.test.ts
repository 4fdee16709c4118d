import { expect, it } from 'vitest';
import { type CursorList, decodeCursor, encodeCursor, type KeyType, type Order } from './cursor.ts';

const list = {
  organization: 'A',
  name: 'findings',
  order: { id: 'uuid' },
  filters: { severity: 'high', status: undefined },
} as const;
const refused = expect.objectContaining({ code: 'invalid_cursor' });
const id = '00000000-0000-4000-8000-000000000000';
const time = '2026-11-21T08:00:00.000+00:00';

/** A cursor with values that no list writes. */
function of(type: KeyType, value: string): unknown {
  const ordered = { ...list, order: { value: type } };
  return decodeCursor(encodeCursor({ value }, ordered), ordered).value;
}

it('decodes to the encoded position', () => {
  const order = { at: 'timestamptz', id: 'uuid', rank: 'smallint', number: 'bigint' } as const;
  const position = { at: time, id, rank: '4', number: '900' };
  const cursor = encodeCursor(position, { ...list, order });
  expect(decodeCursor(cursor, { ...list, order })).toEqual(position);
});

it('is refused if a value is malformed', () => {
  const ordered = { ...list, order: { at: 'timestamptz', id: 'uuid' } } as const;
  for (const position of [
    { at: time, id: 'x' },
    { at: 'x', id },
  ]) {
    expect(() => decodeCursor(encodeCursor(position, ordered), ordered)).toThrow(refused);
  }
});

it('is the same in any order of the filters', () => {
  const [one, other] = [
    { a: '1', b: '2' },
    { b: '2', a: '1' },
  ];
  const cursor = encodeCursor({ id }, { ...list, filters: one! });
  expect(decodeCursor(cursor, { ...list, filters: other! })).toEqual({ id });
});

it.each<[string, CursorList<Order>]>([
  ['the list of another organization', { ...list, organization: 'B' }],
  ['another list', { ...list, name: 'scans' }],
  ['another order', { ...list, order: { source_id: 'uuid' } }],
  ['no filter', { ...list, filters: {} }],
  ['a filter for another value', { ...list, filters: { severity: 'low' } }],
  ['another filter', { ...list, filters: { status: 'high' } }],
])('is refused by %s', (_, other) => {
  expect(() => decodeCursor(encodeCursor({ id }, list), other)).toThrow(refused);
});

it.each<[KeyType, string, boolean]>([
  ['uuid', id, true],
  ['uuid', `${id}0`, false],
  ['smallint', '0', true],
  ['smallint', '1234', true],
  ['smallint', '12345', false],
  ['smallint', 'x1', false],
  ['smallint', '1x', false],
  ['smallint', '', false],
  ['bigint', '9'.repeat(18), true],
  ['bigint', '9'.repeat(19), false],
  ['bigint', 'x1', false],
  ['bigint', '1x', false],
  ['timestamptz', time, true],
  ['timestamptz', '1970-01-01T00:00:00.000+00:00', true],
  ['timestamptz', '9999-12-31T23:59:59.999+00:00', true],
  ['timestamptz', '1969-12-31T23:59:59.999+00:00', false],
  ['timestamptz', '+010000-01-01T00:00:00.000+00:00', false],
  ['timestamptz', '2026-02-31T08:00:00.000+00:00', false],
  ['timestamptz', '2026-11-21T08:00:00.000Z', false],
  ['timestamptz', 'yesterday', false],
])('of a %s with the value %s is accepted: %s', (type, value, isTaken) => {
  if (isTaken) expect(of(type, value)).toBe(value);
  else expect(() => of(type, value)).toThrow(refused);
});

/** A cursor of this list with these values. */
const withValues = (...values: unknown[]) => {
  const digest = JSON.parse(Buffer.from(encodeCursor({ id }, list), 'base64url').toString('utf8')).at(-1);
  return Buffer.from(JSON.stringify([...values, digest])).toString('base64url');
};

it('is accepted as encoded', () => {
  expect(decodeCursor(withValues(id), list)).toEqual({ id });
});

it.each([
  ['text that is not base64url of JSON', 'x'],
  ['JSON that is not an array', Buffer.from('{"a":1}').toString('base64url')],
  ['an empty array', Buffer.from('[]').toString('base64url')],
  ['too few values', withValues()],
  ['too many values', withValues(id, id)],
  ['an array instead of a value', withValues([id])],
  ['a value of another type', withValues(1)],
])('is refused for %s', (_, cursor) => {
  expect(() => decodeCursor(cursor, list)).toThrow(
    expect.objectContaining({
      code: 'invalid_cursor',
      details: { fields: [expect.objectContaining({ path: 'cursor' })] },
    }),
  );
});
