import pg from 'pg';

/**
 * Lets the owner read the rows of all organizations in its own sessions, for backups. Row-level security applies to an owner who is not a
 * superuser. It still hides rows from functions that run as the owner in a session of another role.
 */
export async function letOwnerRead(owner: pg.ClientBase): Promise<void> {
  const { rows } = await owner.query<{ name: string; who: string }>(
    `select c.relname as name, current_user::text as who from pg_class c
      where relnamespace = 'public'::regnamespace and relrowsecurity and not relispartition and not exists (
        select from pg_policy p where p.polrelid = c.oid and polname = 'owner_reads'
          and (select oid from pg_roles where rolname = current_user) = any (polroles))`,
  );
  for (const { name, who } of rows) {
    await owner.query(`
      drop policy if exists owner_reads on ${pg.escapeIdentifier(name)};
      create policy owner_reads on ${pg.escapeIdentifier(name)} for select to ${pg.escapeIdentifier(who)}
        using (session_user = current_user);
    `);
  }
}
