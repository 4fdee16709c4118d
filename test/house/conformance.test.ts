import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { testTitles } from '../support/test-titles.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string) => readFileSync(root + file, 'utf8');

/** The titles in every test file. */
const titlesOf = new Map(
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.test.ts', '*.test.tsx'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter(file => file !== '' && existsSync(root + file))
    .map(file => [file, testTitles(read(file))]),
);

/** The sections of the specification in a title, as in "refuses a replayed nonce (spec 5, 8)". */
function sectionsIn(title: string): number[] {
  const tag = / \(spec (\d(?:, \d)*)\)$/.exec(title)?.[1];
  return tag ? tag.split(', ').map(Number) : [];
}

interface Citation {
  readonly section: number;
  readonly file: string;
  readonly title: string;
}

const quoted = '"[^"]+"(?:, "[^"]+")*';
const cited = `\`[\\w./-]+\\.test\\.tsx?\`: ${quoted}`;
const row = new RegExp(`^\\| (\\d)(?:[.,][^|]*)? \\| [^|]+ \\| (${cited}(?:; ${cited})*) \\|$`);

/** The citations in a row of the document, or undefined if it is not `| section | rule | tests |`. */
function citations(line: string): Citation[] | undefined {
  const [, section, tests] = row.exec(line) ?? [];
  if (!section || !tests) return undefined;
  return [...tests.matchAll(new RegExp(cited, 'g'))].flatMap(([text]) =>
    [...text.matchAll(/"([^"]+)"/g)].map(([, title]) => ({
      section: Number(section),
      file: text.slice(1, text.indexOf('`', 1)),
      title: title!,
    })),
  );
}

/** Problems with a row of the document. */
function problems(line: string): string[] {
  const found = citations(line);
  if (!found) return [`not a row: ${line}`];
  return found.flatMap(({ section, file, title }) => [
    ...(titlesOf.get(file)?.has(title) ? [] : [`${file} has no test "${title}"`]),
    ...(sectionsIn(title).includes(section) ? [] : [`"${title}" does not name section ${section}`]),
  ]);
}

describe('docs/conformance.md', () => {
  const document = read('docs/conformance.md');
  const [rules = '', readings = ''] = document.split('## Read in one of several ways');
  const rowsOf = (text: string) =>
    text.split('\n').filter(line => line.startsWith('| ') && !line.startsWith('| section |'));

  it('cites tests that name its section for every rule and interpretation', () => {
    expect(rowsOf(document).flatMap(problems)).toEqual([]);
  });

  it('has rules of every section, each under the heading of its section', () => {
    const parts = rules.split(/^## (?=\d\. )/m).slice(1);
    expect(parts.map(part => Number(part[0]))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    for (const part of parts) {
      const sections = new Set(rowsOf(part).map(line => citations(line)?.[0]?.section));
      expect([...sections], part.slice(0, 40)).toEqual([Number(part[0])]);
    }
    expect(rowsOf(readings).length).toBeGreaterThan(0);
  });

  it('lists every test that names a section under each of its sections', () => {
    const listed = new Set(
      rowsOf(document)
        .flatMap(line => citations(line) ?? [])
        .map(({ section, file, title }) => `${section} ${file} ${title}`),
    );
    const named = [...titlesOf].flatMap(([file, titles]) =>
      [...titles].flatMap(title => sectionsIn(title).map(section => `${section} ${file} ${title}`)),
    );
    expect(named.filter(name => !listed.has(name))).toEqual([]);
    expect(named.length).toBe(listed.size);
  });

  it('has every rule once', () => {
    const named = rowsOf(rules).map(line => line.split(' | ').slice(0, 2).join(' | '));
    expect(named.filter((name, index) => named.indexOf(name) !== index)).toEqual([]);
  });
});

describe('a row', () => {
  const file = 'test/api/signed-routes.test.ts';
  const test = 'refuses a replayed nonce: here, on another node, and after a restart (spec 5, 7, 8)';

  it('is accepted if the test exists and names its section', () => {
    expect(problems(`| 5, headers | r | \`${file}\`: "${test}" |`)).toEqual([]);
  });

  it.each([
    ['of another section', `| 6.1 | r | \`${file}\`: "${test}" |`],
    ['of no section', `| x | r | \`${file}\`: "${test}" |`],
    ['without a test', '| 5 | r | nothing shows it |'],
    ['with a file alone', `| 5 | r | \`${file}\` |`],
    ['with a title that names no section', `| 5 | r | \`${file}\`: "answers a valid request" |`],
    ['with an unknown title', `| 5 | r | \`${file}\`: "no such test (spec 5)" |`],
    ['with an unknown second title', `| 5 | r | \`${file}\`: "${test}", "no such test (spec 5)" |`],
    ['with a missing file', `| 5 | r | \`test/api/none.test.ts\`: "${test}" |`],
  ])('is refused %s', (_what, line) => {
    expect(problems(line)).not.toEqual([]);
  });
});
