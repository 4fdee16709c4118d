import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { rooms } from '../../house/rooms.ts';
import { type Samples, TextEvaluator, Unevaluated, unwrapped } from './evaluate-text.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A statement written as text in the code. */
export interface FoundStatement {
  /** `src/resources/systems/systems.ts:12` */
  readonly place: string;
  /** All its possible texts. */
  readonly texts: readonly string[];
  readonly values: readonly ts.Type[];
  /** The declared type of its rows. Undefined if no columns can be read. */
  readonly row: ts.Type | undefined;
}

export interface Found {
  readonly statements: readonly FoundStatement[];
  /** Statements that cannot be evaluated here. */
  readonly problems: readonly string[];
  readonly sampled: ReadonlySet<string>;
}

/** The program of `src` with further files. @param planted text by file below the root */
export function loadProgram(planted: Readonly<Record<string, string>> = {}): ts.Program {
  const config = ts.getParsedCommandLineOfConfigFile(`${root}tsconfig.json`, {}, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: () => {},
  } as ts.ParseConfigFileHost)!;
  const host = ts.createCompilerHost(config.options, true);
  const extra = new Map(Object.entries(planted).map(([file, text]) => [root + file, text]));
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = file => extra.has(file) || fileExists(file);
  host.readFile = file => extra.get(file) ?? readFile(file);
  host.getSourceFile = (file, target) =>
    extra.has(file) ? ts.createSourceFile(file, extra.get(file)!, target, true) : getSourceFile(file, target);
  const own = config.fileNames.filter(isOwn);
  return ts.createProgram({ rootNames: [...own, ...extra.keys()], options: config.options, host });
}

const isOwn = (file: string) => file.startsWith(`${root}src/`) && !file.endsWith('.test.ts');

/** Folders that use Parapet's database: those that may import `database`, and the one that starts its server. */
const querying = new Set([
  'database',
  'main',
  'private-postgres',
  ...Object.keys(rooms).filter(room => rooms[room]!.includes('database')),
]);

/** Whether it can contain a statement: surfaces query other databases. */
const mayQuery = ({ fileName }: ts.SourceFile) =>
  isOwn(fileName) && querying.has(fileName.slice(root.length).split('/')[1]!);

/** Calls whose statement is another's, or a COPY, which PostgreSQL does not describe. */
const notDescribed = new Set(['queryConfig', 'copyTo', 'copyFrom']);

/** Convert statements of kysely and of callers for the driver: the only places that generate a text. */
const boundaries = new Set(['src/database/connection.ts', 'src/database/prepared.ts']);

/** Every statement written as text, wherever it is executed. */
export function findStatements(program: ts.Program, samples: Samples): Found {
  const checker = program.getTypeChecker();
  const fileOf = (node: ts.Node) => node.getSourceFile().fileName.slice(root.length);
  const placeOf = (node: ts.Node) =>
    `${fileOf(node)}:${node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
  const files = program.getSourceFiles().filter(mayQuery);
  const evaluator = new TextEvaluator(files, checker, samples, fileOf);
  const statements: FoundStatement[] = [];
  const problems: string[] = [];

  function add(
    node: ts.Node,
    text: ts.Expression,
    values: ts.Expression | undefined,
    row: ts.Type | undefined,
  ) {
    try {
      const texts = evaluator.textsOf(text);
      if (texts.length > 0)
        statements.push({ place: placeOf(node), texts, values: values ? typesOf(values, checker) : [], row });
    } catch (error) {
      if (!(error instanceof Unevaluated)) throw error;
      problems.push(`${placeOf(node)} ${error.message}`);
    }
  }

  function visit(node: ts.Node): void {
    if (ts.isObjectLiteralExpression(node)) {
      const wanted = statementIn(wantedType(node, checker));
      if (wanted) addLiteral(node, checker.getTypeArguments(wanted)[0]);
    } else if (ts.isCallExpression(node) && isDriverQuery(node, checker)) {
      addDriverQuery(node);
    } else if (ts.isExpression(node) && isPassedOn(node) && statementIn(wantedType(node, checker))) {
      const type = checker.getTypeAtLocation(node);
      const parts = type.isUnion() ? type.types : [type];
      if (!parts.every(part => isStatement(part) || isBuilt(part)))
        problems.push(
          `${placeOf(node)} ${node.getText()} is not declared as a statement where it is written`,
        );
    }
    if (ts.isCallExpression(node) && isUnread(node))
      problems.push(`${placeOf(node)} returns no rows, but its rows are read`);
    ts.forEachChild(node, visit);
  }

  /** Whether rows of a built statement without rows are read: kysely's own execution would return counts. */
  function isUnread(node: ts.CallExpression): boolean {
    const [argument] = node.arguments;
    if (!argument || !/\.(query|queryOnce|noteOnce|queryShared)$/.test(node.expression.getText()))
      return false;
    const [row] = checker.getTypeArguments(checker.getTypeAtLocation(node) as ts.TypeReference);
    const element = row && checker.getIndexTypeOfType(row, ts.IndexKind.Number);
    if (!/^(Insert|Update|Delete)Result$/.test(element?.symbol?.name ?? '')) return false;
    const { parent } = node;
    return !(ts.isAwaitExpression(parent) && ts.isExpressionStatement(parent.parent));
  }

  function addLiteral(node: ts.ObjectLiteralExpression, row: ts.Type | undefined) {
    const text = propertyOf(node, 'text');
    if (text) add(node, text, propertyOf(node, 'values'), declared(row));
    else if (!node.properties.some(ts.isMethodDeclaration))
      problems.push(`${placeOf(node)} has no text of its own`);
  }

  function addDriverQuery(node: ts.CallExpression) {
    const [given, values] = node.arguments;
    const statement = unwrapped(given!);
    const rows = rowsOf(checker.getResolvedSignature(node)!, checker);
    const isIgnored = ts.isExpressionStatement(node.parent) || ts.isExpressionStatement(node.parent.parent);
    if (ts.isObjectLiteralExpression(statement)) addLiteral(statement, isIgnored ? undefined : rows);
    // A session executes the statements of its callers.
    else if (ts.isCallExpression(statement) && notDescribed.has(statement.expression.getText())) return;
    else if (ts.isNewExpression(statement) && statement.expression.getText() === 'TenantQuery') return;
    else if (ts.isIdentifier(statement) && statement.text === 'config') return;
    else add(node, statement, values, isIgnored ? undefined : declared(rows));
  }

  for (const file of files) {
    if (!boundaries.has(fileOf(file))) visit(file);
  }
  return { statements, problems, sampled: evaluator.sampled };
}

/** The type if it declares columns: `object` has none. */
function declared(row: ts.Type | undefined): ts.Type | undefined {
  return row && (row.flags & ts.TypeFlags.NonPrimitive) === 0 ? row : undefined;
}

/** The type that the context of an expression expects. */
function wantedType(node: ts.Expression, checker: ts.TypeChecker): ts.Type | undefined {
  const { parent } = node;
  if (ts.isCallExpression(parent) && parent.expression !== node) {
    const parameter = checker.getResolvedSignature(parent)?.parameters[parent.arguments.indexOf(node)];
    return parameter && checker.getTypeOfSymbolAtLocation(parameter, parent);
  }
  return checker.getContextualType(node);
}

const isStatement = (type: ts.Type) =>
  type.symbol?.name === 'Statement' &&
  type.symbol.declarations?.[0]?.getSourceFile().fileName.endsWith('src/database/connection.ts');

/** A kysely statement, or any. */
const isBuilt = (type: ts.Type) =>
  Boolean(type.getProperty('compile') && type.getProperty('execute')) ||
  (type.flags & ts.TypeFlags.Never) !== 0;

function statementIn(type: ts.Type | undefined): ts.TypeReference | undefined {
  const parts = type?.isUnion() ? type.types : type ? [type] : [];
  return parts.find(isStatement) as ts.TypeReference | undefined;
}

/** Whether the value is used with another type: as an argument, a result or an initializer. */
function isPassedOn(node: ts.Expression): boolean {
  const { parent } = node;
  if (
    ts.isObjectLiteralExpression(node) ||
    ts.isConditionalExpression(node) ||
    ts.isParenthesizedExpression(node)
  )
    return false;
  return (
    (ts.isCallExpression(parent) && parent.expression !== node) ||
    ts.isReturnStatement(parent) ||
    (ts.isArrowFunction(parent) && parent.body === node) ||
    (ts.isVariableDeclaration(parent) && parent.initializer === node) ||
    (ts.isPropertyAssignment(parent) && parent.initializer === node) ||
    ts.isConditionalExpression(parent) ||
    ts.isArrayLiteralExpression(parent)
  );
}

function isDriverQuery(node: ts.CallExpression, checker: ts.TypeChecker): boolean {
  if (!ts.isPropertyAccessExpression(node.expression) || node.expression.name.text !== 'query') return false;
  const declaration = checker.getResolvedSignature(node)?.declaration;
  return Boolean(declaration?.getSourceFile().fileName.includes('@types/pg/'));
}

/** The type argument of `Promise<QueryResult<Row>>`. */
function rowsOf(signature: ts.Signature, checker: ts.TypeChecker): ts.Type | undefined {
  const result = checker.getAwaitedType(signature.getReturnType());
  return result && checker.getTypeArguments(result as ts.TypeReference)[0];
}

function propertyOf(node: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  const property = node.properties.find(each => each.name?.getText() === name);
  if (property && ts.isPropertyAssignment(property)) return property.initializer;
  return property && ts.isShorthandPropertyAssignment(property) ? property.name : undefined;
}

/** The element types of an array with a known length. */
function typesOf(values: ts.Expression, checker: ts.TypeChecker): ts.Type[] {
  if (ts.isArrayLiteralExpression(values)) {
    return values.elements.flatMap(element =>
      ts.isSpreadElement(element) ? typesOf(element.expression, checker) : checker.getTypeAtLocation(element),
    );
  }
  const type = checker.getTypeAtLocation(values);
  if (!checker.isTupleType(type))
    throw new Unevaluated(`cannot determine how many values ${values.getText()} are`);
  return [...checker.getTypeArguments(type as ts.TypeReference)];
}
