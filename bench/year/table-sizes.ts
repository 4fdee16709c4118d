import type pg from 'pg';

/** What a table takes, with its partitions, in bytes. */
export interface TableSize {
  readonly name: string;
  readonly rows: number;
  readonly heap: number;
  readonly indexes: number;
  /** Long values, with their index. */
  readonly toast: number;
}

export const bytesOf = ({ heap, indexes, toast }: TableSize) => heap + indexes + toast;

/** Exact sizes and rows of all tables, those of the job queue included. */
export async function readTableSizes(owner: pg.Client): Promise<TableSize[]> {
  const { rows: tables } = await owner.query<Omit<TableSize, 'rows'>>(
    `select root::regclass::text as name, sum(pg_relation_size(oid))::int8::float8 as heap,
        sum(pg_indexes_size(oid))::int8::float8 as indexes,
        sum(case when reltoastrelid <> 0 then pg_total_relation_size(reltoastrelid) else 0 end)::int8::float8 as toast
      from (select c.*, coalesce(pg_partition_root(c.oid), c.oid) as root from pg_class c
        where relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace) and relkind in ('r', 'p')) as each
      group by root order by 1`,
  );
  const sizes: TableSize[] = [];
  for (const table of tables) {
    const { rows } = await owner.query<{ n: number }>(`select count(*)::int as n from ${table.name}`);
    sizes.push({ ...table, rows: rows[0]!.n });
  }
  return sizes;
}
