import type { Node } from '@pgsql/types';
import {
  columnIn,
  either,
  hasOneRow,
  type NamedValue,
  nameIn,
  nameOf,
  type ParameterNullability,
  present,
  type Queries,
  type Scope,
  unknown,
  type Value,
  wholeRow,
} from './values.ts';

/** Functions with a result for any arguments. */
const total = new Set(
  `count row_number rank dense_rank concat_ws now clock_timestamp gen_random_uuid concat json_build_object jsonb_build_object json_build_array
  jsonb_build_array set_config current_database pg_advisory_lock pg_advisory_xact_lock pg_advisory_xact_lock_shared
  pg_try_advisory_lock pg_advisory_unlock pg_try_advisory_xact_lock_shared pg_try_advisory_xact_lock pg_advisory_lock_shared pg_advisory_unlock_shared random num_nonnulls decide_requests`.split(
    /\s+/,
  ),
);
/** Functions with a result if no argument is null. */
const strict = new Set(
  `lower upper length char_length octet_length encode decode to_char date_trunc extract date_part floor ceil round abs strpos sha256 convert_to
  hashtext hashtextextended make_interval string_to_array cardinality to_json to_jsonb row_to_json array_to_json regexp_replace replace
  timezone date timestamptz text int4 int8 substr substring left right btrim trim rtrim ltrim md5 starts_with split_part sign jsonb_set position`.split(
    /\s+/,
  ),
);
/** Aggregates with a result if there is a row. */
const aggregates = new Set(
  `max min sum avg string_agg array_agg json_agg jsonb_agg json_object_agg jsonb_object_agg bool_and bool_or every`.split(
    /\s+/,
  ),
);

/** Determines the possible values of expressions. */
export abstract class ValueAnalysis {
  private readonly parameters: readonly ParameterNullability[];

  constructor(parameters: readonly ParameterNullability[]) {
    this.parameters = parameters;
  }

  /** The columns of a subquery. */
  protected abstract statement(node: Node, outer: Scope, known: Queries): NamedValue[];

  /** The possible elements of an array. */
  protected element(argument: Node): Value {
    if ('TypeCast' in argument) return this.element(argument.TypeCast.arg!);
    if ('ParamRef' in argument)
      return { nullable: this.parameters[argument.ParamRef.number! - 1]?.elements ?? true };
    if ('A_ArrayExpr' in argument || 'AArrayExpr' in argument) return present;
    return unknown;
  }

  /** The rows for which the condition is true: then no operand of a comparison is null. */
  protected narrowed(scope: Scope, condition: Node | undefined, ctes: Queries): Scope {
    if (!condition) return scope;
    if ('BoolExpr' in condition) {
      if (condition.BoolExpr.boolop !== 'AND_EXPR') return scope;
      return (condition.BoolExpr.args ?? []).reduce<Scope>(
        (narrowed, each) => this.narrowed(narrowed, each, ctes),
        scope,
      );
    }
    const listed = this.listed(condition, scope);
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

  /** A column that is compared with a list of literals. */
  private listed(condition: Node, scope: Scope): { column: NamedValue; words: string[] } | undefined {
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

  protected targets(
    targets: readonly Node[] | undefined,
    scope: Scope,
    ctes: Queries,
    grouped = false,
  ): NamedValue[] {
    return (targets ?? []).flatMap(target => {
      if (!('ResTarget' in target)) return [];
      const { val, name } = target.ResTarget;
      if (val && 'ColumnRef' in val && 'A_Star' in val.ColumnRef.fields!.at(-1)!) {
        const alias = val.ColumnRef.fields!.length > 1 ? nameIn(val.ColumnRef.fields![0]!) : undefined;
        return scope
          .filter(relation => alias === undefined || relation.alias === alias)
          .flatMap(relation => relation.columns);
      }
      return [{ ...this.value(val!, scope, ctes, grouped), name: name ?? nameOf(val!) }];
    });
  }

  protected value(node: Node, scope: Scope, ctes: Queries, grouped: boolean): Value {
    const value = (inner: Node) => this.value(inner, scope, ctes, grouped);
    const all = (inner: readonly (Node | undefined)[]) => ({
      nullable: inner.some(each => each !== undefined && value(each).nullable),
    });
    if ('A_Const' in node)
      return {
        nullable: Boolean(node.A_Const.isnull),
        ...(node.A_Const.sval ? { words: [node.A_Const.sval.sval ?? ''] } : {}),
      };
    if ('ParamRef' in node) return { nullable: this.parameters[node.ParamRef.number! - 1]?.itself ?? true };
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
              this.value(
                when.CaseWhen.result!,
                this.narrowed(scope, node.CaseExpr.arg ? undefined : when.CaseWhen.expr, ctes),
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
    if ('SubLink' in node) return this.subLink(node.SubLink, scope, ctes, value);
    if ('FuncCall' in node) {
      const filtered = this.narrowed(scope, node.FuncCall.agg_filter, ctes);
      return this.call(node.FuncCall, grouped, inner => this.value(inner, filtered, ctes, grouped));
    }
    return unknown;
  }

  private subLink(
    { subLinkType, subselect, testexpr }: { subLinkType?: string; subselect?: Node; testexpr?: Node },
    scope: Scope,
    ctes: Queries,
    value: (node: Node) => Value,
  ): Value {
    const [first] = this.statement(subselect!, scope, ctes);
    if (subLinkType === 'EXISTS_SUBLINK' || subLinkType === 'ARRAY_SUBLINK') return present;
    if (subLinkType === 'ANY_SUBLINK' || subLinkType === 'ALL_SUBLINK')
      return { nullable: Boolean(testexpr && value(testexpr).nullable) || Boolean(first?.nullable) };
    return first && hasOneRow(subselect!) ? first : { ...first, nullable: true };
  }

  private call(
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
    if (name === 'unnest') return this.element(args[0]!);
    // Without its second argument, it fails for an unknown setting.
    if (total.has(name) || (name === 'current_setting' && args.length === 1)) return present;
    if (strict.has(name)) return { nullable };
    if (aggregates.has(name))
      return { nullable: !grouped || nullable || Boolean(agg_filter) || Boolean(over) };
    return unknown;
  }
}
