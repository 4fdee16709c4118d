import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { migrate } from '../../../src/database/migrate.ts';
import { createDatabase, type TestDatabase } from '../../support/postgres.ts';
import { StatementCheck } from './check-statement.ts';
import { readCatalog } from './describe-statement.ts';
import { type Found, findStatements, loadProgram } from './find-statements.ts';
import { plantedBuilds, plantedTexts, soundTexts } from './planted.ts';

/** Interpolations of texts at run time. An empty list means that the text comes from elsewhere. */
const samples = {
  'src/database/tenant-store.ts: organizationId': ['00000000-0000-4000-8000-000000000000'],
  'src/database/replica.ts: organizationId': ['00000000-0000-4000-8000-000000000000'],
  'src/database/request-guard.ts: await oldestSlot(client)': ['0', '1', '2'],
  'src/database/people-store.ts: longestLockMs': ['2000'],
  // Statements of pg-boss, and the migrations, which the database has executed here.
  'src/database/jobs/job-queue.ts: text': [],
  "src/database/jobs/install.ts: plan.replace(/^\\s*BEGIN;([\\s\\S]*)COMMIT;\\s*$/, '$1')": [],
  "src/database/migrations.ts: sql .replaceAll('{{app}}', pg.escapeIdentifier(roles.app.user)) .replaceAll('{{system}}', pg.escapeIdentifier(roles.system.user))":
    [],
  // The columns of a table in the catalog: test/resources/sizes.test.ts executes the statement for every table.
  'src/resources/installation/organization-sizes.ts: sizes': [],
  // The key of a table in the catalog: test/e2e/deletion.test.ts executes the statement for every table with rows.
  'src/backup/delete-organization.ts: ...columns': [],
  'src/backup/delete-organization.ts: columns': [],
  'src/backup/delete-organization.ts: columns.map(column => `${column}::text`)': [],
  'src/backup/delete-organization.ts: key.map(({ type }, index) => `$${index + 3}::text::${type}`)': [],
  'src/backup/delete-organization.ts: pg.escapeIdentifier(name)': ['systems'],
  // The columns of a table: test/database/delete-completely.test.ts executes the statement for every exported table.
  'src/backup/export-organization.ts: columns.map(column => pg.escapeIdentifier(column))': [],
  'src/backup/export-organization.ts: pg.escapeLiteral(id)': ["'00000000-0000-4000-8000-000000000000'"],
};

/** Columns that are never null, for a reason outside their statement. */
const present = {
  'src/backup/export-organization.ts: more': 'a function that always returns a value',
  'src/backup/organization-tables.ts: key[].type': 'every column has a type',
  'src/database/replica.ts: isStandby': 'a function without parameters',
  'src/database/replica.ts: position': 'a primary has one, and that of a standby is coalesced',
  'src/database/replica.ts: cluster': 'every server has a control file',
  'src/database/replica.ts: timeline': 'every server has a control file',
  'src/resources/people/memberships.ts: name': 'a membership always has a person',
  'src/resources/audit-pack/history.ts: target': 'a scan has a system or a source',
  'src/resources/scans/scan-list.ts: target.id': 'a scan has a system or a source',
  'src/resources/scans/scan-list.ts: target.name': 'a scan has a system or a source',
};

const file = 'src/resources/planted.ts';
const head = `import { type Expression } from 'kysely';
import { db } from '../database/query-builder.ts';
import { prepared } from '../database/prepared.ts';
import type { TenantSession } from '../database/tenant-store.ts';
const undeclared = { text: 'select 1' };
const byId = prepared(({ id }: { readonly id: Expression<string> }) => db.selectFrom('systems').select('id').where('id', '=', id));
`;
const lines = [
  ...plantedTexts.map(([, statement]) => statement),
  ...soundTexts,
  ...plantedBuilds.map(([, statement]) => statement),
];
const planted = lines.map(
  (statement, index) =>
    `export const p${index} = (session: TenantSession, given: string) => session.${statement};\n`,
);
const lineOf = (index: number) => head.split('\n').length + index;

let database: TestDatabase;
let client: pg.Client;
let found: Found;
let check: StatementCheck;
let faults: ReadonlySet<number>;
/** By position. */
const problems = new Map<string, string[]>();
beforeAll(async () => {
  database = await createDatabase(inject('postgres'));
  await migrate(database.connection);
  client = new pg.Client(database.connection);
  await client.connect();
  const program = loadProgram({ [file]: head + planted.join('') });
  found = findStatements(program, samples);
  check = new StatementCheck(program, client, await readCatalog(client), present);
  for (const problem of found.problems) add(problem);
  for (const statement of found.statements) (await check.problemsOf(statement)).forEach(add);
  const source = program.getSourceFile(new URL(`../../../${file}`, import.meta.url).pathname)!;
  faults = new Set(
    program
      .getSemanticDiagnostics(source)
      .map(({ start }) => source.getLineAndCharacterOfPosition(start!).line + 1),
  );
  // The compiler may take long on a busy machine.
}, 600_000);
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

function add(problem: string): void {
  const [place] = problem.split(' ', 1) as [string];
  problems.set(place, [...(problems.get(place) ?? []), problem]);
}

describe('statements as text', () => {
  it('match their description by the migrated database', () => {
    expect(found.statements.length).toBeGreaterThan(150);
    const ours = [...problems].filter(([place]) => !place.startsWith(`${file}:`));
    expect(ours.flatMap(([, said]) => said)).toEqual([]);
  });

  it('use every exception', () => {
    expect([...found.sampled].sort()).toEqual(Object.keys(samples).sort());
    expect([...check.needed].sort()).toEqual(Object.keys(present).sort());
  });

  it.each(plantedTexts.map(([fault, , said], index) => [fault, said, index] as const))(
    'are refused for %s',
    (_, said, index) => {
      expect((problems.get(`${file}:${lineOf(index)}`) ?? []).join('\n')).toMatch(said);
    },
  );

  it.each(soundTexts.map((text, index) => [text, plantedTexts.length + index] as const))(
    'may be %s',
    (_, index) => {
      expect(problems.get(`${file}:${lineOf(index)}`)).toBeUndefined();
      expect(faults.has(lineOf(index))).toBe(false);
    },
  );
});

describe('built statements', () => {
  it.each(
    plantedBuilds.map(([fault], index) => [fault, plantedTexts.length + soundTexts.length + index] as const),
  )('are refused for %s', (_, index) => {
    expect(faults.has(lineOf(index))).toBe(true);
  });
});
