import type pg from 'pg';

/** The privileges of both roles by object: `select insert update(name kind)`, without objects that have none. */
export interface Privileges {
  readonly app: Readonly<Record<string, string>>;
  readonly system: Readonly<Record<string, string>>;
}

/**
 * Reads the privileges of a role on every relation, routine, sequence and schema, and on the database, from the
 * catalog.
 */
export async function readPrivileges(owner: pg.ClientBase, role: string): Promise<Record<string, string>> {
  const { rows } = await owner.query<{ name: string; privileges: string }>(
    `with relation as (
        select c.oid, n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname in ('public', 'pgboss') and c.relkind in ('r', 'p', 'v', 'm', 'f')
      ), privilege as (
        select * from unnest(array['select', 'insert', 'update', 'references']) with ordinality as p (privilege, place)
      ), granted as (
        select name, place, case when has_table_privilege($1, oid, privilege) then privilege else
          (select privilege || '(' || string_agg(attname, ' ' order by attnum) || ')' from pg_attribute a
            where a.attrelid = oid and attnum > 0 and not attisdropped and has_column_privilege($1, oid, attnum, privilege))
          end as privilege from relation, privilege
        union all
        select name, 10 + place, privilege from relation,
          unnest(array['delete', 'truncate', 'trigger']) with ordinality as p (privilege, place)
          where has_table_privilege($1, oid, privilege)
        union all
        select 'schema ' || nspname, place, privilege from pg_namespace,
          unnest(array['usage', 'create']) with ordinality as p (privilege, place)
          where nspname !~ '^(pg_|information_schema)' and has_schema_privilege($1, oid, privilege)
        union all
        select 'database', place, privilege from
          unnest(array['connect', 'create', 'temporary']) with ordinality as p (privilege, place)
          where has_database_privilege($1, current_database(), privilege)
        union all
        select n.nspname || '.' || proname || '()', 0, 'execute' from pg_proc p join pg_namespace n on n.oid = p.pronamespace
          where n.nspname = 'public' and has_function_privilege($1, p.oid, 'execute')
        union all
        select n.nspname || '.' || relname, place, privilege from pg_class c join pg_namespace n on n.oid = relnamespace,
          unnest(array['usage', 'select', 'update']) with ordinality as p (privilege, place)
          where relkind = 'S' and n.nspname in ('public', 'pgboss') and has_sequence_privilege($1, c.oid, privilege)
      )
      select name, string_agg(privilege, ' ' order by place) as privileges from granted where privilege is not null
      group by name order by name`,
    [role],
  );
  // pg-boss creates a partition for each day.
  return Object.fromEntries(
    rows.map(({ name, privileges }) => [name.replace(/_\d{8}$/, '_DAY'), privileges]),
  );
}
