import type { Readable } from 'node:stream';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';

/** How many rows a query has, and the bytes of `copyJson`. */
export interface JsonSize {
  readonly rows: number;
  readonly bytes: number;
}

/** What `copyJson` returns for the query in the same snapshot. */
export async function jsonSize(owner: pg.ClientBase, query: string): Promise<JsonSize> {
  const { rows } = await owner.query<{ rows: string; bytes: string }>(
    `select count(*)::text as rows, coalesce(sum(octet_length(convert_to(row_to_json(r)::text, 'UTF8')) + 1), 0)::text as bytes
      from (${query}) as r`,
  );
  return { rows: Number(rows[0]!.rows), bytes: Number(rows[0]!.bytes) };
}

/** The rows of a query as lines of JSON, however many there are. The connection is busy until the stream has ended. */
export function copyJson(owner: pg.ClientBase, query: string): Readable {
  // JSON has no control characters, so that nothing is quoted: a payload of an event is one line.
  return owner.query(
    copyTo(
      `copy (select row_to_json(r)::text from (${query}) as r) to stdout (format csv, quote e'\\x01', delimiter e'\\x02')`,
    ),
  );
}
