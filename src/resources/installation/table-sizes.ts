import type pg from 'pg';
import { jobSchema } from '../../database/jobs/queues.ts';

/** What a table takes on disk, with its indexes, its TOAST table and its partitions. */
export interface TableSize {
  readonly name: string;
  readonly bytes: number;
  readonly indexBytes: number;
  /** 8 KB pages of its rows, without indexes and TOAST. */
  readonly pages: number;
  readonly columns: readonly string[];
}

export interface DatabaseSize {
  /** Of the whole database. */
  readonly bytes: number;
  /** Of the job queue. */
  readonly jobBytes: number;
  /** Of the server’s write-ahead log, which is not part of the database; null if this role may not read it. */
  readonly walBytes: number | null;
  /** Biggest first. */
  readonly tables: readonly TableSize[];
}

/** Reads sizes from the file system of the server. It reads no rows, and waits for no writer. */
export async function readDatabaseSize(owner: pg.ClientBase): Promise<DatabaseSize> {
  const { rows: whole } = await owner.query<{ bytes: number; jobs: number; may: boolean }>({
    text: `select coalesce(pg_database_size(current_database()), 0) as bytes,
      (select coalesce(sum(pg_total_relation_size(oid)), 0)::int8 from pg_class
        where relnamespace = to_regnamespace($1) and relkind in ('r', 'p')) as jobs,
      coalesce(has_function_privilege('pg_ls_waldir()', 'execute'), false) as may`,
    values: [jobSchema],
  });
  // A partition that is dropped meanwhile has no size.
  const { rows: tables } = await owner.query<TableSize>(
    `select root.relname as name, sizes.bytes, sizes.index_bytes as "indexBytes", sizes.pages,
      array(select attname::text from pg_attribute where attrelid = root.oid and attnum > 0 and not attisdropped
        order by attnum) as columns
    from (select coalesce(pg_partition_root(oid), oid) as root, coalesce(sum(pg_total_relation_size(oid)), 0)::int8 as bytes,
        coalesce(sum(pg_indexes_size(oid)), 0)::int8 as index_bytes,
        coalesce(sum(pg_relation_size(oid)) / current_setting('block_size')::int, 0)::float8 as pages
      from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') group by 1) as sizes
    join pg_class root on root.oid = sizes.root
    order by sizes.bytes desc, root.relname`,
  );
  const { bytes, jobs: jobBytes, may } = whole[0]!;
  return { bytes, jobBytes, walBytes: may ? await readWalSize(owner) : null, tables };
}

async function readWalSize(owner: pg.ClientBase): Promise<number> {
  const { rows } = await owner.query<{ bytes: number }>(
    'select coalesce(sum(size), 0)::int8 as bytes from pg_ls_waldir()',
  );
  return rows[0]!.bytes;
}
