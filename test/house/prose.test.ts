import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { filesBelow } from '../support/files-below.ts';

/** Code decides by codes: text for people is built from them at the edge, and never parsed. */

/** Names of fields that contain text for people. */
const prose = new Set([
  ...[
    'remediation',
    'advice',
    'seen',
    'reason',
    'reasons',
    'why',
    'title',
    'summary',
    'message',
    'problem',
    'note',
  ],
]);
const reading = new Set([
  ...[
    'startsWith',
    'endsWith',
    'includes',
    'indexOf',
    'match',
    'matchAll',
    'search',
    'split',
    'test',
    'exec',
  ],
]);

/** Files that read texts of others: of websites, servers, people and the operating system. */
const readers = [
  /^src\/(surfaces|detectors\/website|captures|private-postgres|sandbox)\//,
  // V8 has no code for a failed allocation.
  /^src\/scan\/allocation-failure\.ts$/,
];

/** Several words, as in no code or protocol. */
const sentence = /^[A-Z][a-z]+ [a-z]+ |[a-z]{2,} [a-z]{2,} [a-z]{2,}/;

function readsProse(node: ts.Node): boolean {
  if (ts.isBinaryExpression(node)) {
    const isComparison = [
      ts.SyntaxKind.EqualsEqualsEqualsToken,
      ts.SyntaxKind.ExclamationEqualsEqualsToken,
    ].includes(node.operatorToken.kind);
    return isComparison && [node.left, node.right].some(isSentence);
  }
  if (ts.isCaseClause(node)) return isSentence(node.expression);
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const { expression: receiver, name } = node.expression;
  if (!reading.has(name.text)) return false;
  return (
    node.arguments.some(isSentence) ||
    [receiver, ...node.arguments].some(one => prose.has(lastName(one) ?? ''))
  );
}

function isSentence(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) && sentence.test(node.text);
}

/** The last name of an expression: `title` of `finding.title`. */
function lastName(node: ts.Node): string | null {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  return ts.isIdentifier(node) ? node.text : null;
}

/** Lines of a source that parse text for people. */
function proseReadIn(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const walk = (node: ts.Node): void => {
    if (readsProse(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${path}:${line + 1} ${node.getText().slice(0, 120)}`);
    }
    ts.forEachChild(node, walk);
  };
  walk(source);
  return found;
}

it('parses no text for people', () => {
  const files = ['src', 'web'].flatMap(root => filesBelow(root, /\.tsx?$/));
  const sources = files.filter(path => !path.includes('.test.') && !readers.some(room => room.test(path)));
  expect(sources.flatMap(path => proseReadIn(path, readFileSync(path, 'utf8')))).toEqual([]);
});

it.each([
  "if (reason === 'No source is in scope.') skip();",
  "switch (text) { case 'head does not match': break; }",
  "const isHead = problem.startsWith('head');",
  "const parts = finding.remediation.split('`');",
  'const fixed = /nginx: (.*)/.exec(check.advice);',
  "const found = texts.includes('It does not apply, as attested.');",
])('detects %s', text => {
  expect(proseReadIn('src/x.ts', text)).toHaveLength(1);
});
