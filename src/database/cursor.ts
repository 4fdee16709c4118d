import { createHash } from 'node:crypto';
import { isUuid } from '../contract/uuid.ts';
import { Refusal } from '../domain/refusal.ts';
import { timestampOf } from '../domain/timestamp.ts';
import type { Condition } from './conditions.ts';

/** Types of the columns that lists are ordered by. */
export type KeyType = 'timestamptz' | 'uuid' | 'smallint' | 'bigint' | 'text';

/** The list that a cursor continues, and no other. */
export interface CursorList {
  /** The id of the organization whose list it is: a client may have keys of several. */
  readonly organization: string;
  readonly name: string;
  readonly conditions: readonly Condition[];
}

/** Where the next page begins: after the row with these values. Bound to the list and its filters. */
export function encodeCursor(values: readonly string[], list: CursorList): string {
  return Buffer.from(JSON.stringify([...values, digest(list)])).toString('base64url');
}

/** The values of a cursor, one of each type. Throws `invalid_cursor` for one that this list has not given. */
export function decodeCursor<const Types extends readonly KeyType[]>(
  cursor: string,
  types: Types,
  list: CursorList,
): { [K in keyof Types]: string } {
  const parts = parse(cursor);
  const values = parts.slice(0, -1);
  const wellFormed =
    parts.length === types.length + 1 &&
    parts.at(-1) === digest(list) &&
    types.every((type, index) => isWritten[type](values[index]));
  if (!wellFormed) {
    throw new Refusal('invalid_cursor', {
      fields: [{ path: 'cursor', message: 'must be the next_cursor of this list with the same filters' }],
    });
  }
  return values as unknown as { [K in keyof Types]: string };
}

function parse(cursor: string): unknown[] {
  try {
    const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

/** Whether it is a value that we would have written. */
const isWritten: Record<KeyType, (value: unknown) => boolean> = {
  timestamptz: value => typeof value === 'string' && isTimestamp(value),
  uuid: value => typeof value === 'string' && isUuid(value),
  smallint: value => typeof value === 'string' && /^\d{1,4}$/.test(value),
  text: value => typeof value === 'string' && /^[a-z_]{1,40}$/.test(value),
  bigint: value => typeof value === 'string' && /^\d{1,18}$/.test(value),
};

/** PostgreSQL refuses dates that JavaScript rolls over, such as 31 February, and years of more than four digits. */
function isTimestamp(value: string): boolean {
  const time = new Date(value);
  if (!(time.getUTCFullYear() >= 1970 && time.getUTCFullYear() <= 9999)) return false;
  return timestampOf(time) === value;
}

function digest({ organization, name, conditions }: CursorList): string {
  return createHash('sha256')
    .update(JSON.stringify([organization, name, ...conditions.map(({ sql, value }) => [sql, value])]))
    .digest('base64url')
    .slice(0, 16);
}
