import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { check } from 'recheck';
import ts from 'typescript';
import { expect, it } from 'vitest';

/**
 * Every regular expression in the code takes linear time, even when it is searched at every position of a text. The
 * checker builds an automaton of it; attacks on code around expressions are in src/surfaces/linear-time.test.ts.
 */

const root = fileURLToPath(new URL('../../src/', import.meta.url));

interface Expression {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

function expressionsOf(file: string): Expression[] {
  const tree = ts.createSourceFile(file, readFileSync(root + file, 'utf8'), ts.ScriptTarget.Latest);
  const found: Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push({ file, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  file => /\.ts$/.test(file) && !/\.test\.ts$|\/cases\.ts$/.test(file),
);
const expressions = files.flatMap(expressionsOf);

/** Expressions that detectors build when they are loaded. */
async function builtExpressions(): Promise<Expression[]> {
  const found: Expression[] = [];
  const Original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(Original, {
    construct(target, values, made) {
      const expression: RegExp = Reflect.construct(target, values, made);
      const [, file] = /\/src\/(detectors\/[^:?]+)/.exec(new Error().stack ?? '') ?? [];
      if (file !== undefined) found.push({ file, source: expression.source, flags: expression.flags });
      return expression;
    },
  });
  try {
    await import('../../src/detectors/catalogue.ts');
  } finally {
    globalThis.RegExp = Original;
  }
  return found;
}

/** The default limit of a second per phase makes the verdict depend on the load of the machine. */
const thorough = { timeout: 60_000, attackTimeout: 30_000, incubationTimeout: 30_000, randomSeed: 1 };

/**
 * Files that build other expressions: from patterns of schemas, see test/api/linear-schemas.test.ts. `values.ts`
 * repeats one character class, which reads each character once.
 */
const ofSchemas = ['contract/values.ts', 'dashboard/sign-in/oidc.ts', 'http/validation.ts'];

it('has built expressions that take linear time', { timeout: 300_000 }, async () => {
  const built = await builtExpressions();
  const builders = files.filter(file => /\bnew RegExp\(/.test(readFileSync(root + file, 'utf8')));
  expect([...new Set([...built.map(({ file }) => file), ...ofSchemas])].sort()).toEqual(
    expect.arrayContaining(builders),
  );
  const slow: string[] = [];
  for (const { file, source, flags } of new Map(built.map(one => [one.source, one])).values()) {
    const { status } = await check(withSmallCounts(source), flags, thorough);
    if (status !== 'safe') slow.push(`${file}: /${source}/${flags} ${status}`);
  }
  expect(slow).toEqual([]);
});

/** Expressions for texts with a bound, and the bound. */
const bounded: Readonly<Record<string, string>> = {
  '/^(?:<!doctype html>|<!--(?:[^-]|-[^-])*-->|<\\/?(?:html|head|body|p|div|br)(?: [\\w-]{1,20}="[\\w-]{0,20}")?>|<title><\\/title>|<meta charset="?[\\w-]{1,20}"?>|\\s)+$/i':
    'a body of fewer than 500 characters, see isBlank',
  '/\\/+$/': 'a setting of the operator',
  '/could not (create|open|read|write|remove) .*lock file/': 'a line of the log of our own PostgreSQL',
  '/(?:[.-](?:min|slim|bundle|full|core|pack|prod|production|development|debug|dev|umd|cjs|esm|global|runtime|all|pkgd|modern|compat|latest|with-locales))+$/':
    'a file name of at most 120 characters, see inPath',
};

/** A bounded repetition adds a factor, but no degree: small counts keep the checker's automaton small. */
const withSmallCounts = (source: string) =>
  source.replace(/\{(\d+)(,?)(\d*)\}/g, (_, least: string, comma: string, most: string) => {
    const [from, to] = [Math.min(Number(least), 2), Math.min(Number(most), 3)];
    return most === '' ? `{${from}${comma}}` : `{${from},${to}}`;
  });

it('finds the expressions of the code', () => expect(expressions.length).toBeGreaterThan(200));

it('has expressions that take linear time', { timeout: 300_000 }, async () => {
  const distinct = new Map(expressions.map(each => [`/${each.source}/${each.flags}`, each]));
  const slow: string[] = [];
  for (const [text, { file, source, flags }] of distinct) {
    // Without an unbounded repetition, it reads a constant number of characters at each position.
    if (Object.hasOwn(bounded, text) || !/[*+]|\{\d+,\}/.test(source)) continue;
    const { status, ...result } = await check(withSmallCounts(source), flags, thorough);
    if (status !== 'safe')
      slow.push(
        `${file}: ${text} ${status} ${JSON.stringify('complexity' in result ? result.complexity : '').slice(0, 60)}`,
      );
  }
  expect(slow).toEqual([]);
});
