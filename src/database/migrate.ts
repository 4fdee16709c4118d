import type pg from 'pg';
import { version } from '../domain/version.ts';
import { migrationLock } from './advisory-locks.ts';
import { restrictColumns } from './column-rights.ts';
import { announcePooler, connectOwner } from './connect-owner.ts';
import type { ConnectionSettings } from './connection.ts';
import { codeOf, deadlock, insufficientPrivilege } from './error-codes.ts';
import { installJobs } from './jobs/install.ts';
import { letOwnerRead } from './let-owner-read.ts';
import { applyMissing, compareMigrations } from './migrations.ts';
import { admitNode } from './node-role.ts';
import { preparedRoles } from './prepared-roles.ts';
import { closeDatabase, ensureRoles, type Roles } from './roles.ts';
import { arrivedOptions, settleTransaction } from './session-settings.ts';
import { StorageError } from './storage-error.ts';

export interface MigrationResult {
  readonly roles: Roles;
  /** Names of the migrations applied by this call, in order. */
  readonly applied: readonly string[];
}

/** What a restore does in the transaction of the migration. */
export interface Filling {
  /** Applies migrations up to those of the backup, and adds its rows. Rejects if the database has an installation. */
  before(owner: pg.ClientBase, roles: Roles): Promise<void>;
  /** Called at the end: adds jobs, and verifies. */
  after(owner: pg.ClientBase): Promise<void>;
}

export interface MigrationOptions {
  /**
   * Leaves the database as it is, since a change ends what nodes of another version can do, and says this if it is not prepared for
   * this release.
   */
  readonly instead?: string | undefined;
  /** The role with which nodes connect, if that is another one. */
  readonly nodeRole?: string | undefined;
  /** Fills the database with a backup, in the same transaction. */
  readonly fill?: Filling | undefined;
  /** Called once if another node has been migrating for a while. */
  readonly onWait?: () => void;
}

const oldestServer = 150000;
/** Milliseconds of waiting for another node that are not worth a message. */
const usualWait = 5_000;

/**
 * Migrates the database to this program's version, and returns the logins of its roles. All changes are one transaction, so that a killed
 * one has no effect; its lock serializes nodes that start together, also behind a pooler. If the role of the connection may not create
 * roles, or if a newer release has migrated the database in a way with which this one can run, nothing is changed, and the database must be
 * prepared for nodes already.
 *
 * @param connection of the owner, directly or through a pooler in transaction mode
 * @throws StorageError if the server is older than PostgreSQL 15 or disables triggers by default, if the database is newer than the
 * program or not prepared, if an applied migration differs from the program's, or if a pooler stands in between unannounced
 */
export async function migrate(
  connection: ConnectionSettings,
  { instead, ...options }: MigrationOptions = {},
): Promise<MigrationResult> {
  const owner = await connectOwner(connection, 'parapet-migrate');
  try {
    await assertServer(owner, connection);
    if (!instead && (await mayCreateRoles(owner))) return await migrateAtOnce(owner, options);
    if (options.fill)
      throw new StorageError('A restore needs a role that owns the database and may create roles');
    return { roles: await preparedRoles(owner, instead ?? migrateAsOwner), applied: [] };
  } catch (error) {
    if (codeOf(error) === insufficientPrivilege) {
      throw new StorageError(
        `The role that migrates lacks a privilege (it must own the database and may create roles): ${(error as Error).message}`,
      );
    }
    throw error;
  } finally {
    await owner.end();
  }
}

const migrateAsOwner =
  'run parapet migrate, with DATABASE_DIRECT_URL of a role that owns the database and may create roles';

async function assertServer(owner: pg.Client, { isPooled = false }: ConnectionSettings): Promise<void> {
  const { rows } = await owner.query<{
    number: string;
    text: string;
    replicationRole: string;
    arrived: boolean;
  }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as text,
      current_setting('session_replication_role') as "replicationRole", ${arrivedOptions} as arrived`,
  );
  const { number, text, replicationRole, arrived } = rows[0]!;
  if (Number(number) < oldestServer) {
    throw new StorageError(`Parapet needs PostgreSQL 15 or newer; this server is ${text}`);
  }
  if (replicationRole === 'replica') {
    throw new StorageError(
      'session_replication_role is "replica" by default here, which disables triggers and foreign keys: reset it for the database and its roles',
    );
  }
  if (!isPooled && !arrived) {
    throw new StorageError(`The settings of sessions do not arrive at PostgreSQL. ${announcePooler}`);
  }
}

async function mayCreateRoles(owner: pg.Client): Promise<boolean> {
  const { rows } = await owner.query<{ may: boolean }>(
    'select exists (select from pg_roles where rolname = current_user and (rolsuper or rolcreaterole)) as may',
  );
  return rows[0]!.may;
}

/** Attempts. Each can meet another statement of a running node that also waits for the migration. */
const mostDeadlocks = 20;

/** Migrates in one transaction, and again after a deadlock: nodes of the version before use the tables until then. */
async function migrateAtOnce(
  owner: pg.Client,
  options: Pick<MigrationOptions, 'nodeRole' | 'fill' | 'onWait'>,
  attempt = 1,
): Promise<MigrationResult> {
  await owner.query('begin isolation level read committed read write');
  try {
    await settleTransaction(owner);
    await lockMigration(owner, options.onWait);
    if (!options.fill && (await compareMigrations(owner)).isNewer) {
      const roles = await preparedRoles(owner, migrateAsOwner);
      await owner.query('commit');
      return { roles, applied: [] };
    }
    const database = (await owner.query<{ name: string }>('select current_database() as name')).rows[0]!.name;
    const roles = await ensureRoles(owner, database);
    await closeDatabase(owner, database, roles);
    await options.fill?.before(owner, roles);
    const applied = await applyMissing(owner, roles);
    await restrictColumns(owner, roles);
    await letOwnerRead(owner);
    await installJobs(owner, roles);
    await options.fill?.after(owner);
    await owner.query('insert into releases (version) values ($1) on conflict do nothing', [version]);
    if (options.nodeRole !== undefined) await admitNode(owner, options.nodeRole);
    await owner.query('commit');
    return { roles, applied };
  } catch (error) {
    if (codeOf(error) !== deadlock || attempt === mostDeadlocks) throw error;
    await owner.query('rollback');
    return migrateAtOnce(owner, options, attempt + 1);
  }
}

async function lockMigration(owner: pg.Client, onWait: (() => void) | undefined): Promise<void> {
  const timer = setTimeout(() => onWait?.(), usualWait);
  try {
    await owner.query('select pg_advisory_xact_lock($1)', [migrationLock]);
  } finally {
    clearTimeout(timer);
  }
}
