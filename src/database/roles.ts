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
  const app = await ensureRole(owner, roleName(database, 'app'), database);
  const system = await ensureRole(owner, roleName(database, 'system'), database);
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

/**
 * Takes away what PostgreSQL lets every role do in a database: temporary tables, which could stand in for ours, and, in
 * databases made before PostgreSQL 15, tables in the schema `public`. A restored dump would bring both back, so this runs
 * at each start.
 */
export async function closeDatabase(owner: pg.ClientBase, database: string, roles: Roles): Promise<void> {
  const name = pg.escapeIdentifier(database);
  const both = [roles.app.user, roles.system.user].map(role => pg.escapeIdentifier(role)).join(', ');
  await owner.query(`
    revoke create, temporary on database ${name} from public, ${both};
    grant connect on database ${name} to ${both};
    revoke create on schema public from public, ${both};
    grant usage on schema public to ${both};
  `);
}

/** A role can change its own password and settings: each start sets them back. */
async function ensureRole(owner: pg.ClientBase, user: string, database: string): Promise<RoleLogin> {
  const name = pg.escapeIdentifier(user);
  const known = await owner.query<{ password: string }>('select password from role_logins where role = $1', [
    user,
  ]);
  const exists = await owner.query('select from pg_roles where rolname = $1', [user]);
  const password = known.rows[0]?.password ?? randomBytes(24).toString('base64url');
  if (!exists.rowCount) await owner.query(`create role ${name}`);
  await owner.query(`
    alter role ${name} login nocreatedb nocreaterole password ${pg.escapeLiteral(password)};
    alter role ${name} reset all;
    alter role ${name} in database ${pg.escapeIdentifier(database)} reset all;
  `);
  await owner.query(
    'insert into role_logins values ($1, $2) on conflict (role) do update set password = excluded.password',
    [user, password],
  );
  return { user, password };
}
