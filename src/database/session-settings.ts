import pg from 'pg';

/**
 * Settings of every session. They override the defaults of server and database, so that an `alter database … set` cannot
 * change the meaning of statements or the durability of commits.
 */
export const sessionSettings: Readonly<Record<string, string>> = {
  // Transactions lock first and read afterwards, which requires a new snapshot for each statement.
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  default_transaction_deferrable: 'off',
  // Responses are sent after the write is on disk, and on the synchronous standby if there is one.
  synchronous_commit: 'on',
  search_path: 'public, pg_temp',
  row_security: 'on',
  check_function_bodies: 'on',
  statement_timeout: '30s',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '1min',
  idle_session_timeout: '0',
  // Output and input formats of values.
  TimeZone: 'UTC',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  // Random reads cost little more than sequential ones in memory or on SSDs. PostgreSQL's default is for
  // spinning disks, and would make lists scan whole tables although an index is sufficient.
  random_page_cost: '1.1',
  // With one process per query, shares of connections are shares of CPUs.
  max_parallel_workers_per_gather: '0',
};

/** Without an organization, row-level security returns no rows. Only startup options can set it for a session. */
const noOrganization = { 'parapet.organization_id': '' };

/** The `options` of a startup message, which override the settings of the role too. */
export const startupOptions = Object.entries({ ...sessionSettings, ...noOrganization })
  .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
  .join(' ');

/** Where no startup options arrive, this is null instead of empty. */
export const arrivedOptions = `current_setting('parapet.organization_id', true) is not null`;

/**
 * Makes the settings those of the current transaction, except the time limit, since migrations may take long.
 *
 * @param changes of the settings
 */
export async function settleTransaction(
  client: pg.ClientBase,
  changes: Readonly<Record<string, string>> = {},
): Promise<void> {
  await client.query('select set_config(key, value, true) from jsonb_each_text($1)', [
    JSON.stringify({ ...sessionSettings, statement_timeout: '0', ...changes }),
  ]);
}

/** Makes the settings those of a role in this database, for sessions behind a pooler, which get no startup options. */
export async function settleRole(owner: pg.ClientBase, role: string): Promise<void> {
  const body = `
declare
  target text := format('role %I in database %I', ${pg.escapeLiteral(role)}, current_database());
  setting record;
begin
  execute format('alter role %I reset all', ${pg.escapeLiteral(role)});
  execute format('alter %s reset all', target);
  for setting in select * from json_each_text(${pg.escapeLiteral(JSON.stringify(sessionSettings))}) loop
    execute format('alter %s set %I to %s', target, setting.key,
      -- A list in quotes would be the name of one schema.
      case when setting.key = 'search_path' then setting.value else quote_literal(setting.value) end);
  end loop;
end`;
  await owner.query(`do ${pg.escapeLiteral(body)}`);
}
