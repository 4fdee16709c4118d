import pg from 'pg';
import type { ConnectionSettings } from '../../src/database/connection.ts';
import { readMigrations } from '../../src/database/migrations.ts';
import { closeDatabase, ensureRoles } from '../../src/database/roles.ts';
import { asOwner } from './postgres.ts';

/** Migrates to the version before this one, as that program did. */
export async function migrateBefore(connection: ConnectionSettings, version: number): Promise<void> {
  const migrations = await readMigrations();
  if (!migrations.some(each => each.version === version)) throw new Error(`no migration ${version}`);
  await asOwner(connection, async client => {
    const roles = await ensureRoles(client, connection.database!);
    await closeDatabase(client, connection.database!, roles);
    await client.query(`create table schema_migrations
      (version int primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`);
    for (const migration of migrations.filter(each => each.version < version)) {
      const sql = migration.sql
        .replaceAll('{{app}}', pg.escapeIdentifier(roles.app.user))
        .replaceAll('{{system}}', pg.escapeIdentifier(roles.system.user));
      await client.query(sql);
      await client.query('insert into schema_migrations values ($1, $2, $3)', [
        migration.version,
        migration.name,
        migration.checksum,
      ]);
    }
  });
}

/** With its organization, to which the session is bound. */
export async function addSystem(client: pg.ClientBase, organization: string, system: string): Promise<void> {
  // Row-level security holds for the owner too.
  await client.query("select set_config('parapet.organization_id', $1, false)", [organization]);
  await client.query("insert into organizations (id, name) values ($1, 'O')", [organization]);
  await client.query(
    "insert into systems (organization_id, id, name, environment, kind) values ($1, $2, 'S', 'test', 'api')",
    [organization, system],
  );
}
