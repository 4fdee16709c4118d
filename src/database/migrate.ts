import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { installedFile } from '../domain/installed-file.ts';
import { restrictColumns } from './column-rights.ts';
import { type ConnectionSettings, sessionOptions } from './connection.ts';
import { installJobs } from './jobs/install.ts';
import { closeDatabase, ensureRoles, type Roles } from './roles.ts';
import { StorageError } from './storage-error.ts';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

export interface MigrationResult {
  readonly roles: Roles;
  /** Names of the migrations applied by this call, in order. */
  readonly applied: readonly string[];
}

const directory = installedFile('migrations/');
/** One lock for all nodes: 'PRPT' as a number, unique among Parapet's locks. */
const migrationLock = 1347571796;
const oldestServer = 150000;

/**
 * Migrates the schema to this program's version and returns the logins of its roles. All migrations run in
 * one transaction, so that a killed one has no effect; a lock serializes nodes that start together. Throws
 * `StorageError` if the server is older than PostgreSQL 15 or disables triggers by default, if the database
 * is newer than the program, or if an applied migration differs from the program's.
 *
 * @param mayChange whether it may apply migrations, which end what nodes of another version can do; otherwise a missing one throws
 */
export async function migrate(connection: ConnectionSettings, mayChange = true): Promise<MigrationResult> {
  const owner = new pg.Client({
    ...sessionOptions(connection, 'parapet-migrate'),
    pipeline: false,
  } as pg.ClientConfig);
  // Without a listener, losing the connection between two statements would end the process. The next statement rejects.
  owner.on('error', () => {});
  try {
    await owner.connect();
  } catch (error) {
    throw new StorageError(
      `The database cannot be used: ${(error as Error).message || (error as { code?: string }).code}`,
    );
  }
  try {
    await owner.query('set statement_timeout = 0');
    await assertServer(owner);
    await owner.query('select pg_advisory_lock($1)', [migrationLock]);
    const result = await migrateAtOnce(owner, mayChange);
    // Uses its own transactions, and can be repeated.
    await installJobs(owner, result.roles);
    return result;
  } catch (error) {
    if ((error as { code?: string }).code === '42501') {
      throw new StorageError(
        `The role of DATABASE_URL lacks a privilege that migrations need (it must own the database and may create roles): ${(error as Error).message}`,
      );
    }
    throw error;
  } finally {
    await owner.end();
  }
}

/** Attempts. Each can meet another statement of a running node that also waits for the migration. */
const mostDeadlocks = 20;

/** Migrates in one transaction, and again after a deadlock: nodes of the version before use the tables until then. */
async function migrateAtOnce(owner: pg.Client, mayChange: boolean, attempt = 1): Promise<MigrationResult> {
  await owner.query('begin');
  try {
    const database = (await owner.query<{ name: string }>('select current_database() as name')).rows[0]!.name;
    const roles = await ensureRoles(owner, database);
    await closeDatabase(owner, database, roles);
    const applied = await applyMissing(owner, await readMigrations(), roles, mayChange);
    await restrictColumns(owner, roles);
    await owner.query('commit');
    return { roles, applied };
  } catch (error) {
    if ((error as { code?: string }).code !== '40P01' || attempt === mostDeadlocks) throw error;
    await owner.query('rollback');
    return migrateAtOnce(owner, mayChange, attempt + 1);
  }
}

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

async function assertServer(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ number: string; text: string; replicationRole: string }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as text,
      current_setting('session_replication_role') as "replicationRole"`,
  );
  if (Number(rows[0]!.number) < oldestServer) {
    throw new StorageError(`Parapet needs PostgreSQL 15 or newer; this server is ${rows[0]!.text}`);
  }
  if (rows[0]!.replicationRole === 'replica') {
    throw new StorageError(
      'session_replication_role is "replica" by default here, which disables triggers and foreign keys: reset it for the database and its roles',
    );
  }
}

async function applyMissing(
  owner: pg.Client,
  migrations: Migration[],
  roles: Roles,
  mayChange: boolean,
): Promise<string[]> {
  await owner.query(`
    create table if not exists schema_migrations (
      version int primary key, name text not null, checksum text not null, applied_at timestamptz not null default now());
  `);
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
  const missing = migrations.filter(migration => !known.rows.some(row => row.version === migration.version));
  if (missing.length > 0 && !mayChange) {
    throw new StorageError(
      `This release changes the database (${missing[0]!.name}): restart the service instead of replacing its processes.`,
    );
  }
  for (const migration of missing) {
    await owner.query(withRoles(migration.sql, roles));
    await owner.query('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', [
      migration.version,
      migration.name,
      migration.checksum,
    ]);
  }
  return missing.map(migration => migration.name);
}

function withRoles(sql: string, roles: Roles): string {
  return sql
    .replaceAll('{{app}}', pg.escapeIdentifier(roles.app.user))
    .replaceAll('{{system}}', pg.escapeIdentifier(roles.system.user));
}
