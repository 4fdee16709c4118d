import type { Node, SelectStmt } from '@pgsql/types';

/** What is known of a value beside its type. */
export interface Value {
  readonly nullable: boolean;
  /** All texts that it can be, where they are written in the statement. */
  readonly words?: readonly string[];
  /** Of a JSON object. */
  readonly fields?: ReadonlyMap<string, Value>;
  /** Of a JSON array. */
  readonly elements?: Value;
  /** The column that it comes from. */
  readonly origin?: string;
}

export interface NamedValue extends Value {
  readonly name: string;
}

/** Whether a parameter, and an element of one that is an array, can be null. */
export interface ParameterNullability {
  readonly itself: boolean;
  readonly elements: boolean;
}

export interface Relation {
  readonly alias: string;
  readonly columns: readonly NamedValue[];
  /** Of one that an outer join may leave out: what its columns are where it is there. */
  readonly whenPresent?: readonly NamedValue[];
}

/** What `with` names. */
export type Queries = ReadonlyMap<string, readonly NamedValue[]>;

/** Relations that can be named, the innermost first. */
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

/** One of these values. */
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

/** The row of a relation: of one that need not be there, every column may be null. */
export function wholeRow(scope: Scope, alias: string): Value | undefined {
  const relation = scope.find(each => each.alias === alias);
  if (!relation) return undefined;
  const fields = new Map((relation.whenPresent ?? relation.columns).map(column => [column.name, column]));
  return { nullable: relation.whenPresent !== undefined, fields };
}

/** Whether a query that nothing is grouped in has an aggregate: it has one row, whatever there is. */
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

/** As the database calls a column without a name. */
export function nameOf(node: Node): string {
  if ('ColumnRef' in node) return nameIn(node.ColumnRef.fields!.at(-1)!);
  if ('FuncCall' in node) return nameIn(node.FuncCall.funcname!.at(-1)!);
  if ('TypeCast' in node) return nameOf(node.TypeCast.arg!);
  if ('CoalesceExpr' in node) return 'coalesce';
  if ('CaseExpr' in node) return 'case';
  return '?column?';
}
