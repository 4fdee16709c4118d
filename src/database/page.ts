import { createHash } from 'node:crypto';
import type pg from 'pg';
import { listLimit } from '../contract/values.ts';
import { type Condition, clausesOf } from './conditions.ts';
import type { Statement } from './connection.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';

/** The page that a client asks for: both as they came in the query string. */
export interface PageQuery {
  readonly limit?: string;
  readonly cursor?: string;
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

/** A page of a table: the columns of its rows, its filters, and what the client asks for. */
interface PageRequest {
  readonly organization: string;
  readonly table: string;
  readonly columns: string;
  readonly query: PageQuery;
  readonly conditions?: readonly Condition[];
  /** Puts the page's query into another. There `$1` is the number of rows; `$2` and on are the conditions' values. */
  readonly around?: (page: string) => string;
}

/** Reads one page. @param read runs the statement, as a store or an open session does */
export async function readPage<Row extends Position & pg.QueryResultRow>(
  read: (statement: Statement) => Promise<Row[]>,
  request: PageRequest,
): Promise<Page<Row>> {
  return toPage(await read(pageStatement(request)), request);
}

/**
 * A statement for one page of a table, newest first by `created_at`, then `id`. It asks for one row more than the page
 * holds, to know whether another follows. The statement's text depends on which conditions there are, not on their
 * values, so that each text is prepared once.
 */
function pageStatement({
  organization,
  table,
  columns,
  query,
  conditions = [],
  around = page => page,
}: PageRequest): Statement {
  const values: unknown[] = [limitOf(query) + 1];
  const clauses = clausesOf(conditions, values);
  if (query.cursor !== undefined) {
    const [created_at, id] = decodeCursor(query.cursor, ['timestamptz', 'uuid'], {
      organization,
      name: table,
      conditions,
    });
    clauses.push(`(created_at, id) < ($${values.push(created_at)}::timestamptz, $${values.push(id)}::uuid)`);
  }
  const where = clauses.length > 0 ? ` where ${clauses.join(' and ')}` : '';
  const text = around(`select ${columns} from ${table}${where} order by created_at desc, id desc limit $1`);
  return { name: statementName(text), text, values };
}

/** Cuts the extra row off and tells where the next page begins. */
function toPage<Row extends Position>(
  rows: Row[],
  { organization, table, query, conditions = [] }: PageRequest,
): Page<Row> {
  const limit = limitOf(query);
  if (rows.length <= limit) return { rows, next_cursor: null };
  const kept = rows.slice(0, limit);
  const { created_at, id } = kept[limit - 1]!;
  return {
    rows: kept,
    next_cursor: encodeCursor([created_at, id], { organization, name: table, conditions }),
  };
}

function limitOf(query: PageQuery): number {
  return query.limit === undefined ? listLimit : Number(query.limit);
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
