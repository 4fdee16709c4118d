import { createHash } from 'node:crypto';
import type pg from 'pg';
import { listLimit } from '../contract/values.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Statement } from './connection.ts';

/** The page that a client asks for: both as they came in the query string. */
export interface PageQuery {
  readonly limit?: string;
  readonly cursor?: string;
}

/** A condition of a list; `$` in it stands for the value's placeholder. */
export interface Condition {
  readonly sql: string;
  readonly value?: string;
}

export interface Page<Row> {
  readonly rows: Row[];
  readonly next_cursor: string | null;
}

/** What orders a list. Rows carry it, also where the contract does not name `created_at`. */
export interface Position {
  readonly created_at: string;
  readonly id: string;
}

/**
 * A statement for one page of a table, newest first by `created_at`, then `id`. It asks for one row more than the page
 * holds, to know whether another follows. The statement's text depends on which conditions there are, not on their
 * values, so that each text is prepared once. `around` may put the page's query into another; there `$1` is the number of
 * rows, and `$2` and on are the conditions' values in their order.
 */
export function pageStatement(
  table: string,
  columns: string,
  query: PageQuery,
  conditions: readonly Condition[],
  around: (page: string) => string = page => page,
): Statement {
  const values: unknown[] = [limitOf(query) + 1];
  const clauses = conditions.map(({ sql, value }) =>
    value === undefined ? sql : sql.split('$').join(`$${values.push(value)}`),
  );
  if (query.cursor !== undefined) {
    const { created_at, id } = decode(query.cursor, conditions);
    clauses.push(`(created_at, id) < ($${values.push(created_at)}::timestamptz, $${values.push(id)}::uuid)`);
  }
  const where = clauses.length > 0 ? ` where ${clauses.join(' and ')}` : '';
  const text = around(`select ${columns} from ${table}${where} order by created_at desc, id desc limit $1`);
  return { name: statementName(text), text, values };
}

/** Cuts the extra row off and tells where the next page begins. */
export function toPage<Row extends Position & pg.QueryResultRow>(
  rows: Row[],
  query: PageQuery,
  conditions: readonly Condition[],
): Page<Row> {
  const limit = limitOf(query);
  if (rows.length <= limit) return { rows, next_cursor: null };
  const kept = rows.slice(0, limit);
  return { rows: kept, next_cursor: encode(kept[limit - 1]!, conditions) };
}

function limitOf(query: PageQuery): number {
  return query.limit === undefined ? listLimit : Number(query.limit);
}

/** A cursor is bound to the filters it was made with, so that it cannot continue another list. */
function encode(row: Position, conditions: readonly Condition[]): string {
  return Buffer.from(JSON.stringify([row.created_at, row.id, digest(conditions)])).toString('base64url');
}

function decode(cursor: string, conditions: readonly Condition[]): Position {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    parts = undefined;
  }
  const [created_at, id, filters] = Array.isArray(parts) ? parts : [];
  const wellFormed =
    typeof created_at === 'string' &&
    typeof id === 'string' &&
    isTimestamp(created_at) &&
    /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
  if (!wellFormed || filters !== digest(conditions)) {
    throw new Refusal('invalid_cursor', {
      fields: [{ path: 'cursor', message: 'must be the next_cursor of a list with the same filters' }],
    });
  }
  return { created_at, id };
}

/** Only what we would have written: PostgreSQL refuses dates that JavaScript rolls over, such as 31 February. */
function isTimestamp(value: string): boolean {
  const time = new Date(value);
  if (Number.isNaN(time.getTime()) || time.getUTCFullYear() < 1970) return false;
  return time.toISOString().replace('Z', '+00:00') === value;
}

function digest(conditions: readonly Condition[]): string {
  return createHash('sha256')
    .update(JSON.stringify(conditions.map(({ sql, value }) => [sql, value])))
    .digest('base64url')
    .slice(0, 16);
}

const names = new Map<string, string>();
/** PostgreSQL keeps 63 bytes of a name. */
function statementName(text: string): string {
  let name = names.get(text);
  if (!name) {
    name = `page-${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
    names.set(text, name);
  }
  return name;
}
