import pg from 'pg';

/** The policy of a table with which its owner reads all rows. */
const policy = 'owner_reads';

/** Tables whose rows row-level security hides from the current role, as from an owner who is not a superuser. */
export async function tablesHiddenFromOwner(owner: pg.ClientBase): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_roles r on r.rolname = current_user
      where relnamespace = 'public'::regnamespace and relrowsecurity and not relispartition
        and not rolsuper and not rolbypassrls
        and not exists (select from pg_policy p where p.polrelid = c.oid and polname = $1 and r.oid = any (polroles))`,
    [policy],
  );
  return rows.map(({ name }) => name);
}

/**
 * Lets the owner read the rows of all organizations in its own sessions, for backups. Row-level security still hides rows from functions
 * that run as the owner in a session of another role.
 */
export async function letOwnerRead(owner: pg.ClientBase): Promise<void> {
  for (const name of await tablesHiddenFromOwner(owner)) {
    await owner.query(`
      drop policy if exists owner_reads on ${pg.escapeIdentifier(name)};
      create policy owner_reads on ${pg.escapeIdentifier(name)} for select to current_user
        using (session_user = current_user);
    `);
  }
}
