import { connectOwner } from '../../database/connect-owner.ts';
import type { ConnectionSettings } from '../../database/connection.ts';
import { type CountedTable, canReadAll, countTable } from './organization-sizes.ts';
import { type DatabaseSize, readDatabaseSize, type TableSize } from './table-sizes.ts';

/** Estimated: see `countTable`. */
export interface OrganizationSize {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  readonly rows: number;
  /** Biggest first. */
  readonly tables: readonly { readonly name: string; readonly bytes: number; readonly rows: number }[];
}

export interface Sizes extends Omit<DatabaseSize, 'tables'> {
  readonly tables: readonly (TableSize & Partial<Pick<CountedTable, 'rows' | 'sampled'>>)[];
  /** Biggest first; undefined if this role may not read the rows of all organizations. */
  readonly organizations: readonly OrganizationSize[] | undefined;
}

/**
 * What takes space in the database, and whose it is. Reads at most 8 MB of each table.
 *
 * @param connection of the owner, or of a role of nodes, which learns nothing about organizations
 */
export async function measureSizes(connection: ConnectionSettings): Promise<Sizes> {
  const owner = await connectOwner(connection, 'parapet-sizes');
  try {
    const size = await readDatabaseSize(owner);
    if (!(await canReadAll(owner))) return { ...size, organizations: undefined };
    const counted: CountedTable[] = [];
    for (const table of size.tables) counted.push(await countTable(owner, table));
    const { rows: names } = await owner.query<{ id: string; name: string }>(
      'select id, name from organizations',
    );
    return {
      ...size,
      tables: size.tables.map((table, index) => {
        const { rows, sampled } = counted[index]!;
        return { ...table, rows, sampled };
      }),
      organizations: names.map(organization => sizeOf(organization, counted)).sort(biggestFirst),
    };
  } finally {
    await owner.end();
  }
}

function sizeOf(
  { id, name }: { readonly id: string; readonly name: string },
  counted: readonly CountedTable[],
): OrganizationSize {
  const tables = counted
    .flatMap(table => {
      const own = table.organizations.get(id);
      return own ? [{ name: table.name, ...own }] : [];
    })
    .sort(biggestFirst);
  const total = (key: 'bytes' | 'rows') => tables.reduce((sum, each) => sum + each[key], 0);
  return { id, name, bytes: total('bytes'), rows: total('rows'), tables };
}

const biggestFirst = (a: { readonly bytes: number }, b: { readonly bytes: number }) => b.bytes - a.bytes;
