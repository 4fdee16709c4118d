import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { asvsLevels } from '../support/asvs-5.0-identifiers.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string) => readFileSync(root + file, 'utf8');

interface Citation {
  readonly file: string;
  /** Of a test in the file; undefined where the file itself is the evidence. */
  readonly title: string | undefined;
}

function citations(text: string): Citation[] {
  const found = text.matchAll(/`((?:[\w.-]+\/)*[\w.-]+\.(?:tsx?|sql|json|md))`(?:: "([^"]+)")?/g);
  return [...found].map(([, file, title]) => ({ file: file!, title }));
}

/** What is wrong with a citation; undefined where it is right. */
function problem({ file, title }: Citation): string | undefined {
  if (!existsSync(root + file)) return `${file} does not exist`;
  const quoted = ["'", '"', '`'].some(quote => title && read(file).includes(quote + title));
  return title && !quoted ? `${file} has no test "${title}"` : undefined;
}

const problems = (text: string) =>
  citations(text)
    .map(problem)
    .filter(text => text !== undefined);

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

  it('shows what is met by tests and files that exist', () => {
    const met = rows.filter(({ status }) => status === 'met');
    for (const { id, evidence } of met) {
      const cited = citations(evidence);
      expect(cited.length, id).toBeGreaterThan(0);
      expect(
        cited.filter(({ file, title }) => file.endsWith('.test.ts') && !title),
        id,
      ).toEqual([]);
    }
    expect(problems(document)).toEqual([]);
  });
});

describe('docs/threat-model.md', () => {
  const document = read('docs/threat-model.md');
  const rows = [...document.matchAll(/^\| (.+) \| (`[^|]+) \| (`[^|]+) \|$/gm)];

  it('names code and tests that exist', () => {
    expect(problems(document)).toEqual([]);
  });

  it('names code and a test for every protection', () => {
    const section = document.slice(document.indexOf('## Protections'), document.indexOf('## Accepted risks'));
    const lines = section.split('\n').filter(line => /^\| (?!protection )/.test(line));
    expect(rows).toHaveLength(lines.length);
    expect(lines.length).toBeGreaterThan(60);
    for (const [, , code, tests] of rows) {
      expect(
        citations(tests!).every(({ title }) => title),
        tests,
      ).toBe(true);
      expect(citations(tests!).length + citations(code!).length, tests).toBeGreaterThan(0);
    }
  });
});

it('notices a citation of what is not there', () => {
  const text = '`test/house/none.test.ts`: "x", `test/house/files.test.ts`: "no such test", `src/none.ts`';
  expect(problems(text)).toHaveLength(3);
});
