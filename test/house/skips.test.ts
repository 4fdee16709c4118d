import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** CI fails for these lines, except for the last: an archive of the files has no history. */
const prints = /\bcanTest\(|NOT RUN:/;

/** What no package brings: the platform, and who runs the tests. */
const ofTheMachine = /^!?\(?(?:process\.platform [!=]== 'linux'|process\.getuid\?\.\(\) [!=]== 0|isRoot)\)?$/;

const parse = (path: string, text: string) =>
  ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);

function descendants(node: ts.Node): ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (each: ts.Node) => {
    found.push(each);
    ts.forEachChild(each, visit);
  };
  visit(node);
  return found;
}

/** Whether the condition, or a declaration that it names in its file or in one that it imports from, prints what is missing. */
function isAnnounced(condition: ts.Node, seen = new Set<string>()): boolean {
  if (prints.test(condition.getText())) return true;
  const file = condition.getSourceFile();
  const nodes = descendants(file);
  const names = descendants(condition).filter(ts.isIdentifier);
  return names.some(({ text }) => {
    const key = `${file.fileName} ${text}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return nodes.some(node => {
      if (ts.isImportDeclaration(node)) return isImportedAnnounced(node, text, seen);
      if (ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node))
        return node.name?.getText() === text && isAnnounced(node, seen);
      // A parameter of `describe.each(table)(title, …)` is from its table.
      return (
        ts.isParameter(node) &&
        node.name.getText() === text &&
        ts.isCallExpression(node.parent.parent) &&
        isAnnounced(node.parent.parent.expression, seen)
      );
    });
  });
}

function isImportedAnnounced(node: ts.ImportDeclaration, name: string, seen: Set<string>): boolean {
  const bindings = node.importClause?.namedBindings;
  const from = (node.moduleSpecifier as ts.StringLiteral).text;
  if (!bindings || !ts.isNamedImports(bindings) || !from.startsWith('.')) return false;
  if (!bindings.elements.some(element => element.name.text === name)) return false;
  const path = join(dirname(node.getSourceFile().fileName), from);
  return parse(path, readFileSync(path, 'utf8')).statements.some(statement =>
    ts.isFunctionDeclaration(statement)
      ? statement.name?.text === name && isAnnounced(statement, seen)
      : ts.isVariableStatement(statement) &&
        statement.declarationList.declarations.some(
          each => each.name.getText() === name && isAnnounced(each, seen),
        ),
  );
}

/** Calls that skip tests without a line that says why. */
function silentSkips(path: string, text: string): string[] {
  const silent: string[] = [];
  for (const node of descendants(parse(path, text))) {
    if (!ts.isCallExpression(node)) continue;
    const called = node.expression.getText().split('.').at(-1)!;
    const [first] = node.arguments;
    const condition = ['skipIf', 'runIf'].includes(called)
      ? first
      : ts.findAncestor(node, ts.isIfStatement)?.expression;
    if (!['skipIf', 'runIf', 'skip', 'todo'].includes(called)) continue;
    if (condition && (ofTheMachine.test(condition.getText()) || isAnnounced(condition))) continue;
    silent.push(`${path}: ${called}(${condition?.getText() ?? ''})`);
  }
  return silent;
}

it('skips no test without a line that says what is missing, for which CI fails', () => {
  const files = ['src', 'test', 'web'].flatMap(folder =>
    readdirSync(root + folder, { recursive: true, encoding: 'utf8' }).map(name => join(root, folder, name)),
  );
  const tests = files.filter(name => /\.tsx?$/.test(name) && !name.includes('node_modules'));
  const skipping = tests.map(path => [path, readFileSync(path, 'utf8')] as const);
  const relevant = skipping.filter(
    ([path, text]) => /\b(?:skip|todo|runIf|skipIf)\b/.test(text) && !path.includes('/house/'),
  );
  expect(relevant.length).toBeGreaterThan(30);
  expect(relevant.flatMap(([path, text]) => silentSkips(path, text))).toEqual([]);
});

it.each([
  "it.runIf(existsSync('/usr/bin/x'))('a', () => {});",
  "const has = existsSync('/usr/bin/x');\nif (!has) console.warn('not here');\nit.skipIf(!has)('a', () => {});",
  "it.skip('a', () => {});",
  "it.todo('a');",
  "it('a', ({ skip }) => { if (!mounts()) return skip('no mounts'); });",
  "it('a', context => context.skip());",
])('would find %j', text => {
  expect(silentSkips(`${root}test/e2e/a.test.ts`, text)).toHaveLength(1);
});

it.each([
  "import { canTest } from '../support/can-test.ts';\nconst has = canTest(isThere(), 'x');\nit.runIf(has)('a', () => {});",
  "import { hasMariadb } from '../support/mariadb.ts';\ndescribe.skipIf(!hasMariadb())('a', () => {});",
])('permits %j', text => {
  expect(silentSkips(`${root}test/e2e/a.test.ts`, text)).toEqual([]);
});
