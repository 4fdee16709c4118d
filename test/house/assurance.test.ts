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
    .filter(({ file, title }) => !upcoming.has(title ? `${file}: ${title}` : file))
    .map(problem)
    .filter(text => text !== undefined);

/** Cited ahead of the code: an entry is removed as soon as what it names exists. */
const upcoming = new Set<string>([
  'migrations/0014_last_line.sql',
  'src/dashboard/permits.test.ts: keeps an organization from taking what others need',
  'src/http/connection-caps.ts',
  'src/http/malformed-requests.ts',
  'src/http/management-server.ts',
  'src/http/parse-json.test.ts: refuses exactly what names a member twice, and reads the rest as JSON.parse does',
  'src/http/parse-json.ts',
  'src/http/transport-limits.ts',
  'src/storage/audit-heads.ts',
  'src/storage/column-rights.ts',
  'src/storage/lookups.ts',
  'src/surfaces/linear-time.test.ts: a page with one long part and many short ones',
  'src/surfaces/postgres/log-in.test.ts: gets nothing when it asks for the password %s',
  'src/surfaces/postgres/log-in.ts',
  'test/api/connection-caps.test.ts: refuses further connections of one address, and of nobody else',
  'test/api/hostile-bodies.test.ts: refuses a body that names a member twice, signed or not',
  'test/api/isolated-admission.test.ts: admits signed requests and stays ready while everything that the public can ask for waits',
  'test/api/isolated-admission.test.ts: answers what the guard cannot decide in time as failed, and goes on',
  'test/api/linear-schemas.test.ts: validates a body that is one hostile text within milliseconds',
  'test/api/malformed.test.ts: answers a body of the dashboard that breaks the framing',
  'test/api/malformed.test.ts: answers bytes that are not HTTP, and what follows a request, after its answer',
  'test/api/paths.test.ts: answers 404 to what is no spelling of a signed path',
  'test/api/paths.test.ts: does not start with a route that is on the wrong side',
  'test/api/signed-routes.test.ts: refuses every method, version and length of request that is not signed',
  'test/api/signed-routes.test.ts: refuses every spelling of its path that is not signed, with the same answer',
  'test/api/time-limits.test.ts: cuts a client that does not read its answer',
  'test/dashboard/browser/people.test.ts: refuses a passkey of an authenticator that may have a copy, or has not verified its user',
  'test/dashboard/oidc.test.ts: asks for the second factor as always',
  'test/dashboard/oidc.test.ts: is linked by nobody but who signs in to that account wholly',
  'test/dashboard/oidc.test.ts: takes who was asked again there, and is the person of the session',
  'test/dashboard/people.test.ts: is accepted by the person of its address alone, signed in wholly',
  'test/dashboard/sign-in.test.ts: keeps nobody waiting in a browser that has signed in before, which has guesses of its own',
  'test/dashboard/stolen-session.test.ts: goes on under another token after a step-up: a copy of before is worth nothing',
  'test/dashboard/stolen-session.test.ts: leads to nothing that lasts',
  'test/e2e/audit-anchors.test.ts: logs the heads of the chains when the service stops, and shows them to the operator',
  'test/e2e/management-port.test.ts: answers to addresses and names of its own only, so that no page can rebind a name to it',
  'test/e2e/management-port.test.ts: serves metrics on a port of their own, beside health, and a second service takes another',
  'test/house/linear-patterns.test.ts: has expressions that take linear time',
  'test/storage/privileges.test.ts: cannot read %s',
  'test/storage/privileges.test.ts: has the privileges that are written down, and no other',
  'test/storage/privileges.test.ts: refuses %s to the owner of the tables, too',
]);

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
