import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';

/** A role that Parapet's own sessions log in as. */
interface RoleLogin {
  readonly user: string;
  readonly password: string;
}

/** `app` works for one organization at a time, `system` looks across. Neither owns anything. */
export interface Roles {
  readonly app: RoleLogin;
  readonly system: RoleLogin;
}

/**
 * Makes the two roles of this database where they are missing and gives their log-ins. Roles belong to the whole
 * server, so their names carry the database's; their passwords are random and lie in a table that only the owner can
 * read. Runs inside the owner's migration transaction.
 */
export async function ensureRoles(owner: pg.ClientBase, database: string): Promise<Roles> {
  await owner.query(`
    create table if not exists role_logins (role text primary key, password text not null);
    revoke all on role_logins from public;
  `);
  const app = await ensureRole(owner, roleName(database, 'app'));
  const system = await ensureRole(owner, roleName(database, 'system'));
  return { app, system };
}

/** At most the 63 bytes that PostgreSQL keeps of a name. */
function roleName(database: string, part: 'app' | 'system'): string {
  const stem =
    Buffer.byteLength(database) <= 50
      ? database
      : `parapet_${createHash('sha256').update(database).digest('hex').slice(0, 24)}`;
  return `${stem}_${part}`;
}

async function ensureRole(owner: pg.ClientBase, user: string): Promise<RoleLogin> {
  const name = pg.escapeIdentifier(user);
  const known = await owner.query<{ password: string }>('select password from role_logins where role = $1', [
    user,
  ]);
  const exists = await owner.query('select from pg_roles where rolname = $1', [user]);
  const stored = known.rows[0]?.password;
  if (stored && exists.rowCount) return { user, password: stored };
  const password = stored ?? randomBytes(24).toString('base64url');
  await owner.query(
    `${exists.rowCount ? 'alter' : 'create'} role ${name} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password ${pg.escapeLiteral(password)}`,
  );
  await owner.query(
    'insert into role_logins values ($1, $2) on conflict (role) do update set password = excluded.password',
    [user, password],
  );
  return { user, password };
}
