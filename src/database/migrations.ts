import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { installedFile } from '../domain/installed-file.ts';
import type { Roles } from './roles.ts';
import { StorageError } from './storage-error.ts';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

const directory = installedFile('migrations/');

/** The migrations of this program, in order. */
export async function readMigrations(): Promise<Migration[]> {
  const files = (await readdir(directory)).filter(file => /^\d{4}_\w+\.sql$/.test(file)).sort();
  return Promise.all(
    files.map(async file => {
      const sql = await readFile(new URL(file, directory), 'utf8');
      const checksum = createHash('sha256').update(sql).digest('hex');
      return { version: Number(file.slice(0, 4)), name: file.slice(0, -4), sql, checksum };
    }),
  );
}

/** Whether Parapet was ever installed in the database. */
export async function hasInstallation(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select to_regclass('public.schema_migrations') is not null as exists`,
  );
  return rows[0]!.exists;
}

/**
 * The migrations of this program that the database lacks, in order. Throws `StorageError` if the database is newer than the
 * program, or if an applied migration differs from the program's.
 */
export async function missingMigrations(owner: pg.ClientBase): Promise<Migration[]> {
  const migrations = await readMigrations();
  if (!(await hasInstallation(owner))) return migrations;
  const known = await owner.query<{ version: number; name: string; checksum: string }>(
    'select version, name, checksum from schema_migrations order by version',
  );
  for (const row of known.rows) {
    const mine = migrations.find(migration => migration.version === row.version);
    if (!mine) {
      throw new StorageError(
        `The database is newer than this program: it has migration ${row.name}. Start a newer Parapet.`,
      );
    }
    if (mine.checksum !== row.checksum) {
      throw new StorageError(`Migration ${row.name} was applied with other content than this program has`);
    }
  }
  return migrations.filter(migration => !known.rows.some(row => row.version === migration.version));
}

/**
 * Applies the missing migrations and returns their names, in order.
 *
 * @param upTo the version of the last one; default all
 */
export async function applyMissing(
  owner: pg.ClientBase,
  roles: Roles,
  upTo = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  await owner.query(`
    create table if not exists schema_migrations (
      version int primary key, name text not null, checksum text not null, applied_at timestamptz not null default now());
  `);
  const missing = (await missingMigrations(owner)).filter(migration => migration.version <= upTo);
  for (const { version, name, sql, checksum } of missing) {
    await owner.query(withRoles(sql, roles));
    await owner.query('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', [
      version,
      name,
      checksum,
    ]);
  }
  return missing.map(migration => migration.name);
}

function withRoles(sql: string, roles: Roles): string {
  return sql
    .replaceAll('{{app}}', pg.escapeIdentifier(roles.app.user))
    .replaceAll('{{system}}', pg.escapeIdentifier(roles.system.user));
}
