/**
 * Expressions with which PostgreSQL writes an answer's JSON itself. An answer of thousands of rows would otherwise take the event
 * loop, and everybody else's requests, for as long as decoding and serializing all of them takes; its text is only passed on.
 */

/** A timestamptz in the contract's form, with milliseconds, in whatever time zone the session is. */
export function jsonTimestamp(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')`;
}

/** The rows of a query as one array, in the query's order. Its timestamps must be written by `jsonTimestamp`. */
export function jsonRows(query: string): string {
  return `(select coalesce(json_agg(listed), '[]') from (${query}) as listed)`;
}
