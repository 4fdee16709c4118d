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
  /** Programs run on after it if they have this migration: `-- oldest: 0055`, its first line. */
  readonly oldest: number | undefined;
}

const directory = installedFile('migrations/');

/** The names of this program's migrations with their ending, in order. */
async function migrationFiles(): Promise<string[]> {
  return (await readdir(directory)).filter(file => /^\d{4}_\w+\.sql$/.test(file)).sort();
}

/** The migrations of this program, in order. */
export async function readMigrations(): Promise<Migration[]> {
  return Promise.all(
    (await migrationFiles()).map(async file => {
      const sql = await readFile(new URL(file, directory), 'utf8');
      const checksum = createHash('sha256').update(sql).digest('hex');
      const oldest = Number(/^-- oldest: (\d{4})\n/.exec(sql)?.[1]) || undefined;
      return { version: versionOf(file), name: file.slice(0, -4), sql, checksum, oldest };
    }),
  );
}

const versionOf = (file: string) => Number(file.slice(0, 4));

let newestAtStart: Promise<number> | undefined;

/** The number of this program's newest migration, as it started: an upgrade replaces the files while it runs. */
export function newestMigration(): Promise<number> {
  newestAtStart ??= migrationFiles().then(files => versionOf(files.at(-1)!));
  return newestAtStart;
}

/** Whether Parapet was ever installed in the database. */
export async function hasInstallation(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select to_regclass('public.schema_migrations') is not null as exists`,
  );
  return rows[0]!.exists;
}

/** The database compared with the program. */
export interface MigrationState {
  /** The migrations that it lacks, in order. */
  readonly missing: readonly Migration[];
  /** Whether a newer program has migrated it, with which this one can run: it must change nothing. */
  readonly isNewer: boolean;
}

/**
 * Compares the database with this program. Throws `StorageError` if it is too new for the program, or if an applied migration differs from
 * the program's.
 */
export async function compareMigrations(owner: pg.ClientBase): Promise<MigrationState> {
  const migrations = await readMigrations();
  if (!(await hasInstallation(owner))) return { missing: migrations, isNewer: false };
  // Before migration 0058, the table lacks the column.
  const { rows: known } = await owner.query<{
    version: number;
    name: string;
    checksum: string;
    oldest: number | null;
  }>(
    `select version, name, checksum, (to_jsonb(m) ->> 'oldest')::int as oldest from schema_migrations m order by version`,
  );
  for (const row of known) {
    const mine = migrations.find(migration => migration.version === row.version);
    if (mine && mine.checksum !== row.checksum) {
      throw new StorageError(`Migration ${row.name} was applied with other content than this program has`);
    }
  }
  const missing = migrations.filter(migration => !known.some(row => row.version === migration.version));
  const newest = await newestMigration();
  const newer = known.find(row => row.version > newest);
  const oldest = Math.max(...known.map(row => row.oldest ?? Number.NEGATIVE_INFINITY));
  if (newer && (missing.length > 0 || oldest > newest)) {
    throw new StorageError(
      `The database is newer than this program: it has migration ${newer.name}. Start a newer Parapet.`,
    );
  }
  return { missing, isNewer: newer !== undefined };
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
  const missing = (await compareMigrations(owner)).missing.filter(({ version }) => version <= upTo);
  for (const { version, name, sql, checksum, oldest } of missing) {
    await owner.query(withRoles(sql, roles));
    await owner.query('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', [
      version,
      name,
      checksum,
    ]);
    if (oldest !== undefined) {
      await owner.query('update schema_migrations set oldest = $1 where version = $2', [oldest, version]);
    }
  }
  return missing.map(migration => migration.name);
}

function withRoles(sql: string, roles: Roles): string {
  return sql
    .replaceAll('{{app}}', pg.escapeIdentifier(roles.app.user))
    .replaceAll('{{system}}', pg.escapeIdentifier(roles.system.user));
}
