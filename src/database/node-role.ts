import pg from 'pg';
import { StorageError } from './storage-error.ts';

/**
 * Lets another role than the owner's start nodes: they read the logins of the roles that serve. Throws `StorageError` if there is no such
 * role.
 */
export async function admitNode(owner: pg.ClientBase, role: string): Promise<void> {
  const { rowCount } = await owner.query('select from pg_roles where rolname = $1', [role]);
  if (!rowCount)
    throw new StorageError(`DATABASE_URL names the role ${role}, which PostgreSQL does not have`);
  const name = pg.escapeIdentifier(role);
  await owner.query(`
    do $$ begin execute format('grant connect on database %I to %I', current_database(), ${pg.escapeLiteral(role)}); end $$;
    grant usage on schema public to ${name};
    grant select on schema_migrations, releases, role_logins to ${name};
  `);
}
