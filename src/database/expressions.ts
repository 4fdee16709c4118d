import { type AliasableExpression, type Expression, type SqlBool, sql } from 'kysely';

// SQL that kysely has no words for, each with the type that it has: statements that are built use `sql` nowhere else.

/** Of a whole query or group. */
export const countOfRows = sql<number>`count(*)::int`;

/** Of those rows of a whole query or group for which the condition holds. */
export function countOfRowsWhere(condition: Expression<SqlBool>): AliasableExpression<number> {
  return sql<number>`(count(*) filter (where ${condition}))::int`;
}

/** When the transaction began. */
export const now = sql<string>`now()`;

/** When a day begins, by UTC, which is the time zone of every session. */
export function startOfDay(day: string): AliasableExpression<string> {
  return sql<string>`${day}::date`;
}

/** When it is over. */
export function dayAfter(day: string): AliasableExpression<string> {
  return sql<string>`(${day}::date + 1)`;
}

/** The condition, where there is something to compare with. */
export function when<Value>(
  value: Value | undefined,
  condition: (value: Value) => Expression<SqlBool>,
): Expression<SqlBool>[] {
  return value === undefined ? [] : [condition(value)];
}

/** Whether it is one of several words, which commas join. */
export function isOneOf(word: Expression<string | null>, words: string): AliasableExpression<SqlBool> {
  return sql<boolean>`${word} = any(string_to_array(${words}, ','))`;
}

export function lowerCase(text: Expression<string>): AliasableExpression<string> {
  return sql<string>`lower(${text})`;
}

/** Whether a text in lower case contains the part, whose case does not count. */
export function contains(text: Expression<string>, part: string): AliasableExpression<SqlBool> {
  return sql<boolean>`strpos(${text}, lower(${part})) > 0`;
}

/** One of these, of which there may be any number: it is one value of the statement. */
export function anyOf<T extends string | number>(values: readonly T[]): Expression<T> {
  return sql<T>`any(${values})`;
}

/** The least one of a group, or null where there is none. */
export function smallest<T>(value: Expression<T>): AliasableExpression<T | null> {
  return sql<T | null>`min(${value})`;
}
