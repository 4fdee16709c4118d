import { type Expression, type SelectQueryBuilder, type StringReference, sql } from 'kysely';
import { listLimit } from '../contract/values.ts';
import { type CursorList, decodeCursor, encodeCursor, type Order, type Position } from './cursor.ts';

/** The requested page, with both values as in the query string. */
export interface PageQuery {
  readonly limit?: string;
  readonly cursor?: string;
}

export interface Page<Row> {
  readonly rows: Row[];
  readonly next_cursor: string | null;
}

/** Limits a statement to the rows of a page. */
export interface PagePlaces<O extends Order> {
  /** One more than the page size, to detect whether another page follows. */
  readonly limit: Expression<number>;
  /** The last position of the previous page. */
  readonly after?: { readonly [Column in keyof O]: Expression<string> } | undefined;
}

export interface PageRows<O extends Order> {
  readonly limit: number;
  readonly after: Position<O> | undefined;
}

/** The ids of rows, for a statement that reads their details. */
export function idsOf(rows: readonly { readonly id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

/** The order of the contract's lists. */
export const newest = { created_at: 'timestamptz', id: 'uuid' } as const;

/**
 * Reads one page. Other query parameters are the list's filters, to which its cursors are bound. Throws
 * `invalid_cursor`.
 *
 * @param read as limited by `pageOf`
 */
export async function readPage<
  Row extends { readonly [Column in keyof O]: string | number },
  O extends Order,
>(
  list: CursorList<O>,
  { limit = String(listLimit), cursor, ...filters }: PageQuery,
  read: (rows: PageRows<O>) => Promise<Row[]>,
): Promise<Page<Row>> {
  const filtered = { ...list, filters: { ...list.filters, ...filters } };
  const most = Number(limit);
  const after = cursor === undefined ? undefined : decodeCursor(cursor, filtered);
  const rows = await read({ limit: most + 1, after });
  if (rows.length <= most) return { rows, next_cursor: null };
  const kept = rows.slice(0, most);
  return { rows: kept, next_cursor: encodeCursor(kept.at(-1)!, filtered) };
}

/** Limits a query to a page, in descending order of all its columns. */
export function pageOf<DB, TB extends keyof DB, Selected, O extends Order>(
  selected: SelectQueryBuilder<DB, TB, Selected>,
  order: O & Readonly<Record<Exclude<keyof O, StringReference<DB, TB>>, never>>,
  { limit, after }: PagePlaces<O> | PageRows<O>,
): SelectQueryBuilder<DB, TB, Selected> {
  const columns = Object.keys(order);
  let page = selected.limit(limit);
  for (const column of columns) page = page.orderBy(sql.ref(column), 'desc');
  if (!after) return page;
  const position = columns.map(column => after[column as keyof O]);
  return page.where(
    sql<boolean>`(${sql.join(columns.map(column => sql.ref(column)))}) < (${sql.join(position)})`,
  );
}
