/**
 * Expressions with which PostgreSQL writes the JSON of a response. Decoding and serializing thousands of rows
 * would block the event loop and all other requests; the text is passed through.
 */

/** A timestamptz in the contract's form, with milliseconds, in any session time zone. */
export function jsonTimestamp(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')`;
}

/** The rows of a query as one array, in the query's order. Write their timestamps with `jsonTimestamp`. */
export function jsonRows(query: string): string {
  return `(select coalesce(json_agg(listed), '[]') from (${query}) as listed)`;
}
