import { parse } from 'libpg-query';
import type pg from 'pg';
import ts from 'typescript';
import { type Catalog, type DescribedColumn, describeStatement } from './describe-statement.ts';
import type { FoundStatement } from './find-statements.ts';
import { NullabilityAnalysis } from './nullability.ts';
import type { Value } from './values.ts';

/** The TypeScript type that the driver (`database/connection.ts`) returns for a type. */
const read: Readonly<Record<string, string>> = {
  bool: 'boolean',
  bytea: 'Buffer',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float8: 'number',
  text: 'string',
  varchar: 'string',
  name: 'string',
  uuid: 'string',
  numeric: 'string',
  timestamptz: 'string',
  date: 'Date',
  timestamp: 'Date',
  _text: 'string[]',
  _int4: 'number[]',
  _uuid: 'string[]',
  _name: 'string[]',
  _int8: 'string[]',
  _inet: 'string[]',
  _cidr: 'string[]',
  void: 'string',
};

/** The types that the driver accepts for a type. */
const written: Readonly<Record<string, readonly string[]>> = {
  bool: ['boolean'],
  bytea: ['Buffer'],
  cidr: ['string'],
  int2: ['number'],
  int4: ['number'],
  int8: ['number', 'string'],
  float8: ['number'],
  text: ['string'],
  name: ['string'],
  uuid: ['string'],
  timestamptz: ['string', 'Date'],
  date: ['string'],
  // As text, since the driver would write an array as a PostgreSQL array.
  json: ['string'],
  jsonb: ['string'],
  regclass: ['string'],
};

/** Compares statements with their descriptions by a database. */
export class StatementCheck {
  readonly #checker: ts.TypeChecker;
  readonly #client: pg.ClientBase;
  readonly #catalog: Catalog;
  readonly #present: Readonly<Record<string, string>>;
  /** Keys of `present` that were used. */
  readonly needed = new Set<string>();
  /** The selected type of each `table.column`. */
  readonly #columnTypes: ReadonlyMap<string, ts.Type>;

  /** @param present `file: column`s that are never null, for a reason outside the statement */
  constructor(
    program: ts.Program,
    client: pg.ClientBase,
    catalog: Catalog,
    present: Readonly<Record<string, string>>,
  ) {
    this.#present = present;
    this.#checker = program.getTypeChecker();
    this.#client = client;
    this.#catalog = catalog;
    this.#columnTypes = columnTypesOf(program, this.#checker);
  }

  /** The problems of the statement. */
  async problemsOf(statement: FoundStatement): Promise<string[]> {
    const problems = new Set<string>();
    for (const text of statement.texts) {
      for (const problem of await this.#problemsOf(statement, text)) {
        const [, column] = /^(\S+) may be null/.exec(problem) ?? [];
        const key = `${statement.place.replace(/:.*/, '')}: ${column}`;
        if (column && this.#present[key]) this.needed.add(key);
        else problems.add(`${statement.place} ${problem}`);
      }
    }
    return [...problems];
  }

  async #problemsOf({ values, row }: FoundStatement, text: string): Promise<string[]> {
    try {
      const { stmts = [] } = await parse(text);
      // Several statements are sent without parameters, and their rows are not read.
      if (stmts.length !== 1) {
        for (const { stmt_location = 0, stmt_len } of stmts) {
          const bytes = Buffer.from(text).subarray(stmt_location);
          await describeStatement(
            this.#client,
            bytes.subarray(0, stmt_len || undefined).toString(),
            this.#catalog,
          );
        }
        return (row && !isAny(row)) || values.length > 0
          ? ['several statements have no parameters and no row']
          : [];
      }
      const { parameters, columns } = await describeStatement(this.#client, text, this.#catalog);
      const analysis = new NullabilityAnalysis(
        this.#catalog.tables,
        values.map(value => this.#nullability(value)),
      );
      const analyzed = analysis.columnsOf(stmts[0]!.stmt!);
      return [
        ...this.#parameterProblems(parameters, values),
        ...analysis.violations.map(column => `may give null to ${column}, which takes none`),
        ...(row && columns.length > 0 ? this.#rowProblems(columns, analyzed, row) : []),
      ];
    } catch (error) {
      return [(error as Error).message];
    }
  }

  #nullability(type: ts.Type) {
    const [element] = this.#checker.isArrayLikeType(type)
      ? [this.#checker.getIndexTypeOfType(type, ts.IndexKind.Number)!]
      : [];
    return { itself: this.#isNullable(type), elements: element ? this.#isNullable(element) : true };
  }

  #isNullable(type: ts.Type): boolean {
    return parts(type).some(part => (part.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)) !== 0);
  }

  #parameterProblems(parameters: readonly string[], values: readonly ts.Type[]): string[] {
    if (parameters.length !== values.length)
      return [`has ${parameters.length} parameters and ${values.length} values`];
    return parameters.flatMap((type, index) => {
      const value = values[index]!;
      const element = type.startsWith('_') ? this.#elementOf(value) : undefined;
      const taken = element ? this.#takes(type.slice(1), element) : this.#takes(type, value);
      return taken ? [] : [`$${index + 1} is ${type}, and is given ${this.#checker.typeToString(value)}`];
    });
  }

  #elementOf(value: ts.Type): ts.Type | undefined {
    const array = this.#checker.getNonNullableType(value);
    return this.#checker.isArrayLikeType(array)
      ? this.#checker.getIndexTypeOfType(array, ts.IndexKind.Number)
      : undefined;
  }

  #takes(type: string, value: ts.Type): boolean {
    const given = parts(this.#checker.getNonNullableType(value));
    return given.every(part => written[type]?.some(word => this.#isOf(part, word)));
  }

  #isOf(type: ts.Type, word: string): boolean {
    if (type.flags & ts.TypeFlags.Any) return false;
    const base = this.#checker.getBaseTypeOfLiteralType(type);
    return this.#checker.typeToString(base).replace(/<.*>$/, '') === word;
  }

  #rowProblems(columns: readonly DescribedColumn[], analyzed: readonly Value[], row: ts.Type): string[] {
    if (isAny(row)) return ['does not say what its row is'];
    const properties = new Map(
      this.#checker.getPropertiesOfType(row).map(property => [property.name, property]),
    );
    const names = columns.map(({ name }) => name);
    const twice = names.filter((name, index) => names.indexOf(name) !== index);
    return [
      ...twice.map(name => `returns ${name} twice`),
      ...[...properties.keys()].filter(name => !names.includes(name)).map(name => `does not return ${name}`),
      ...names
        .filter(name => !properties.has(name))
        .map(name => `returns ${name}, which its row does not have`),
      ...columns.flatMap((column, index) => {
        const property = properties.get(column.name);
        const value = analyzed[index] ?? { nullable: true };
        return property ? this.#columnProblems(column, value, this.#checker.getTypeOfSymbol(property)) : [];
      }),
    ];
  }

  #columnProblems(column: DescribedColumn, value: Value, declared: ts.Type): string[] {
    const said = this.#checker.typeToString(declared);
    const problems: string[] = [];
    if (value.nullable && !this.#isNullable(declared))
      problems.push(`${column.name} may be null, but is declared as ${said}`);
    const bare = this.#checker.getNonNullableType(declared);
    if (column.type === 'json' || column.type === 'jsonb')
      return [...problems, ...this.#jsonProblems(column.name, value, bare, column.origin)];
    if (!this.#isRead(column, value, bare))
      problems.push(
        `${column.name} is ${column.type}${column.origin ? ` of ${column.origin}` : ''}, but is declared as ${said}`,
      );
    return problems;
  }

  #isRead({ type, origin }: DescribedColumn, { words }: Value, declared: ts.Type): boolean {
    if (declared.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never)) return false;
    const isOneOf = parts(declared).every(part => part.isStringLiteral());
    if (isOneOf && words)
      return words.every(word => parts(declared).some(part => (part as ts.StringLiteralType).value === word));
    const known = origin === undefined ? undefined : this.#columnTypes.get(origin);
    if (known) return this.#checker.isTypeAssignableTo(this.#checker.getNonNullableType(known), declared);
    const expected = read[type];
    if (expected?.endsWith('[]')) {
      const element = this.#elementOf(declared);
      return (
        element !== undefined && this.#isOf(this.#checker.getNonNullableType(element), expected.slice(0, -2))
      );
    }
    return (
      expected !== undefined &&
      (expected === 'boolean' || parts(declared).length === 1) &&
      parts(declared).every(part => this.#isOf(part, expected))
    );
  }

  /** Compares the JSON with the declared type; for a column, with the type in the schema. */
  #jsonProblems(name: string, value: Value, declared: ts.Type, origin: string | undefined): string[] {
    const known = origin === undefined ? undefined : this.#columnTypes.get(origin);
    if (isAny(declared)) return [`${name} is declared as any`];
    if (known)
      return this.#checker.isTypeAssignableTo(known, declared) ? [] : [`${name} is not what ${origin} is`];
    const element = this.#elementOf(declared);
    if (element && value.elements) return this.#fieldProblems(`${name}[]`, value.elements, element);
    if (element || !value.fields) return [`cannot determine what is in ${name}`];
    const properties = new Map(
      this.#checker.getPropertiesOfType(declared).map(property => [property.name, property]),
    );
    return [
      ...[...properties.keys()].filter(key => !value.fields!.has(key)).map(key => `${name} has no ${key}`),
      ...[...value.fields].flatMap(([key, field]) => {
        const property = properties.get(key);
        if (!property) return [`${name} has ${key}, which its type does not have`];
        return this.#fieldProblems(`${name}.${key}`, field, this.#checker.getTypeOfSymbol(property));
      }),
    ];
  }

  #fieldProblems(name: string, value: Value, declared: ts.Type): string[] {
    const { origin = '', words } = value;
    const problems: string[] = [];
    if (value.nullable && !this.#isNullable(declared))
      problems.push(`${name} may be null, but is not declared so`);
    const bare = this.#checker.getNonNullableType(declared);
    const known = this.#columnTypes.get(origin);
    if (value.fields || value.elements)
      return [...problems, ...this.#jsonProblems(name, value, bare, undefined)];
    if (this.#catalog.columnTypes.get(origin) === 'timestamptz')
      problems.push(`${name} is a time in JSON: see \`jsonTimestamp\``);
    if (known && !words && !this.#checker.isTypeAssignableTo(this.#checker.getNonNullableType(known), bare))
      problems.push(`${name} is not what ${origin} is`);
    if (
      words &&
      !words.every(word => this.#checker.isTypeAssignableTo(this.#checker.getStringLiteralType(word), bare))
    )
      problems.push(`${name} is not one of ${this.#checker.typeToString(bare)}`);
    return problems;
  }
}

const isAny = (type: ts.Type) => (type.flags & ts.TypeFlags.Any) !== 0;

function parts(type: ts.Type): readonly ts.Type[] {
  return type.isUnion() ? type.types : [type];
}

/** The row types of the columns in `database/schema.ts`. */
function columnTypesOf(program: ts.Program, checker: ts.TypeChecker): Map<string, ts.Type> {
  const file = program.getSourceFiles().find(({ fileName }) => fileName.endsWith('/src/database/schema.ts'))!;
  const schema = checker
    .getExportsOfModule(checker.getSymbolAtLocation(file)!)
    .find(({ name }) => name === 'Schema')!;
  const types = new Map<string, ts.Type>();
  for (const table of checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(schema))) {
    for (const column of checker.getPropertiesOfType(checker.getTypeOfSymbol(table)))
      types.set(`${table.name}.${column.name}`, selected(checker.getTypeOfSymbol(column), checker));
  }
  return types;
}

/** The select type of a `ColumnType`. */
function selected(type: ts.Type, checker: ts.TypeChecker): ts.Type {
  const select = checker.getPropertyOfType(checker.getNonNullableType(type), '__select__');
  return select ? checker.getTypeOfSymbol(select) : type;
}
