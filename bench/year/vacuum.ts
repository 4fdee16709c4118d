import type pg from 'pg';

/** As PostgreSQL decides it, with the settings of the server and of each table. */
const due = `
  select s.relid::regclass::text as name from pg_stat_user_tables s join pg_class c on c.oid = s.relid,
    lateral (select coalesce(
      (select option_value::float8 from pg_options_to_table(c.reloptions) where option_name = 'autovacuum_vacuum_scale_factor'),
      current_setting('autovacuum_vacuum_scale_factor')::float8) as scale) as o
  where n_dead_tup > current_setting('autovacuum_vacuum_threshold')::int + scale * greatest(c.reltuples, 0)
    or n_ins_since_vacuum > current_setting('autovacuum_vacuum_insert_threshold')::int
      + current_setting('autovacuum_vacuum_insert_scale_factor')::float8 * greatest(c.reltuples, 0)`;

/** Vacuums and analyzes the tables that autovacuum would: an hour of the simulation is too short for it to notice. */
export async function vacuumWhatIsDue(owner: pg.Client): Promise<void> {
  await owner.query('select pg_stat_force_next_flush()');
  const { rows } = await owner.query<{ name: string }>(due);
  for (const { name } of rows) await owner.query(`vacuum (analyze) ${name}`);
}
