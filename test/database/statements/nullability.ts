import type { Node, SelectStmt, WithClause } from '@pgsql/types';
import { ValueAnalysis } from './value-analysis.ts';
import {
  either,
  isCount,
  type NamedValue,
  nameIn,
  optional,
  type ParameterNullability,
  present,
  type Queries,
  type Relation,
  type Scope,
  unknown,
  type Value,
  withValues,
} from './values.ts';

/** Whether each column of each table may be null. */
type Tables = ReadonlyMap<string, ReadonlyMap<string, boolean>>;

/** Determines the possible values of a statement's columns, and which not-null columns it can set to null. */
export class NullabilityAnalysis extends ValueAnalysis {
  /** Not-null columns that may be set to null. */
  readonly violations: string[] = [];
  private readonly tables: Tables;

  constructor(tables: Tables, parameters: readonly ParameterNullability[]) {
    super(parameters);
    this.tables = tables;
  }

  columnsOf(statement: Node): NamedValue[] {
    return this.statement(statement, [], new Map());
  }

  protected statement(node: Node, outer: Scope, known: Queries): NamedValue[] {
    if ('SelectStmt' in node) return this.select(node.SelectStmt, outer, known);
    if ('InsertStmt' in node) {
      const { relation, cols, selectStmt, returningClause, withClause, onConflictClause } = node.InsertStmt;
      const ctes = this.with(withClause, outer, known);
      const target = this.table(relation!.relname!, relation!.alias?.aliasname, ctes);
      const names =
        cols?.map(col => ('ResTarget' in col ? col.ResTarget.name! : '')) ?? target.columns.map(c => c.name);
      const given = selectStmt ? this.statement(selectStmt, outer, ctes) : [];
      const set = new Map(names.map((name, index) => [name, given[index] ?? unknown]));
      this.assertTaken(relation!.relname!, set);
      const excluded = { alias: 'excluded', columns: withValues(target.columns, set) };
      const updated = this.targets(onConflictClause?.targetList, [excluded, target, ...outer], ctes);
      this.assertTaken(relation!.relname!, new Map(updated.map(value => [value.name, value])));
      const inserted =
        onConflictClause?.action === 'ONCONFLICT_UPDATE'
          ? target
          : { ...target, columns: withValues(target.columns, set) };
      return this.targets(returningClause?.exprs, [inserted, ...outer], ctes);
    }
    if ('UpdateStmt' in node) {
      const { relation, targetList, fromClause, whereClause, returningClause, withClause } = node.UpdateStmt;
      const ctes = this.with(withClause, outer, known);
      const target = this.table(relation!.relname!, relation!.alias?.aliasname, ctes);
      const from = this.from(fromClause, [target, ...outer], ctes);
      const scope = this.narrowed([...from, target, ...outer], whereClause, ctes);
      const set = new Map(this.targets(targetList, scope, ctes).map(value => [value.name, value]));
      this.assertTaken(relation!.relname!, set);
      const after = scope.map(each =>
        each.alias === target.alias ? { ...each, columns: withValues(each.columns, set) } : each,
      );
      return this.targets(returningClause?.exprs, after, ctes);
    }
    if ('DeleteStmt' in node) {
      const { relation, usingClause, whereClause, returningClause, withClause } = node.DeleteStmt;
      const ctes = this.with(withClause, outer, known);
      const target = this.table(relation!.relname!, relation!.alias?.aliasname, ctes);
      const from = this.from(usingClause, [target, ...outer], ctes);
      return this.targets(
        returningClause?.exprs,
        this.narrowed([...from, target, ...outer], whereClause, ctes),
        ctes,
      );
    }
    return [];
  }

  private assertTaken(table: string, set: ReadonlyMap<string, Value>): void {
    for (const [name, value] of set) {
      if (value.nullable && this.tables.get(table)?.get(name) === false)
        this.violations.push(`${table}.${name}`);
    }
  }

  private select(select: SelectStmt, outer: Scope, known: Queries): NamedValue[] {
    const ctes = this.with(select.withClause, outer, known);
    if (select.op && select.op !== 'SETOP_NONE') {
      const left = this.select(select.larg!, outer, ctes);
      const right = this.select(select.rarg!, outer, ctes);
      return left.map((value, index) => ({ ...either([value, right[index] ?? unknown]), name: value.name }));
    }
    if (select.valuesLists) {
      const rows = select.valuesLists.map(list =>
        ('List' in list ? (list.List.items ?? []) : []).map(item => this.value(item, outer, ctes, false)),
      );
      return rows[0]!.map((_, index) => ({
        ...either(rows.map(row => row[index]!)),
        name: `column${index + 1}`,
      }));
    }
    const from = this.from(select.fromClause, outer, ctes);
    const scope = this.narrowed([...from, ...outer], select.whereClause, ctes);
    const groups = select.groupClause ?? [];
    const values = this.targets(select.targetList, scope, ctes, groups.length > 0);
    // With grouping sets, each column is null in the rows of another set.
    const sets = groups.some(group => 'GroupingSet' in group);
    return sets
      ? values.map(value => ({ ...value, nullable: value.nullable || !isCount(value, select) }))
      : values;
  }

  private with(clause: WithClause | undefined, outer: Scope, known: Queries): Queries {
    const ctes = new Map(known);
    for (const node of clause?.ctes ?? []) {
      if (!('CommonTableExpr' in node)) continue;
      const { ctename, ctequery, aliascolnames } = node.CommonTableExpr;
      const names = aliascolnames?.map(nameIn);
      const renamed = (columns: readonly NamedValue[]) =>
        columns.map((column, index) => ({ ...column, name: names?.[index] ?? column.name }));
      if (clause?.recursive && 'SelectStmt' in ctequery! && ctequery.SelectStmt.larg) {
        // The first part of a recursive query gives the initial columns of the second, and the second the final ones.
        ctes.set(ctename!, renamed(this.select(ctequery.SelectStmt.larg, outer, ctes)));
        const once = renamed(this.statement(ctequery, outer, ctes));
        ctes.set(ctename!, once);
      }
      ctes.set(ctename!, renamed(this.statement(ctequery!, outer, ctes)));
    }
    return ctes;
  }

  private table(name: string, alias: string | undefined, ctes: Queries): Relation {
    const columns =
      ctes.get(name) ??
      [...(this.tables.get(name) ?? [])].map(([column, nullable]) => ({
        name: column,
        nullable,
        origin: `${name}.${column}`,
      }));
    return { alias: alias ?? name, columns };
  }

  private from(items: readonly Node[] | undefined, outer: Scope, ctes: Queries): Relation[] {
    const relations: Relation[] = [];
    for (const item of items ?? []) relations.push(...this.item(item, [...relations, ...outer], ctes));
    return relations;
  }

  private item(node: Node, scope: Scope, ctes: Queries): Relation[] {
    if ('RangeVar' in node) return [this.table(node.RangeVar.relname!, node.RangeVar.alias?.aliasname, ctes)];
    if ('RangeSubselect' in node) {
      const { subquery, alias } = node.RangeSubselect;
      const names = alias?.colnames?.map(nameIn);
      const columns = this.statement(subquery!, scope, ctes);
      return [
        {
          alias: alias?.aliasname ?? '',
          columns: columns.map((column, index) => ({ ...column, name: names?.[index] ?? column.name })),
        },
      ];
    }
    if ('RangeFunction' in node) return [this.function(node.RangeFunction)];
    if ('JoinExpr' in node) {
      const { jointype, larg, rarg, quals, usingClause } = node.JoinExpr;
      const left = this.item(larg!, scope, ctes);
      const right = this.item(rarg!, [...left, ...scope], ctes);
      const joined = [
        ...(jointype === 'JOIN_RIGHT' || jointype === 'JOIN_FULL' ? left.map(optional) : left),
        ...(jointype === 'JOIN_LEFT' || jointype === 'JOIN_FULL' ? right.map(optional) : right),
      ];
      const isInner = jointype === 'JOIN_INNER' || jointype === undefined;
      const used = new Set(usingClause?.map(nameIn));
      const merged = joined.map(each =>
        isInner && used.size > 0
          ? {
              ...each,
              columns: each.columns.map(column =>
                used.has(column.name) ? { ...column, nullable: false } : column,
              ),
            }
          : each,
      );
      return isInner ? [...this.narrowed(merged, quals, ctes)] : merged;
    }
    return [];
  }

  private function({
    functions,
    alias,
    ordinality,
    coldeflist,
  }: {
    functions?: Node[];
    alias?: { aliasname?: string; colnames?: Node[] };
    ordinality?: boolean;
    coldeflist?: Node[];
  }): Relation {
    const calls = (functions ?? []).flatMap(list => ('List' in list ? [list.List.items![0]!] : []));
    const values = calls.flatMap(call => {
      if (!('FuncCall' in call)) return [unknown];
      const name = nameIn(call.FuncCall.funcname!.at(-1)!);
      if (name === 'unnest') return (call.FuncCall.args ?? []).map(argument => this.element(argument));
      if (
        name === 'jsonb_array_elements' ||
        name === 'json_array_elements' ||
        name === 'generate_series' ||
        name === 'jsonb_each' ||
        name === 'string_to_table'
      )
        return [present];
      return [unknown];
    });
    const alias1 =
      alias?.aliasname ?? ('FuncCall' in calls[0]! ? nameIn(calls[0].FuncCall.funcname!.at(-1)!) : '');
    const names = alias?.colnames?.map(nameIn) ?? [];
    const all = [...(coldeflist ? coldeflist.map(() => unknown) : values), ...(ordinality ? [present] : [])];
    return {
      alias: alias1,
      columns: all.map((value, index) => ({
        ...value,
        name: names[index] ?? (index === values.length ? 'ordinality' : alias1),
      })),
    };
  }
}
