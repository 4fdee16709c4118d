import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { filesBelow } from '../support/files-below.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const files = filesBelow('src', /(?<!\.test)\.ts$/);

/** Parts of kysely statements that nothing verifies: SQL as text, and claimed types. */
const claims =
  /import \{[^}]*\bsql\b[^}]*\} from 'kysely'|\$(castTo|notNull|narrowType|asTuple|asScalar)\b|\bfn(<|\.(agg|avg|count|countAll|max|min|sum|toJson|jsonAgg)\b)|\bcast<|\.dynamic\b|CompiledQuery/;

it('claims nothing about built statements except where a test verifies it', () => {
  const claiming = files.filter(file => claims.test(readFileSync(root + file, 'utf8')));
  // Their exports are executed in test/database/expressions.test.ts, and by every list.
  expect(claiming.sort()).toEqual(['src/database/expressions.ts', 'src/database/page.ts']);
});

it('executes statements only in sessions', () => {
  const executing = files.filter(file => {
    const text = readFileSync(root + file, 'utf8');
    return text.includes("from 'kysely'") && /\.(execute|executeTakeFirst|stream)\w*\(/.test(text);
  });
  expect(executing).toEqual([]);
});
