/** A condition of a list; `$` in it stands for the value's placeholder. */
export interface Condition {
  readonly sql: string;
  readonly value?: string;
}

/** Those conditions whose value is given: what a filter leaves open asks nothing. */
export function givenConditions(
  ...asked: readonly (readonly [sql: string, value: string | undefined])[]
): Condition[] {
  return asked.flatMap(([sql, value]) => (value === undefined ? [] : { sql, value }));
}

/** The conditions as clauses, their values appended to `values`. */
export function clausesOf(conditions: readonly Condition[], values: unknown[]): string[] {
  return conditions.map(({ sql, value }) =>
    value === undefined ? sql : sql.split('$').join(`$${values.push(value)}`),
  );
}

/** What stands after `where`, also where there is no condition. Values as for `clausesOf`. */
export function whereClause(conditions: readonly Condition[], values: unknown[]): string {
  return ['true', ...clausesOf(conditions, values)].join(' and ');
}
