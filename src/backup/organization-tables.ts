import type pg from 'pg';

/** A table, or a leaf of a partitioned one, with rows of organizations. */
export interface OrganizationTable {
  readonly name: string;
  /** The partitioned table, or its own name. */
  readonly of: string;
  /** Columns of a unique index that begins with the organization, without it, and their types; none if there is no such index. */
  readonly key: readonly { readonly column: string; readonly type: string }[];
}

interface Found extends OrganizationTable {
  readonly needs: readonly string[];
}

/** All tables with rows of organizations, each before those that it refers to, as the database has them. */
export async function organizationTables(owner: pg.ClientBase): Promise<OrganizationTable[]> {
  const { rows } = await owner.query<Found>(
    `select c.relname as name, coalesce(pg_partition_root(c.oid)::regclass::text, c.relname) as of,
      coalesce((
        select json_agg(json_build_object('column', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by k.place)
        from unnest((
          select i.indkey::int2[] from pg_index i where i.indrelid = c.oid and i.indisunique and i.indpred is null
            and i.indkey[0] = o.attnum and 0 <> all (i.indkey::int2[])
            order by i.indisprimary desc, i.indexrelid limit 1
        )) with ordinality as k (attnum, place) join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
        where k.place > 1), '[]') as key,
      array(select distinct f.confrelid::regclass::text from pg_constraint f
        where f.conrelid in (c.oid, pg_partition_root(c.oid)) and f.contype = 'f') as needs
    from pg_class c join pg_attribute o on o.attrelid = c.oid and o.attname = 'organization_id' and not o.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`,
  );
  const ordered: Found[] = [];
  const add = (table: Found) => {
    if (ordered.includes(table)) return;
    const users = rows.filter(other => other.of !== table.of && other.needs.includes(table.of));
    users.forEach(add);
    ordered.push(table);
  };
  rows.forEach(add);
  return ordered.map(({ name, of, key }) => ({ name, of, key }));
}
