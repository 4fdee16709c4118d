import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { type Samples, TextEvaluator, Unevaluated } from './evaluate-text.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A statement that is written as text in the code. */
export interface FoundStatement {
  /** `src/resources/systems/systems.ts:12` */
  readonly place: string;
  /** All texts that it can have. */
  readonly texts: readonly string[];
  readonly values: readonly ts.Type[];
  /** What its rows are said to be. Undefined where nothing can be read from them. */
  readonly row: ts.Type | undefined;
}

export interface Found {
  readonly statements: readonly FoundStatement[];
  /** What is passed as a statement, and cannot be read here. */
  readonly problems: readonly string[];
  readonly sampled: ReadonlySet<string>;
}

/** The program of `src`, with further files. @param planted text by file below the root */
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

/** Rooms that know our database: those that may import `database`, and who starts its server. */
const rooms = /^src\/(database|resources|worker|http|api|dashboard|main|private-postgres)\//;

/** Whether it can have a statement: surfaces query databases of others. */
const mayQuery = (file: ts.SourceFile) =>
  isOwn(file.fileName) && rooms.test(file.fileName.slice(root.length));

/** Turns kysely's statements, and those of callers, into what the driver takes: the only places that make a text. */
const boundaries = new Set(['src/database/connection.ts', 'src/database/prepared.ts']);

/** Every statement that is written as text, wherever it is executed. */
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
      problems.push(`${placeOf(node)} returns no rows, and is asked for them`);
    ts.forEachChild(node, visit);
  }

  /** Whether rows are read of a built statement that returns none: kysely's own execution would count them. */
  function isUnread(node: ts.CallExpression): boolean {
    const [argument] = node.arguments;
    if (!argument || !/\.(query|queryOnce)$/.test(node.expression.getText())) return false;
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
    const [statement, values] = node.arguments;
    const rows = rowsOf(checker.getResolvedSignature(node)!, checker);
    const isIgnored = ts.isExpressionStatement(node.parent) || ts.isExpressionStatement(node.parent.parent);
    if (ts.isObjectLiteralExpression(statement!)) addLiteral(statement, isIgnored ? undefined : rows);
    // A session executes what its callers wrote.
    else if (ts.isCallExpression(statement!) && statement.expression.getText() === 'queryConfig') return;
    else if (ts.isIdentifier(statement!) && statement.text === 'config') return;
    else add(node, statement!, values, isIgnored ? undefined : declared(rows));
  }

  for (const file of files) {
    if (!boundaries.has(fileOf(file))) visit(file);
  }
  return { statements, problems, sampled: evaluator.sampled };
}

/** Whether it says which columns there are: of `object`, none can be read. */
function declared(row: ts.Type | undefined): ts.Type | undefined {
  return row && (row.flags & ts.TypeFlags.NonPrimitive) === 0 ? row : undefined;
}

/** The type that the place of an expression asks for. */
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

/** Of kysely, or of whoever takes any. */
const isBuilt = (type: ts.Type) =>
  Boolean(type.getProperty('compile') && type.getProperty('execute')) ||
  (type.flags & ts.TypeFlags.Never) !== 0;

function statementIn(type: ts.Type | undefined): ts.TypeReference | undefined {
  const parts = type?.isUnion() ? type.types : type ? [type] : [];
  return parts.find(isStatement) as ts.TypeReference | undefined;
}

/** Whether the expression's value goes to a place of another type: an argument, a result, something declared. */
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

/** Of `Promise<QueryResult<Row>>`. */
function rowsOf(signature: ts.Signature, checker: ts.TypeChecker): ts.Type | undefined {
  const result = checker.getAwaitedType(signature.getReturnType());
  return result && checker.getTypeArguments(result as ts.TypeReference)[0];
}

function propertyOf(node: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  const property = node.properties.find(each => each.name?.getText() === name);
  if (property && ts.isPropertyAssignment(property)) return property.initializer;
  return property && ts.isShorthandPropertyAssignment(property) ? property.name : undefined;
}

/** The types of the elements of an array, which must be so many. */
function typesOf(values: ts.Expression, checker: ts.TypeChecker): ts.Type[] {
  if (ts.isArrayLiteralExpression(values)) {
    return values.elements.flatMap(element =>
      ts.isSpreadElement(element) ? typesOf(element.expression, checker) : checker.getTypeAtLocation(element),
    );
  }
  const type = checker.getTypeAtLocation(values);
  if (!checker.isTupleType(type))
    throw new Unevaluated(`cannot tell how many values ${values.getText()} are`);
  return [...checker.getTypeArguments(type as ts.TypeReference)];
}
