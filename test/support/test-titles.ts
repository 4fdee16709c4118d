import ts from 'typescript';

/**
 * The titles of the tests in a file, as written: first arguments of `it(…)` or `test(…)`, and of `it.each(…)(…)` and
 * the like with their placeholders. Titles that are not literals are left out.
 */
export function testTitles(source: string): Set<string> {
  const titles = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isIt(node.expression)) {
      const [first] = node.arguments;
      if (first && ts.isStringLiteralLike(first)) titles.add(first.text);
      else if (first && ts.isTemplateExpression(first)) titles.add(first.getText(file).slice(1, -1));
    }
    ts.forEachChild(node, visit);
  };
  const file = ts.createSourceFile('a.test.ts', source, ts.ScriptTarget.Latest, true);
  visit(file);
  return titles;
}

/**
 * Whether it is `it` or `test`, a member of them, or the result of a member. `it.skip`, `it.todo` and `it.fails` prove
 * nothing.
 */
function isIt(node: ts.Expression): boolean {
  if (ts.isIdentifier(node)) return node.text === 'it' || node.text === 'test';
  if (ts.isCallExpression(node))
    return ts.isPropertyAccessExpression(node.expression) && isIt(node.expression);
  return (
    ts.isPropertyAccessExpression(node) &&
    !['skip', 'todo', 'fails'].includes(node.name.text) &&
    isIt(node.expression)
  );
}
