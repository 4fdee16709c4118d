import { parse } from 'libpg-query';
import { expect, it } from 'vitest';
import released from '../../maintenance/last-release.json' with { type: 'json' };
import { type Migration, readMigrations } from '../../src/database/migrations.ts';

/** A node of libpg-query’s tree: one key that names its kind. */
type Node = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const lastReleased = Number(released.migration.slice(0, 4));
const migrations = await readMigrations();
const unreleased = migrations.filter(({ version }) => version > lastReleased);

/** What a change of an existing table does to a program that does not know it: nothing, or it says what ends. */
const harmlessOfTables = new Set([
  'AT_DropNotNull',
  'AT_ValidateConstraint',
  'AT_EnableRowSecurity',
  'AT_ForceRowSecurity',
  'AT_NoForceRowSecurity',
  'AT_AttachPartition',
  'AT_SetStatistics',
  'AT_SetRelOptions',
]);
const harmless = new Set([
  'CreateStmt',
  'CreateFunctionStmt',
  'CreateTrigStmt',
  'CreatePolicyStmt',
  'CommentStmt',
  'GrantStmt',
  'IndexStmt',
  'InsertStmt',
  'UpdateStmt',
  'SelectStmt',
  'CreateSeqStmt',
]);

/** Statements of a migration after which the release before may fail. */
async function contractions(sql: string): Promise<string[]> {
  const { stmts = [] } = await parse(sql.replace(/\{\{\w+\}\}/g, 'service_role'));
  const made = new Set<unknown>();
  return stmts.flatMap(({ stmt }) => {
    const [kind, node] = Object.entries(stmt as unknown as Node)[0]!;
    const relation = (node.relation as { relname?: string } | undefined)?.relname;
    if (kind === 'CreateStmt') made.add(relation);
    // Nothing of the release before uses a table that this migration makes.
    if (relation !== undefined && made.has(relation)) return [];
    if (kind === 'AlterTableStmt') return (node.cmds as Node[]).flatMap(each => tableChange(each, relation));
    if (kind === 'GrantStmt' && node.is_grant !== true) return ['revoke'];
    if (kind === 'CreateTrigStmt') return [`trigger on ${relation}`];
    if (kind === 'IndexStmt' && node.unique) return [`unique index on ${relation}`];
    if (kind === 'InsertStmt' && relation === 'schema_migrations') return ['schema_migrations'];
    return harmless.has(kind) ? [] : [kind];
  });
}

function tableChange(change: Node, table: string | undefined): string[] {
  const command = change.AlterTableCmd!;
  const subtype = String(command.subtype);
  if (harmlessOfTables.has(subtype)) return [];
  if (subtype !== 'AT_AddColumn') return [`${subtype} of ${table}`];
  const { constraints = [] } = (command.def as Node).ColumnDef as { constraints?: Node[] };
  const kinds = constraints.map(each => String(each.Constraint!.contype));
  const isRequired = kinds.includes('CONSTR_NOTNULL') && !kinds.includes('CONSTR_DEFAULT');
  return isRequired ? [`a column of ${table} that older programs do not supply`] : [];
}

it('has migrations of the last release, unchanged', () => {
  expect(migrations.map(({ name }) => name)).toContain(released.migration);
});

it('keeps the last release running: a migration that ends what it needs says since when nothing needs it', async () => {
  const ended: [string, string[]][] = [];
  for (const { name, sql, oldest } of unreleased) {
    const found = await contractions(sql);
    if (found.length > 0 && oldest === undefined) ended.push([name, found]);
  }
  expect(ended).toEqual([]);
});

it('names only migrations that the last release has', () => {
  const named = unreleased.filter(
    (migration): migration is Migration & { oldest: number } => migration.oldest !== undefined,
  );
  expect(named.filter(({ oldest }) => oldest > lastReleased)).toEqual([]);
});

it.each([
  ['drop table t', ['DropStmt']],
  ['drop function f', ['DropStmt']],
  ['alter table t drop column c', ['AT_DropColumn of t']],
  ['alter table t rename column c to d', ['RenameStmt']],
  ['alter table t rename to u', ['RenameStmt']],
  ['alter table t alter column c type bigint', ['AT_AlterColumnType of t']],
  ['alter table t alter column c set not null', ['AT_SetNotNull of t']],
  ['alter table t add column c int not null', ['a column of t that older programs do not supply']],
  ['alter table t add constraint c check (d > 0)', ['AT_AddConstraint of t']],
  ['create unique index on t (c)', ['unique index on t']],
  ['create trigger g after insert on t execute function f()', ['trigger on t']],
  ['revoke select on t from {{app}}', ['revoke']],
  ['delete from t', ['DeleteStmt']],
  ['truncate t', ['TruncateStmt']],
  ['do $$ begin end $$', ['DoStmt']],
  ['alter table t add column c int not null default 0', []],
  ['alter table t add column c int check (c > 0)', []],
  ['create table n (c int); create unique index on n (c); alter table n alter column c set not null', []],
  ['create index on t (c); grant select on t to {{app}}', []],
])('finds in %s: %j', async (sql, found) => {
  expect(await contractions(sql)).toEqual(found);
});
