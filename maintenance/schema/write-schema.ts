import type pg from 'pg';
import { optionalInViews, words } from './words.ts';

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
  readonly hasDefault: boolean;
  readonly isGenerated: boolean;
  /** The check constraints of this column alone. */
  readonly checks: readonly string[];
}

/**
 * TypeScript types of the values that the driver returns, as configured in `database/connection.ts`, and
 * accepts, if those are more.
 */
const types: Readonly<Record<string, string>> = {
  bool: 'boolean',
  bytea: 'Buffer',
  _cidr: 'string[]',
  date: 'Date',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  _bool: 'boolean[]',
  _date: 'Date[]',
  _int2: 'number[]',
  _int4: 'number[]',
  _uuid: 'string[]',
  json: 'Json<unknown>',
  jsonb: 'Json<unknown>',
  text: 'string',
  _text: 'string[]',
  timestamptz: 'Timestamp',
  _timestamptz: 'Date[]',
  uuid: 'string',
};

/** The types of all tables and views, as TypeScript for kysely. */
export async function writeSchema(client: pg.ClientBase): Promise<string> {
  const columns = await readColumns(client);
  const tables = grouped(columns, ({ table }) => table);
  return `// Written by maintenance/write-schema.ts from the migrated database: \`npm run schema\`.

import type { ColumnType } from 'kysely';
${importsFor(columns)}
/** Has a default, which an insert may leave to the database. */
type Defaulted<T> =
  T extends ColumnType<infer Selected, infer Inserted, infer Updated>
    ? ColumnType<Selected, Inserted | undefined, Updated>
    : ColumnType<T, T | undefined, T>;
/** Is computed from the other columns. */
type Computed<T> = ColumnType<Selected<T>, never, never>;
type Selected<T> = T extends ColumnType<infer S, unknown, unknown> ? S : T;
/** Is read in the contract's form. */
type Timestamp = ColumnType<string, string | Date, string | Date>;
/** Is written as text. */
type Json<T> = ColumnType<T, string, string>;

${[...tables].map(([table, all]) => tableType(table, all)).join('\n')}
/** All tables and views of the database. */
export interface Schema {
${[...tables.keys()].map(table => `  ${table}: ${typeName(table)};\n`).join('')}}
`;
}

async function readColumns(client: pg.ClientBase): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `select c.relname as table, a.attname as name, t.typname as type,
      case c.relkind when 'v' then c.relname || '.' || a.attname = any($1) else not a.attnotnull end as "isNullable",
      a.atthasdef or a.attidentity <> '' as "hasDefault", a.attgenerated <> '' as "isGenerated",
      array(select pg_get_constraintdef(k.oid) from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]) as checks
    from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped
    order by c.relname collate "C", a.attname collate "C"`,
    [optionalInViews],
  );
  return rows;
}

function importsFor(columns: readonly Column[]): string {
  const used = columns.flatMap(column => words[keyOf(column)] ?? []);
  const files = grouped(used, ({ from: [, file] }) => file);
  const paths = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  return paths
    .map(([file, all]) => {
      const names = [...new Set(all.map(({ from: [name] }) => name))].sort();
      const line = `import type { ${names.join(', ')} } from '../contract/${file}';\n`;
      // As Biome formats it.
      return line.length <= 111
        ? line
        : line.replace('{ ', '{\n  ').replaceAll(', ', ',\n  ').replace(' }', ',\n}');
    })
    .join('');
}

function tableType(table: string, columns: readonly Column[]): string {
  const lines = columns.map(column => `  ${column.name}: ${columnType(column)};\n`);
  return `interface ${typeName(table)} {\n${lines.join('')}}\n`;
}

function columnType(column: Column): string {
  const base = wordsOf(column) ?? types[column.type];
  if (!base) throw new Error(`no type is known for ${column.type}, which ${keyOf(column)} has`);
  const whole = column.isNullable ? `${base} | null` : base;
  if (column.isGenerated) return `Computed<${whole}>`;
  return column.hasDefault ? `Defaulted<${whole}>` : whole;
}

/** The words of the column's type in the contract, or of its check constraint. */
function wordsOf(column: Column): string | undefined {
  const known = words[keyOf(column)]?.type;
  if (known !== undefined) return column.type === 'jsonb' ? `Json<${known}>` : known;
  for (const check of column.checks) {
    const [, list] = /^CHECK \(\(\w+ = ANY \(ARRAY\[(.*)\]\)\)\)$/.exec(check) ?? [];
    const listed = list?.split(', ').map(each => each.replace(/::\w+$/, ''));
    if (listed?.every(each => /^('\w+'|\d+)$/.test(each))) return listed.join(' | ');
  }
  return undefined;
}

function grouped<T>(all: readonly T[], keyOf: (each: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) groups.set(keyOf(each), [...(groups.get(keyOf(each)) ?? []), each]);
  return groups;
}

const keyOf = ({ table, name }: Column) => `${table}.${name}`;

const typeName = (table: string) =>
  table.replaceAll(/(^|_)(\w)/g, (_match, _dash: string, letter: string) => letter.toUpperCase());
