import { createHash } from 'node:crypto';
import { isUuid } from '../contract/uuid.ts';
import { Refusal } from '../domain/refusal.ts';
import { timestampOf } from '../domain/timestamp.ts';

/** Types of the columns that lists are sorted by. */
export type KeyType = 'timestamptz' | 'uuid' | 'smallint' | 'bigint' | 'text';

/** The sort columns, most significant first, with their types. */
export type Order = Readonly<Record<string, KeyType>>;

/** A position in a list: the values of the sort columns, as text. */
export type Position<O extends Order> = { readonly [Column in keyof O]: string };

/** Identifies the list that a cursor continues. */
export interface CursorList<O extends Order> {
  /** The organization of the list: a client may have keys of several. */
  readonly organization: string;
  readonly name: string;
  readonly order: O;
  /** The filters that are set. */
  readonly filters?: object;
}

/** A cursor for the page after this position, bound to the list and its filters. */
export function encodeCursor<O extends Order>(
  position: { readonly [Column in keyof O]: string | number },
  list: CursorList<O>,
): string {
  const values = Object.keys(list.order).map(column => String(position[column]));
  return Buffer.from(JSON.stringify([...values, digest(list)])).toString('base64url');
}

/** The position of a cursor. Throws `invalid_cursor` for a cursor of another list. */
export function decodeCursor<O extends Order>(cursor: string, list: CursorList<O>): Position<O> {
  const parts = parse(cursor);
  const columns = Object.entries(list.order);
  const wellFormed =
    parts.length === columns.length + 1 &&
    parts.at(-1) === digest(list) &&
    columns.every(([, type], index) => isWritten[type](parts[index]));
  const message = 'must be the next_cursor of this list with the same filters';
  if (!wellFormed) throw new Refusal('invalid_cursor', { fields: [{ path: 'cursor', message }] });
  return Object.fromEntries(columns.map(([column], index) => [column, parts[index]])) as Position<O>;
}

function parse(cursor: string): unknown[] {
  try {
    const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

/** Whether the value has the form in which cursors write it. */
const isWritten: Record<KeyType, (value: unknown) => boolean> = {
  timestamptz: value => typeof value === 'string' && isTimestamp(value),
  uuid: value => typeof value === 'string' && isUuid(value),
  smallint: value => typeof value === 'string' && /^\d{1,4}$/.test(value),
  text: value => typeof value === 'string' && /^[a-z_]{1,40}$/.test(value),
  bigint: value => typeof value === 'string' && /^\d{1,18}$/.test(value),
};

/** PostgreSQL rejects dates that JavaScript rolls over, such as 31 February, and years of more than four digits. */
function isTimestamp(value: string): boolean {
  const time = new Date(value);
  if (!(time.getUTCFullYear() >= 1970 && time.getUTCFullYear() <= 9999)) return false;
  return timestampOf(time) === value;
}

function digest({ organization, name, order, filters = {} }: CursorList<Order>): string {
  return createHash('sha256')
    .update(JSON.stringify([organization, name, Object.keys(order), Object.entries(filters).sort()]))
    .digest('base64url')
    .slice(0, 16);
}
