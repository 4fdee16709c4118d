import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { filesBelow } from '../support/files-below.ts';

/** Code decides by codes: text for people is made from them at the edge, and never read back. */

/** What holds text for people, by the names of fields. */
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

/** Rooms and files that read the text of others: of websites, servers, people and the operating system. */
const readers = [
  /^src\/(surfaces|detectors\/website|captures|private-postgres|sandbox)\//,
  // V8 has no code for a failed allocation.
  /^src\/scan\/allocation-failure\.ts$/,
];

/** Words in a row, as no code and no protocol has them. */
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

/** The field that an expression ends in: `title` of `finding.title`. */
function lastName(node: ts.Node): string | null {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  return ts.isIdentifier(node) ? node.text : null;
}

/** The lines of a source that read text for people. */
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

it('reads no text for people back', () => {
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
])('would notice %s', text => {
  expect(proseReadIn('src/x.ts', text)).toHaveLength(1);
});
