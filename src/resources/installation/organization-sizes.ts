import pg from 'pg';
import { tablesHiddenFromOwner } from '../../database/let-owner-read.ts';
import type { TableSize } from './table-sizes.ts';

/** Pages of a table that are read at most: 8 MB. A longer one is sampled, so that a big database is not read whole. */
const mostPages = 1_024;

/** Rows of a table, or of one organization in it. */
interface Rows {
  readonly rows: number;
  readonly bytes: number;
}

export interface CountedTable {
  readonly name: string;
  readonly rows: number;
  /** Whether the rows are estimated from a sample of the pages. */
  readonly sampled: boolean;
  /** By organization: its rows, and its share of the table’s bytes, by the sizes of its values. Empty for tables without organizations. */
  readonly organizations: ReadonlyMap<string, Rows>;
}

/** Whether this role can read the rows of all organizations, as the owner of the database can. */
export async function canReadAll(owner: pg.ClientBase): Promise<boolean> {
  return (await tablesHiddenFromOwner(owner)).length === 0;
}

/** Counts the rows of a table by organization. No value leaves the database, and no value out of line is read. */
export async function countTable(owner: pg.ClientBase, table: TableSize): Promise<CountedTable> {
  const percent = Math.min(100, (100 * mostPages) / Math.max(1, table.pages));
  const { rows: counted } = await owner.query<{ organization: string | null; rows: number; bytes: number }>(
    countStatement(table),
    [percent],
  );
  const scale = 100 / percent;
  const bytes = counted.reduce((sum, each) => sum + each.bytes, 0);
  const organizations = new Map<string, Rows>();
  for (const { organization, ...own } of counted) {
    if (organization === null) continue;
    organizations.set(organization, {
      rows: Math.round(own.rows * scale),
      bytes: Math.round((own.bytes / bytes) * table.bytes),
    });
  }
  const rows = Math.round(counted.reduce((sum, each) => sum + each.rows, 0) * scale);
  return { name: table.name, rows, sampled: percent < 100, organizations };
}

/** Bytes of a row besides its values: its header, and its place in the page. */
const rowBytes = 28;

/** A sample of 100% has every row. */
function countStatement({ name, columns }: TableSize): string {
  const organization = columns.includes('organization_id') ? 'organization_id' : 'null::uuid';
  const sizes = columns.map(column => `coalesce(pg_column_size(${pg.escapeIdentifier(column)}), 0)`);
  return `select ${organization} as organization, count(*)::float8 as rows,
    sum(${rowBytes} + ${sizes.join(' + ')})::float8 as bytes
    from ${pg.escapeIdentifier(name)} tablesample system ($1) group by 1`;
}
