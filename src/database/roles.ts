import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { scramVerifier } from './scram-verifier.ts';
import { settleRole } from './session-settings.ts';

/** A role with which Parapet's sessions log in. */
export interface RoleLogin {
  readonly user: string;
  readonly password: string;
}

/** `app` works for one organization at a time, `system` across all. Neither owns anything. */
export interface Roles {
  readonly app: RoleLogin;
  readonly system: RoleLogin;
}

/**
 * Creates the two roles of this database if they are missing and returns their logins. Roles belong to the
 * whole server, so their names include a hash of the database's; their passwords are random and stored in a
 * table that only the owner can read. Runs in the owner's migration transaction.
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

/** The logins that `ensureRoles` has stored, if there are any. */
export async function findRoles(node: pg.ClientBase, database: string): Promise<Roles | undefined> {
  const { rows } = await node.query<{ role: string; password: string }>(
    'select role, password from role_logins',
  );
  const login = (part: 'app' | 'system') => {
    const user = roleName(database, part);
    const row = rows.find(({ role }) => role === user);
    return row && { user, password: row.password };
  };
  const [app, system] = [login('app'), login('system')];
  return app && system && { app, system };
}

/** At most 63 bytes, to which PostgreSQL truncates names. */
function roleName(database: string, part: 'app' | 'system'): string {
  const stem =
    Buffer.byteLength(database) <= 50
      ? database
      : `parapet_${createHash('sha256').update(database).digest('hex').slice(0, 24)}`;
  return `${stem}_${part}`;
}

/**
 * Revokes what PostgreSQL allows every role in a database: temporary tables, which could shadow Parapet's,
 * and, in databases created before PostgreSQL 15, tables in the schema `public`. A restored dump would grant
 * both again, so this runs on each start.
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

/**
 * A role can change its own password and settings, so each start resets them. What PostgreSQL stores of the password stays the same:
 * a pooler that passes logins on would otherwise be refused with what it has cached.
 */
async function ensureRole(owner: pg.ClientBase, user: string): Promise<RoleLogin> {
  const name = pg.escapeIdentifier(user);
  const known = await owner.query<{ password: string }>('select password from role_logins where role = $1', [
    user,
  ]);
  const exists = await owner.query('select from pg_roles where rolname = $1', [user]);
  const password = known.rows[0]?.password ?? randomBytes(24).toString('base64url');
  if (!exists.rowCount) await owner.query(`create role ${name}`);
  const verifier = pg.escapeLiteral(scramVerifier(password));
  // Not `nocreatedb`, which is the default: since PostgreSQL 16, only a role that may create databases can say so.
  await owner.query(`alter role ${name} login password ${verifier}`);
  await settleRole(owner, user);
  await owner.query(
    'insert into role_logins values ($1, $2) on conflict (role) do update set password = excluded.password',
    [user, password],
  );
  return { user, password };
}
