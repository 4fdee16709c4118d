import { expect, it } from 'vitest';
import { type CursorList, decodeCursor, encodeCursor, type KeyType } from './cursor.ts';

const list: CursorList = {
  organization: 'A',
  name: 'findings',
  conditions: [{ sql: 'severity = $', value: 'high' }],
};
const id = '00000000-0000-4000-8000-000000000000';
const time = '2026-11-21T08:00:00.000+00:00';

/** The cursor of values that no list of ours would write. */
const of = (type: KeyType, ...values: string[]) =>
  decodeCursor(encodeCursor(values, list), [type], list)[0] as unknown;

it('gives back the values that it was made of', () => {
  const cursor = encodeCursor([time, id, '4', '900'], list);
  expect(decodeCursor(cursor, ['timestamptz', 'uuid', 'smallint', 'bigint'], list)).toEqual([
    time,
    id,
    '4',
    '900',
  ]);
});

it('is refused where one of its values is malformed', () => {
  const refused = expect.objectContaining({ code: 'invalid_cursor' });
  for (const values of [
    [time, 'x'],
    ['x', id],
  ]) {
    expect(() => decodeCursor(encodeCursor(values, list), ['timestamptz', 'uuid'], list)).toThrow(refused);
  }
});

it.each<[string, CursorList]>([
  ['the list of another organization', { ...list, organization: 'B' }],
  ['another list', { ...list, name: 'scans' }],
  ['no filter', { ...list, conditions: [] }],
  ['a filter for another value', { ...list, conditions: [{ sql: 'severity = $', value: 'low' }] }],
  ['another filter', { ...list, conditions: [{ sql: 'status = $', value: 'high' }] }],
])('is refused by %s', (_, other) => {
  const refused = expect.objectContaining({ code: 'invalid_cursor' });
  expect(() => decodeCursor(encodeCursor([id], list), ['uuid'], other)).toThrow(refused);
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
])('of a %s with the value %s is taken: %s', (type, value, isTaken) => {
  if (isTaken) expect(of(type, value)).toBe(value);
  else expect(() => of(type, value)).toThrow(expect.objectContaining({ code: 'invalid_cursor' }));
});

it.each([
  ['what is not base64url of JSON', 'x'],
  ['JSON that is no list', Buffer.from('{"a":1}').toString('base64url')],
  ['an empty list', Buffer.from('[]').toString('base64url')],
  ['a value too few', encodeCursor([], list)],
  ['a value too many', encodeCursor([id, id], list)],
  ['a list in the place of a value', encodeCursor([[id] as unknown as string], list)],
  ['a value of another type', encodeCursor([1 as unknown as string], list)],
])('is refused for %s', (_, cursor) => {
  for (const type of ['timestamptz', 'uuid', 'smallint', 'bigint'] as const) {
    expect(() => decodeCursor(cursor, [type], list)).toThrow(
      expect.objectContaining({
        code: 'invalid_cursor',
        details: { fields: [expect.objectContaining({ path: 'cursor' })] },
      }),
    );
  }
});
