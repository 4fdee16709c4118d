import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { asvsLevels } from '../support/asvs-5.0-identifiers.ts';
import { testTitles } from '../support/test-titles.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string) => readFileSync(root + file, 'utf8');

const file = '`(?:[\\w.-]+\\/)*[\\w.-]+\\.(?:tsx?|sql|json|md)`';
const titles = '"[^"]+"(?:, "[^"]+")*';
const citation = `${file}(?:: ${titles})?`;

interface Citation {
  readonly file: string;
  /** Tests in the file; empty if the file itself is the evidence. */
  readonly titles: readonly string[];
}

/** Files in backticks, each with the titles that follow it: `file`: "one title", "another". */
function citations(text: string): Citation[] {
  return [...text.matchAll(new RegExp(citation, 'g'))].map(([found]) => ({
    file: found.slice(1, found.indexOf('`', 1)),
    titles: [...found.matchAll(/"([^"]+)"/g)].map(([, title]) => title!),
  }));
}

const titlesOf = new Map<string, Set<string>>();

function hasTest(file: string, title: string): boolean {
  if (!titlesOf.has(file)) titlesOf.set(file, testTitles(read(file)));
  return titlesOf.get(file)!.has(title);
}

/** Problems with the citations of a text. */
function problems(text: string): string[] {
  return citations(text).flatMap(({ file, titles }) => {
    if (!existsSync(root + file)) return [`${file} does not exist`];
    return titles.filter(title => !hasTest(file, title)).map(title => `${file} has no test "${title}"`);
  });
}

const citesTest = (text: string) => citations(text).some(({ titles }) => titles.length > 0);
const untitled = (text: string) =>
  citations(text).filter(({ file, titles }) => file.endsWith('.test.ts') && titles.length === 0);

/** Problems with a row of the threat model's protections: `| protection | code | tests |`. */
function rowProblems(row: string): string[] {
  const [, , code = '', tests = ''] = row.split('|').map(cell => cell.trim());
  const places = code.split(', ').map(place => place.replaceAll('`', ''));
  const listed = new RegExp(`^${file}: ${titles}(?:; ${file}: ${titles})*$`);
  return [
    ...places.filter(place => !place || !existsSync(root + place)).map(place => `no code: ${place}`),
    ...(listed.test(tests) ? [] : [`no list of tests: ${tests}`]),
    ...problems(tests),
  ];
}

/** Problems with the evidence for a met requirement, which must be tests, or "by reading" followed by a file. */
function evidenceProblems(evidence: string): string[] {
  const isRead = new RegExp(`\\bby reading: ${file}`).test(evidence);
  return [
    ...(citesTest(evidence) || isRead ? [] : ['neither a test nor "by reading: `file`"']),
    ...untitled(evidence).map(({ file }) => `${file} is cited without a test`),
    ...problems(evidence),
  ];
}

describe('docs/asvs.md', () => {
  const document = read('docs/asvs.md');
  const statuses = ['met', 'partly', 'gap', 'n/a'];
  const rows = [...document.matchAll(/^\| (\d+\.\d+\.\d+) \| (.+?) \| (.+?) \| (.+?) \| (.+) \|$/gm)].map(
    ([, id, level, , status, evidence]) => ({
      id: id!,
      level: Number(level),
      status: status!,
      evidence: evidence!,
    }),
  );

  it('has every requirement of levels 1 and 2 once, with its level and a status', () => {
    expect(asvsLevels.size).toBe(253);
    expect(rows.map(({ id, level }) => [id, level])).toEqual([...asvsLevels]);
    expect(rows.filter(({ status }) => !statuses.includes(status))).toEqual([]);
  });

  it('counts its rows', () => {
    for (const status of statuses) {
      const of = (level: number) => rows.filter(row => row.status === status && row.level === level).length;
      const line = `| ${status} | ${of(1)} | ${of(2)} | ${of(1) + of(2)} |`;
      expect(document, line).toContain(`\n${line}\n`);
    }
    expect(document).toContain('\n| all | 70 | 183 | 253 |\n');
  });

  it('cites existing tests for met requirements, or declares them as read', () => {
    const met = rows.filter(({ status }) => status === 'met');
    const wrong = met.flatMap(({ id, evidence }) => evidenceProblems(evidence).map(text => `${id}: ${text}`));
    expect(wrong).toEqual([]);
    expect(problems(document)).toEqual([]);
  });

  it('counts requirements that were only read', () => {
    const count = rows.filter(({ status, evidence }) => status === 'met' && !citesTest(evidence)).length;
    expect(document.match(/\d+(?= of the requirements that are met)/)?.[0]).toBe(String(count));
  });
});

describe('docs/threat-model.md', () => {
  const document = read('docs/threat-model.md');

  it('names code and tests that exist', () => {
    expect(problems(document)).toEqual([]);
  });

  it('names code and a test for every protection', () => {
    const section = document.slice(document.indexOf('## Protections'), document.indexOf('## Accepted risks'));
    const rows = section.split('\n').filter(line => /^\| (?!protection )/.test(line));
    expect(rows.length).toBeGreaterThan(60);
    expect(rows.flatMap(rowProblems)).toEqual([]);
  });
});

describe('a citation', () => {
  const here = '`test/house/assurance.test.ts`: "counts its rows"';
  const code = '`test/house/files.test.ts`';

  it('is accepted if the test exists', () => {
    expect(
      rowProblems(`| protected | ${code} | ${here}, "counts requirements that were only read"; ${here} |`),
    ).toEqual([]);
    expect(evidenceProblems(here)).toEqual([]);
    expect(evidenceProblems('by reading: `biome.json`')).toEqual([]);
  });

  it.each([
    ['no test', '`nothing shows it`'],
    ['code instead of a test', code],
    ['words next to a test', `${here}, and others`],
    ['an unknown title', '`test/house/assurance.test.ts`: "no such test at all"'],
    ['an unknown second title', `${here}, "no such test at all"`],
    ['a part of a title', '`test/house/assurance.test.ts`: "counts its"'],
    ['a text that is not a title', '`test/house/assurance.test.ts`: "## Protections"'],
    ['a missing file', '`test/house/none.test.ts`: "x"'],
  ])('is refused as evidence of a protection: %s', (_what, tests) => {
    expect(rowProblems(`| protected | ${code} | ${tests} |`)).not.toEqual([]);
  });

  it.each([
    ['no code', '`nothing`'],
    ['missing code', '`src/none.ts`'],
  ])('is refused as the place of a protection: %s', (_what, place) => {
    expect(rowProblems(`| protected | ${place} | ${here} |`)).not.toEqual([]);
  });

  it('of a file alone is not evidence for a requirement', () => {
    expect(evidenceProblems('checked by a library: `biome.json`')).toHaveLength(1);
    expect(evidenceProblems(`${here}, "no such test at all"`)).toHaveLength(1);
  });
});
