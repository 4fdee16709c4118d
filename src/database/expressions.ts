import { type AliasableExpression, type Expression, type SqlBool, sql } from 'kysely';

// SQL that kysely cannot express, with its types. Built statements use `sql` nowhere else.

/** Counts the rows of a query or group. */
export const countOfRows = sql<number>`count(*)::int`;

/** Counts the rows of a query without its limit, in each row. */
export const countOfAll = sql<number>`(count(*) over ())::int`;

/** Counts the rows of a query or group that match the condition. */
export function countOfRowsWhere(condition: Expression<SqlBool>): AliasableExpression<number> {
  return sql<number>`(count(*) filter (where ${condition}))::int`;
}

/** The start of the transaction. */
export const now = sql<string>`now()`;

/** The start of a day in UTC, the time zone of every session. */
export function startOfDay(day: string): AliasableExpression<string> {
  return sql<string>`${day}::date`;
}

/** The end of the day. */
export function dayAfter(day: string): AliasableExpression<string> {
  return sql<string>`(${day}::date + 1)`;
}

/** The day (UTC) of a time or a day, to compare with a column that has days. */
export function dayOf(time: string): AliasableExpression<Date> {
  return sql<Date>`${time}::timestamptz::date`;
}

/** A day as its start, or a time as text. */
export function moment(time: Expression<unknown>): AliasableExpression<string> {
  return sql<string>`${time}::timestamptz`;
}

/** The same time of day (UTC) so many days later, or earlier. */
export function daysLater(time: Expression<string>, days: number): AliasableExpression<string> {
  return sql<string>`(${time} + make_interval(days => ${days}))`;
}

/** Whether the columns are after these values, in ascending order of all of them. */
export function isAfter(
  columns: readonly Expression<unknown>[],
  values: readonly unknown[],
): AliasableExpression<SqlBool> {
  return sql<boolean>`(${sql.join(columns)}) > (${sql.join(values)})`;
}

/** The condition, if there is a value to compare with. */
export function when<Value>(
  value: Value | undefined,
  condition: (value: Value) => Expression<SqlBool>,
): Expression<SqlBool>[] {
  return value === undefined ? [] : [condition(value)];
}

/** Whether the word is in a comma-separated list. */
export function isOneOf(word: Expression<string | null>, words: string): AliasableExpression<SqlBool> {
  return sql<boolean>`${word} = any(string_to_array(${words}, ','))`;
}

export function lowerCase(text: Expression<string>): AliasableExpression<string> {
  return sql<string>`lower(${text})`;
}

/** Whether a lowercase text contains the part, ignoring case. */
export function contains(text: Expression<string>, part: string): AliasableExpression<SqlBool> {
  return sql<boolean>`strpos(${text}, lower(${part})) > 0`;
}

/** Whether it is one of the values, which are passed as one parameter. */
export function anyOf<T extends string | number>(
  values: readonly T[] | Expression<readonly T[]>,
): Expression<T> {
  return sql<T>`any(${values})`;
}

/** The transaction that wrote a row. Differs for each version of the row. */
export const rowVersion = sql<string>`xmin`;

/** The version as text. */
export function versionText(version: Expression<string>): AliasableExpression<string> {
  return sql<string>`${version}::text`;
}

/** The column, or null if its row has one of the known versions. */
export function unlessKnown<T>(
  column: string,
  version: Expression<string>,
  known: Expression<readonly string[]>,
): AliasableExpression<T | null> {
  return sql<T | null>`case when ${version} = any(${known}::xid[]) then null else ${sql.ref(column)} end`;
}

/** The maximum of a group that is not empty. */
export function largest<T>(value: Expression<T>): AliasableExpression<T> {
  return sql<T>`max(${value})`;
}

/** The sum of a group that is not empty. */
export function sumOf(value: Expression<number>): AliasableExpression<number> {
  return sql<number>`sum(${value})::int`;
}

/** The number of different values in a group. */
export function distinctCount(value: Expression<unknown>): AliasableExpression<number> {
  return sql<number>`count(distinct ${value})::int`;
}

/** The minimum of a group, or null if it is empty. */
export function smallest<T>(value: Expression<T>): AliasableExpression<T | null> {
  return sql<T | null>`min(${value})`;
}
