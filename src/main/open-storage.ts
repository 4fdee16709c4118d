import type { ConnectionSettings } from '../database/connection.ts';
import { connectionFromUrl } from '../database/connection-url.ts';
import type { InspectJob } from '../database/jobs/queues.ts';
import { type MigrationOptions, type MigrationResult, migrate } from '../database/migrate.ts';
import type { OutageListener } from '../database/outages.ts';
import { StorageError } from '../database/storage-error.ts';
import type { OnCommitted } from '../domain/committed-events.ts';
import { giveUpRoot } from '../private-postgres/give-up-root.ts';
import { openPrivatePostgres } from '../private-postgres/open.ts';
import { keyRingOf } from '../resources/credentials/key-files.ts';
import { givenKeyRing, type KeyRing } from '../resources/credentials/key-ring.ts';
import { parseMasterKey } from '../resources/credentials/master-key.ts';
import { connectionsOfNode } from '../resources/pool-sizes.ts';
import { Storage } from '../resources/storage.ts';
import type { Configuration } from './configuration.ts';
import { operator } from './operator.ts';

type Log = (event: string, fields: object) => void;

interface StorageHooks {
  /** Whether this process runs jobs. */
  readonly works: boolean;
  /** See `StorageOptions`. */
  readonly keepsConnections?: boolean;
  /** Whether it answers requests that may read from a replica. */
  readonly usesReplica?: boolean;
  /** Whether it encrypts or decrypts records, which requires every master key in use. */
  readonly needsKeys: boolean;
  /** What prepares the database for this release, if not this process: see `MigrationOptions`. */
  readonly instead?: string | undefined;
  /** Processes of this node that answer requests. Default 1. */
  readonly processes?: number;
  readonly log?: Log;
  /** Called when the private PostgreSQL stops unexpectedly: this process must exit. */
  readonly onLost?: (cause: Error) => void;
  /** Called when the external PostgreSQL becomes unavailable and available again. */
  readonly onOutage?: OutageListener;
  readonly onCommitted?: OnCommitted;
  /** Called with the queue of each attempt of a job that failed. */
  readonly onJobFailure?: (queue: string) => void;
}

export interface Database {
  readonly connection: ConnectionSettings;
  /** Without a pooler in between; undefined if there is one and no other way. */
  readonly direct: ConnectionSettings | undefined;
  /** For reads that may be old. */
  readonly replica?: ConnectionSettings | undefined;
  /** The role of the nodes, if another one owns the database. */
  readonly nodeRole?: string | undefined;
  close(): Promise<void>;
}

/** Connections with which the processes of a node share its private PostgreSQL, one of them being replaced. */
export function leasesOfNode(processes: number): number {
  return processes + 3;
}

/** Connects to the external PostgreSQL, or starts the private one if it is not running. */
export async function openDatabase(
  configuration: Configuration,
  { log, onLost, processes = 1 }: Pick<StorageHooks, 'log' | 'onLost' | 'processes'> = {},
): Promise<Database> {
  if (configuration.databaseUrl) return outsideDatabase(configuration.databaseUrl, configuration);
  await giveUpRoot(configuration.dataDirectory, log);
  const postgres = await openPrivatePostgres({
    directory: configuration.dataDirectory,
    connections:
      connectionsOfNode({ processes, connections: configuration.databaseConnections }) +
      leasesOfNode(processes),
    ...(configuration.postgresUser === undefined ? {} : { serverUser: configuration.postgresUser }),
    ...(log ? { log } : {}),
    ...(onLost ? { onLost } : {}),
  });
  return { connection: postgres.connection, direct: postgres.connection, close: () => postgres.close() };
}

function outsideDatabase(
  url: string,
  {
    databaseDirectUrl,
    databaseReplicaUrl,
    isDatabasePooled,
  }: Pick<Configuration, 'databaseDirectUrl' | 'databaseReplicaUrl' | 'isDatabasePooled'>,
): Database {
  const given = connectionFromUrl(url);
  const connection = isDatabasePooled ? { ...given, isPooled: true } : given;
  const replica =
    databaseReplicaUrl === undefined
      ? undefined
      : connectionFromUrl(databaseReplicaUrl, 'DATABASE_REPLICA_URL', 'reads');
  const close = async () => {};
  if (!databaseDirectUrl) {
    return { connection, direct: connection.isPooled ? undefined : connection, replica, close };
  }
  const direct = connectionFromUrl(databaseDirectUrl, 'DATABASE_DIRECT_URL');
  if (direct.isPooled) throw new StorageError('DATABASE_DIRECT_URL must not name a pooler: remove pgbouncer');
  const nodeRole = direct.user === given.user ? undefined : given.user;
  return { connection, direct, replica, nodeRole, close };
}

/** Migrates the database as its owner. */
export function migrateDatabase(
  { connection, direct, nodeRole }: Database,
  { instead, fill, log }: Pick<StorageHooks, 'instead' | 'log'> & Pick<MigrationOptions, 'fill'> = {},
): Promise<MigrationResult> {
  const onWait = () => log?.('migration.waiting', { reason: 'another node is migrating the database' });
  return migrate(direct ?? connection, { instead, fill, nodeRole, onWait });
}

/** The configured master keys, or those in the data folder. */
async function openKeyRing(configuration: Configuration): Promise<KeyRing> {
  const { masterKey, otherMasterKeys, lostMasterKeys, dataDirectory } = configuration;
  if (!masterKey) return keyRingOf(dataDirectory, lostMasterKeys);
  const others = otherMasterKeys.map(value => parseMasterKey(value, 'Each of PARAPET_OTHER_MASTER_KEYS'));
  return givenKeyRing(parseMasterKey(masterKey), others, lostMasterKeys);
}

export interface OpenStorage {
  readonly storage: Storage;
  /** Of the owner, without a pooler in between if there is such a way. */
  readonly owner: ConnectionSettings;
  readonly migration: MigrationResult;
  /** Whether a pooler shares the connections to PostgreSQL. */
  readonly isPooled: boolean;
  close(graceSeconds?: number): Promise<void>;
}

/** Opens the database, and migrates it unless something else does. */
export async function openStorage(configuration: Configuration, options: StorageHooks): Promise<OpenStorage> {
  if (!configuration.databaseUrl) await giveUpRoot(configuration.dataDirectory, options.log);
  const keyRing = await openKeyRing(configuration);
  const database = await openDatabase(configuration, options);
  try {
    const { connection, direct, replica } = database;
    const migration = await migrateDatabase(database, options);
    const storage = new Storage({
      connection,
      direct,
      replica: options.usesReplica ? replica : undefined,
      roles: migration.roles,
      keyRing,
      works: options.works,
      keepsConnections: options.keepsConnections ?? false,
      parts: { processes: options.processes ?? 1, connections: configuration.databaseConnections },
      // pg-boss also reports values that are not instances of Error.
      onError: error => options.log?.('jobs.error', { err: error }),
      onFailedJob: (err, { queue, data }) => {
        options.onJobFailure?.(queue);
        const {
          organizationId: organization_id,
          scanId: scan_id,
          sourceId: source_id,
        } = data as Partial<InspectJob>;
        options.log?.('job.failed', { queue, organization_id, scan_id, source_id, err });
      },
      onYield: ({ pool, connections, most, error: { message: reason } }) =>
        options.log?.('database.connections_limited', { pool, connections, most, reason }),
      onReplica: {
        failed: reason => options.log?.('replica.unusable', { reason }),
        recovered: () => options.log?.('replica.usable', {}),
      },
      onCommitted: options.onCommitted,
      ...(options.onOutage ? { onOutage: options.onOutage } : {}),
    });
    try {
      if (options.needsKeys) {
        for (const lost of await storage.settleMasterKeys(operator)) options.log?.('master_key.lost', lost);
      }
      await storage.start();
    } catch (error) {
      // Report the first error, not a failure to close.
      await storage.close(0).catch(() => {});
      throw error;
    }
    const close = async (graceSeconds?: number) => {
      try {
        await storage.close(graceSeconds);
      } finally {
        await database.close();
      }
    };
    return { storage, owner: direct ?? connection, migration, isPooled: connection.isPooled ?? false, close };
  } catch (error) {
    await database.close();
    throw error;
  }
}
