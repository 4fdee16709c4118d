import type { Node, SelectStmt } from '@pgsql/types';

/** Properties of a value besides its type. */
export interface Value {
  readonly nullable: boolean;
  /** All its possible texts, if they are literals in the statement. */
  readonly words?: readonly string[];
  /** The members of a JSON object. */
  readonly fields?: ReadonlyMap<string, Value>;
  /** The elements of a JSON array. */
  readonly elements?: Value;
  /** The column that it comes from. */
  readonly origin?: string;
}

export interface NamedValue extends Value {
  readonly name: string;
}

/** Whether a parameter, and an element of an array parameter, can be null. */
export interface ParameterNullability {
  readonly itself: boolean;
  readonly elements: boolean;
}

export interface Relation {
  readonly alias: string;
  readonly columns: readonly NamedValue[];
  /** For a relation that an outer join may omit: its columns if it is present. */
  readonly whenPresent?: readonly NamedValue[];
}

/** The queries named by `with`. */
export type Queries = ReadonlyMap<string, readonly NamedValue[]>;

/** Relations that can be referenced, innermost first. */
export type Scope = readonly Relation[];

export const present: Value = { nullable: false };
export const unknown: Value = { nullable: true };

export function optional(relation: Relation): Relation {
  const { alias, columns, whenPresent = columns } = relation;
  return { alias, whenPresent, columns: columns.map(column => ({ ...column, nullable: true })) };
}

export function withValues(columns: readonly NamedValue[], set: ReadonlyMap<string, Value>): NamedValue[] {
  return columns.map(column => {
    const value = set.get(column.name);
    return value && !value.nullable ? { ...column, nullable: false } : column;
  });
}

/** The union of the values. */
export function either(options: readonly Value[]): Value {
  const words = options.flatMap(option => option.words ?? []);
  const [fielded] = options.filter(option => option.fields);
  const [listed] = options.filter(option => option.elements);
  return {
    nullable: options.some(option => option.nullable),
    ...(options.every(option => option.words) ? { words } : {}),
    ...(fielded?.fields ? { fields: fielded.fields } : {}),
    ...(listed?.elements ? { elements: listed.elements } : {}),
  };
}

export function columnIn(scope: Scope, path: readonly string[]): NamedValue | undefined {
  const [alias, name] = path.length > 1 ? path : [undefined, path[0]];
  for (const relation of scope) {
    if (alias !== undefined && relation.alias !== alias) continue;
    const column = relation.columns.find(each => each.name === name);
    if (column) return column;
  }
  return undefined;
}

/** The row of a relation: if it is optional, every column may be null. */
export function wholeRow(scope: Scope, alias: string): Value | undefined {
  const relation = scope.find(each => each.alias === alias);
  if (!relation) return undefined;
  const fields = new Map((relation.whenPresent ?? relation.columns).map(column => [column.name, column]));
  return { nullable: relation.whenPresent !== undefined, fields };
}

/** Whether a query without grouping has an aggregate: then it always has one row. */
export function hasOneRow(node: Node): boolean {
  if (!('SelectStmt' in node)) return false;
  const { groupClause, havingClause, targetList, limitCount, limitOffset, fromClause, whereClause } =
    node.SelectStmt;
  if (!fromClause && !whereClause) return true;
  const isAggregate =
    /"(count|sum|max|min|avg|bool_or|bool_and|json_agg|jsonb_agg|string_agg|array_agg)"/.test(
      JSON.stringify(targetList ?? []),
    );
  return isAggregate && !groupClause && !havingClause && !limitCount && !limitOffset;
}

export function isCount(value: NamedValue, { targetList }: SelectStmt): boolean {
  const target = targetList?.find(each => 'ResTarget' in each && each.ResTarget.name === value.name);
  return JSON.stringify(target ?? {}).includes('"count"') && !value.nullable;
}

export function nameIn(node: Node): string {
  return 'String' in node ? (node.String.sval ?? '') : '';
}

/** The name that the database gives to an unnamed column. */
export function nameOf(node: Node): string {
  if ('ColumnRef' in node) return nameIn(node.ColumnRef.fields!.at(-1)!);
  if ('FuncCall' in node) return nameIn(node.FuncCall.funcname!.at(-1)!);
  if ('TypeCast' in node) return nameOf(node.TypeCast.arg!);
  if ('CoalesceExpr' in node) return 'coalesce';
  if ('CaseExpr' in node) return 'case';
  return '?column?';
}
