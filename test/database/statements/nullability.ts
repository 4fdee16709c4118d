import type { Node, SelectStmt, WithClause } from '@pgsql/types';

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

interface Relation {
  readonly alias: string;
  readonly columns: readonly NamedValue[];
  /** Of one that an outer join may leave out: what its columns are where it is there. */
  readonly whenPresent?: readonly NamedValue[];
}

/** What `with` names. */
type Queries = ReadonlyMap<string, readonly NamedValue[]>;

type Tables = ReadonlyMap<string, ReadonlyMap<string, boolean>>;

/** Relations that can be named, the innermost first. */
type Scope = readonly Relation[];

const present: Value = { nullable: false };
const unknown: Value = { nullable: true };

/** Functions that have a result for any arguments. */
const total = new Set(
  `count row_number rank dense_rank concat_ws now clock_timestamp gen_random_uuid concat json_build_object jsonb_build_object json_build_array
  jsonb_build_array set_config current_database pg_advisory_lock pg_advisory_xact_lock pg_advisory_xact_lock_shared
  pg_try_advisory_lock pg_advisory_unlock pg_try_advisory_xact_lock_shared pg_try_advisory_xact_lock pg_advisory_lock_shared pg_advisory_unlock_shared random num_nonnulls admit_requests`.split(
    /\s+/,
  ),
);
/** Functions that have a result where all arguments have one. */
const strict = new Set(
  `lower upper length char_length octet_length encode decode to_char date_trunc extract date_part floor ceil round abs strpos sha256 convert_to
  hashtext hashtextextended make_interval string_to_array cardinality to_json to_jsonb row_to_json array_to_json regexp_replace replace
  timezone date timestamptz text int4 int8 substr substring left right btrim trim rtrim ltrim md5 starts_with split_part sign jsonb_set position`.split(
    /\s+/,
  ),
);
/** Aggregates that have a result where there is a row. */
const aggregates = new Set(
  `max min sum avg string_agg array_agg json_agg jsonb_agg json_object_agg jsonb_object_agg bool_and bool_or every`.split(
    /\s+/,
  ),
);

/** Finds out what the columns of a statement can be, and which not-null columns it can set to null. */
export class NullabilityAnalysis {
  readonly #tables: Tables;
  readonly #parameters: readonly ParameterNullability[];
  /** Columns that take no null and may be given one. */
  readonly violations: string[] = [];

  constructor(tables: Tables, parameters: readonly ParameterNullability[]) {
    this.#tables = tables;
    this.#parameters = parameters;
  }

  columnsOf(statement: Node): NamedValue[] {
    return this.#statement(statement, [], new Map());
  }

  #statement(node: Node, outer: Scope, known: Queries): NamedValue[] {
    if ('SelectStmt' in node) return this.#select(node.SelectStmt, outer, known);
    if ('InsertStmt' in node) {
      const { relation, cols, selectStmt, returningClause, withClause, onConflictClause } = node.InsertStmt;
      const ctes = this.#with(withClause, outer, known);
      const target = this.#table(relation!.relname!, relation!.alias?.aliasname, ctes);
      const names =
        cols?.map(col => ('ResTarget' in col ? col.ResTarget.name! : '')) ?? target.columns.map(c => c.name);
      const given = selectStmt ? this.#statement(selectStmt, outer, ctes) : [];
      const set = new Map(names.map((name, index) => [name, given[index] ?? unknown]));
      this.#assertTaken(relation!.relname!, set);
      const excluded = { alias: 'excluded', columns: withValues(target.columns, set) };
      const updated = this.#targets(onConflictClause?.targetList, [excluded, target, ...outer], ctes);
      this.#assertTaken(relation!.relname!, new Map(updated.map(value => [value.name, value])));
      const inserted =
        onConflictClause?.action === 'ONCONFLICT_UPDATE'
          ? target
          : { ...target, columns: withValues(target.columns, set) };
      return this.#targets(returningClause?.exprs, [inserted, ...outer], ctes);
    }
    if ('UpdateStmt' in node) {
      const { relation, targetList, fromClause, whereClause, returningClause, withClause } = node.UpdateStmt;
      const ctes = this.#with(withClause, outer, known);
      const target = this.#table(relation!.relname!, relation!.alias?.aliasname, ctes);
      const from = this.#from(fromClause, [target, ...outer], ctes);
      const scope = this.#narrowed([...from, target, ...outer], whereClause, ctes);
      const set = new Map(this.#targets(targetList, scope, ctes).map(value => [value.name, value]));
      this.#assertTaken(relation!.relname!, set);
      const after = scope.map(each =>
        each.alias === target.alias ? { ...each, columns: withValues(each.columns, set) } : each,
      );
      return this.#targets(returningClause?.exprs, after, ctes);
    }
    if ('DeleteStmt' in node) {
      const { relation, usingClause, whereClause, returningClause, withClause } = node.DeleteStmt;
      const ctes = this.#with(withClause, outer, known);
      const target = this.#table(relation!.relname!, relation!.alias?.aliasname, ctes);
      const from = this.#from(usingClause, [target, ...outer], ctes);
      return this.#targets(
        returningClause?.exprs,
        this.#narrowed([...from, target, ...outer], whereClause, ctes),
        ctes,
      );
    }
    return [];
  }

  #assertTaken(table: string, set: ReadonlyMap<string, Value>): void {
    for (const [name, value] of set) {
      if (value.nullable && this.#tables.get(table)?.get(name) === false)
        this.violations.push(`${table}.${name}`);
    }
  }

  #select(select: SelectStmt, outer: Scope, known: Queries): NamedValue[] {
    const ctes = this.#with(select.withClause, outer, known);
    if (select.op && select.op !== 'SETOP_NONE') {
      const left = this.#select(select.larg!, outer, ctes);
      const right = this.#select(select.rarg!, outer, ctes);
      return left.map((value, index) => ({ ...either([value, right[index] ?? unknown]), name: value.name }));
    }
    if (select.valuesLists) {
      const rows = select.valuesLists.map(list =>
        ('List' in list ? (list.List.items ?? []) : []).map(item => this.#value(item, outer, ctes, false)),
      );
      return rows[0]!.map((_, index) => ({
        ...either(rows.map(row => row[index]!)),
        name: `column${index + 1}`,
      }));
    }
    const from = this.#from(select.fromClause, outer, ctes);
    const scope = this.#narrowed([...from, ...outer], select.whereClause, ctes);
    const groups = select.groupClause ?? [];
    const values = this.#targets(select.targetList, scope, ctes, groups.length > 0);
    // Of grouping sets, each column is null in the rows of another set.
    const sets = groups.some(group => 'GroupingSet' in group);
    return sets
      ? values.map(value => ({ ...value, nullable: value.nullable || !isCount(value, select) }))
      : values;
  }

  #with(clause: WithClause | undefined, outer: Scope, known: Queries): Queries {
    const ctes = new Map(known);
    for (const node of clause?.ctes ?? []) {
      if (!('CommonTableExpr' in node)) continue;
      const { ctename, ctequery, aliascolnames } = node.CommonTableExpr;
      const names = aliascolnames?.map(nameIn);
      const renamed = (columns: readonly NamedValue[]) =>
        columns.map((column, index) => ({ ...column, name: names?.[index] ?? column.name }));
      if (clause?.recursive && 'SelectStmt' in ctequery! && ctequery.SelectStmt.larg) {
        // The first part says what the second finds at first; the second, what it finds from then on.
        ctes.set(ctename!, renamed(this.#select(ctequery.SelectStmt.larg, outer, ctes)));
        const once = renamed(this.#statement(ctequery, outer, ctes));
        ctes.set(ctename!, once);
      }
      ctes.set(ctename!, renamed(this.#statement(ctequery!, outer, ctes)));
    }
    return ctes;
  }

  #table(name: string, alias: string | undefined, ctes: Queries): Relation {
    const columns =
      ctes.get(name) ??
      [...(this.#tables.get(name) ?? [])].map(([column, nullable]) => ({
        name: column,
        nullable,
        origin: `${name}.${column}`,
      }));
    return { alias: alias ?? name, columns };
  }

  #from(items: readonly Node[] | undefined, outer: Scope, ctes: Queries): Relation[] {
    const relations: Relation[] = [];
    for (const item of items ?? []) relations.push(...this.#item(item, [...relations, ...outer], ctes));
    return relations;
  }

  #item(node: Node, scope: Scope, ctes: Queries): Relation[] {
    if ('RangeVar' in node)
      return [this.#table(node.RangeVar.relname!, node.RangeVar.alias?.aliasname, ctes)];
    if ('RangeSubselect' in node) {
      const { subquery, alias } = node.RangeSubselect;
      const names = alias?.colnames?.map(nameIn);
      const columns = this.#statement(subquery!, scope, ctes);
      return [
        {
          alias: alias?.aliasname ?? '',
          columns: columns.map((column, index) => ({ ...column, name: names?.[index] ?? column.name })),
        },
      ];
    }
    if ('RangeFunction' in node) return [this.#function(node.RangeFunction)];
    if ('JoinExpr' in node) {
      const { jointype, larg, rarg, quals, usingClause } = node.JoinExpr;
      const left = this.#item(larg!, scope, ctes);
      const right = this.#item(rarg!, [...left, ...scope], ctes);
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
      return isInner ? [...this.#narrowed(merged, quals, ctes)] : merged;
    }
    return [];
  }

  #function({
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
      if (name === 'unnest') return (call.FuncCall.args ?? []).map(argument => this.#element(argument));
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

  /** What the elements of an array can be. */
  #element(argument: Node): Value {
    if ('TypeCast' in argument) return this.#element(argument.TypeCast.arg!);
    if ('ParamRef' in argument)
      return { nullable: this.#parameters[argument.ParamRef.number! - 1]?.elements ?? true };
    if ('A_ArrayExpr' in argument || 'AArrayExpr' in argument) return present;
    return unknown;
  }

  /** What the rows are known to be for which the condition holds: no operand of a comparison is null. */
  #narrowed(scope: Scope, condition: Node | undefined, ctes: Queries): Scope {
    if (!condition) return scope;
    if ('BoolExpr' in condition) {
      if (condition.BoolExpr.boolop !== 'AND_EXPR') return scope;
      return (condition.BoolExpr.args ?? []).reduce<Scope>(
        (narrowed, each) => this.#narrowed(narrowed, each, ctes),
        scope,
      );
    }
    const listed = this.#listed(condition, scope);
    if (listed) {
      return scope.map(relation => ({
        ...relation,
        columns: relation.columns.map(column =>
          column === listed.column ? { ...column, nullable: false, words: listed.words } : column,
        ),
      }));
    }
    const operands =
      'NullTest' in condition && condition.NullTest.nulltesttype === 'IS_NOT_NULL'
        ? [condition.NullTest.arg!]
        : 'A_Expr' in condition &&
            ['AEXPR_OP', 'AEXPR_OP_ANY', 'AEXPR_IN', 'AEXPR_BETWEEN'].includes(condition.A_Expr.kind!)
          ? [
              condition.A_Expr.lexpr,
              ...(condition.A_Expr.kind === 'AEXPR_OP' ? [condition.A_Expr.rexpr] : []),
            ]
          : [condition];
    const found = operands.flatMap(operand =>
      operand && 'ColumnRef' in operand ? [columnIn(scope, operand.ColumnRef.fields!.map(nameIn))] : [],
    );
    return scope.map(relation => {
      const isThere = relation.columns.some(column => found.includes(column));
      if (!isThere) return relation;
      const { whenPresent: columns = relation.columns, alias } = relation;
      const names = found.map(column => column?.name);
      return {
        alias,
        columns: columns.map(column =>
          names.includes(column.name) ? { ...column, nullable: false } : column,
        ),
      };
    });
  }

  /** A column that is one of words that are written out. */
  #listed(condition: Node, scope: Scope): { column: NamedValue; words: string[] } | undefined {
    if (
      !('A_Expr' in condition) ||
      condition.A_Expr.kind !== 'AEXPR_IN' ||
      nameIn(condition.A_Expr.name![0]!) !== '='
    )
      return undefined;
    const { lexpr, rexpr } = condition.A_Expr;
    const column =
      lexpr && 'ColumnRef' in lexpr ? columnIn(scope, lexpr.ColumnRef.fields!.map(nameIn)) : undefined;
    const words = (rexpr && 'List' in rexpr ? (rexpr.List.items ?? []) : []).map(item =>
      'A_Const' in item ? item.A_Const.sval?.sval : undefined,
    );
    return column && words.every(word => word !== undefined) ? { column, words } : undefined;
  }

  #targets(targets: readonly Node[] | undefined, scope: Scope, ctes: Queries, grouped = false): NamedValue[] {
    return (targets ?? []).flatMap(target => {
      if (!('ResTarget' in target)) return [];
      const { val, name } = target.ResTarget;
      if (val && 'ColumnRef' in val && 'A_Star' in val.ColumnRef.fields!.at(-1)!) {
        const alias = val.ColumnRef.fields!.length > 1 ? nameIn(val.ColumnRef.fields![0]!) : undefined;
        return scope
          .filter(relation => alias === undefined || relation.alias === alias)
          .flatMap(relation => relation.columns);
      }
      return [{ ...this.#value(val!, scope, ctes, grouped), name: name ?? nameOf(val!) }];
    });
  }

  #value(node: Node, scope: Scope, ctes: Queries, grouped: boolean): Value {
    const value = (inner: Node) => this.#value(inner, scope, ctes, grouped);
    const all = (inner: readonly (Node | undefined)[]) => ({
      nullable: inner.some(each => each !== undefined && value(each).nullable),
    });
    if ('A_Const' in node)
      return {
        nullable: Boolean(node.A_Const.isnull),
        ...(node.A_Const.sval ? { words: [node.A_Const.sval.sval ?? ''] } : {}),
      };
    if ('ParamRef' in node) return { nullable: this.#parameters[node.ParamRef.number! - 1]?.itself ?? true };
    if ('ColumnRef' in node)
      return (
        columnIn(scope, node.ColumnRef.fields!.map(nameIn)) ??
        wholeRow(scope, nameIn(node.ColumnRef.fields![0]!)) ??
        unknown
      );
    if ('TypeCast' in node) return value(node.TypeCast.arg!);
    if ('NamedArgExpr' in node) return value(node.NamedArgExpr.arg!);
    if ('CollateClause' in node) return value(node.CollateClause.arg!);
    if (
      'NullTest' in node ||
      'BooleanTest' in node ||
      'A_ArrayExpr' in node ||
      'RowExpr' in node ||
      'SetToDefault' in node ||
      'SQLValueFunction' in node ||
      'GroupingFunc' in node
    )
      return present;
    if ('BoolExpr' in node) return all(node.BoolExpr.args ?? []);
    if ('CoalesceExpr' in node) {
      const options = (node.CoalesceExpr.args ?? []).map(value);
      return { ...either(options), nullable: options.every(option => option.nullable) };
    }
    if ('MinMaxExpr' in node)
      return { nullable: (node.MinMaxExpr.args ?? []).every(argument => value(argument).nullable) };
    if ('CaseExpr' in node) {
      const results = (node.CaseExpr.args ?? []).flatMap(when =>
        'CaseWhen' in when
          ? [
              this.#value(
                when.CaseWhen.result!,
                this.#narrowed(scope, node.CaseExpr.arg ? undefined : when.CaseWhen.expr, ctes),
                ctes,
                grouped,
              ),
            ]
          : [],
      );
      return either([
        ...results,
        node.CaseExpr.defresult ? value(node.CaseExpr.defresult) : { nullable: true, words: [] },
      ]);
    }
    if ('A_Expr' in node) {
      const { kind, name, lexpr, rexpr } = node.A_Expr;
      if (kind === 'AEXPR_DISTINCT' || kind === 'AEXPR_NOT_DISTINCT') return present;
      if (kind === 'AEXPR_NULLIF' || ['->', '->>', '#>', '#>>'].includes(nameIn(name![0]!))) return unknown;
      const right = rexpr && 'List' in rexpr ? (rexpr.List.items ?? []) : [rexpr];
      return all([lexpr, ...right]);
    }
    if ('SubLink' in node) return this.#subLink(node.SubLink, scope, ctes, value);
    if ('FuncCall' in node) {
      const filtered = this.#narrowed(scope, node.FuncCall.agg_filter, ctes);
      return this.#call(node.FuncCall, grouped, inner => this.#value(inner, filtered, ctes, grouped));
    }
    return unknown;
  }

  #subLink(
    { subLinkType, subselect, testexpr }: { subLinkType?: string; subselect?: Node; testexpr?: Node },
    scope: Scope,
    ctes: Queries,
    value: (node: Node) => Value,
  ): Value {
    const [first] = this.#statement(subselect!, scope, ctes);
    if (subLinkType === 'EXISTS_SUBLINK' || subLinkType === 'ARRAY_SUBLINK') return present;
    if (subLinkType === 'ANY_SUBLINK' || subLinkType === 'ALL_SUBLINK')
      return { nullable: Boolean(testexpr && value(testexpr).nullable) || Boolean(first?.nullable) };
    return first && hasOneRow(subselect!) ? first : { ...first, nullable: true };
  }

  #call(
    {
      funcname,
      args = [],
      agg_filter,
      over,
    }: { funcname?: Node[]; args?: Node[]; agg_filter?: Node; over?: object },
    grouped: boolean,
    value: (node: Node) => Value,
  ): Value {
    const name = nameIn(funcname!.at(-1)!);
    if (name === 'json_build_object' || name === 'jsonb_build_object') {
      const fields = new Map<string, Value>();
      for (let index = 0; index < args.length; index += 2)
        fields.set(value(args[index]!).words?.[0] ?? '', value(args[index + 1]!));
      return { nullable: false, fields };
    }
    const nullable = args.some(argument => value(argument).nullable);
    if (name === 'to_json' || name === 'to_jsonb' || name === 'row_to_json') return value(args[0]!);
    if (name === 'json_agg' || name === 'jsonb_agg')
      return { nullable: !grouped || Boolean(agg_filter), elements: value(args[0]!) };
    if (name === 'unnest') return this.#element(args[0]!);
    // Without its second argument, it rejects a setting that there is none of.
    if (total.has(name) || (name === 'current_setting' && args.length === 1)) return present;
    if (strict.has(name)) return { nullable };
    if (aggregates.has(name))
      return { nullable: !grouped || nullable || Boolean(agg_filter) || Boolean(over) };
    return unknown;
  }
}

function optional(relation: Relation): Relation {
  const { alias, columns, whenPresent = columns } = relation;
  return { alias, whenPresent, columns: columns.map(column => ({ ...column, nullable: true })) };
}

function withValues(columns: readonly NamedValue[], set: ReadonlyMap<string, Value>): NamedValue[] {
  return columns.map(column => {
    const value = set.get(column.name);
    return value && !value.nullable ? { ...column, nullable: false } : column;
  });
}

/** One of these values. */
function either(options: readonly Value[]): Value {
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

function columnIn(scope: Scope, path: readonly string[]): NamedValue | undefined {
  const [alias, name] = path.length > 1 ? path : [undefined, path[0]];
  for (const relation of scope) {
    if (alias !== undefined && relation.alias !== alias) continue;
    const column = relation.columns.find(each => each.name === name);
    if (column) return column;
  }
  return undefined;
}

/** The row of a relation: of one that need not be there, every column may be null. */
function wholeRow(scope: Scope, alias: string): Value | undefined {
  const relation = scope.find(each => each.alias === alias);
  if (!relation) return undefined;
  const fields = new Map((relation.whenPresent ?? relation.columns).map(column => [column.name, column]));
  return { nullable: relation.whenPresent !== undefined, fields };
}

/** Whether a query that nothing is grouped in has an aggregate: it has one row, whatever there is. */
function hasOneRow(node: Node): boolean {
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

function isCount(value: NamedValue, { targetList }: SelectStmt): boolean {
  const target = targetList?.find(each => 'ResTarget' in each && each.ResTarget.name === value.name);
  return JSON.stringify(target ?? {}).includes('"count"') && !value.nullable;
}

function nameIn(node: Node): string {
  return 'String' in node ? (node.String.sval ?? '') : '';
}

/** As the database calls a column without a name. */
function nameOf(node: Node): string {
  if ('ColumnRef' in node) return nameIn(node.ColumnRef.fields!.at(-1)!);
  if ('FuncCall' in node) return nameIn(node.FuncCall.funcname!.at(-1)!);
  if ('TypeCast' in node) return nameOf(node.TypeCast.arg!);
  if ('CoalesceExpr' in node) return 'coalesce';
  if ('CaseExpr' in node) return 'case';
  return '?column?';
}
