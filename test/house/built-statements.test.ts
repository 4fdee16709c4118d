import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { filesBelow } from '../support/files-below.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const files = filesBelow('src', /(?<!\.test)\.ts$/);

/** What says of a statement that kysely builds what nothing checks: SQL as text, and types that are claimed. */
const claims =
  /import \{[^}]*\bsql\b[^}]*\} from 'kysely'|\$(castTo|notNull|narrowType|asTuple|asScalar)\b|\bfn(<|\.(agg|avg|count|countAll|max|min|sum|toJson|jsonAgg)\b)|\bcast<|\.dynamic\b|CompiledQuery/;

it('claims nothing of built statements but where a test shows that it is so', () => {
  const claiming = files.filter(file => claims.test(readFileSync(root + file, 'utf8')));
  // What these export is executed in test/database/expressions.test.ts, and by every list.
  expect(claiming.sort()).toEqual(['src/database/expressions.ts', 'src/database/page.ts']);
});

it('executes statements in sessions alone', () => {
  const executing = files.filter(file => {
    const text = readFileSync(root + file, 'utf8');
    return text.includes("from 'kysely'") && /\.(execute|executeTakeFirst|stream)\w*\(/.test(text);
  });
  expect(executing).toEqual([]);
});
