import { type ConnectionSettings, connectionFromUrl } from '../storage/connection.ts';
import { type MasterKey, masterKeyOf, parseMasterKey } from '../storage/credentials/master-key.ts';
import { type MigrationResult, migrate } from '../storage/migrate.ts';
import { openPrivatePostgres } from '../storage/private-postgres/open.ts';
import { Storage } from '../storage/storage.ts';
import type { Configuration } from './configuration.ts';

type Log = (event: string, fields: object) => void;

interface StorageHooks {
  /** Whether this process works on jobs. */
  readonly works: boolean;
  readonly log?: Log;
  /** The private PostgreSQL has ended while it was in use: this process cannot go on. */
  readonly onLost?: (cause: Error) => void;
}

export interface Database {
  readonly connection: ConnectionSettings;
  close(): Promise<void>;
}

/** The outside PostgreSQL, or the private one, started where it is not running. */
export async function openDatabase(
  configuration: Configuration,
  { log, onLost }: Pick<StorageHooks, 'log' | 'onLost'> = {},
): Promise<Database> {
  if (configuration.databaseUrl) {
    return { connection: connectionFromUrl(configuration.databaseUrl), close: async () => {} };
  }
  return openPrivatePostgres({
    directory: configuration.dataDirectory,
    ...(log ? { log } : {}),
    ...(onLost ? { onLost } : {}),
  });
}

/** The master key that was given; with the private PostgreSQL, else the one in the data folder, made once. */
async function openMasterKey(configuration: Configuration): Promise<MasterKey> {
  return configuration.masterKey
    ? parseMasterKey(configuration.masterKey)
    : masterKeyOf(configuration.dataDirectory);
}

export interface OpenStorage {
  readonly storage: Storage;
  readonly migration: MigrationResult;
  close(graceSeconds?: number): Promise<void>;
}

/** Database, migrations, and everything that is kept in it. */
export async function openStorage(configuration: Configuration, options: StorageHooks): Promise<OpenStorage> {
  const masterKey = await openMasterKey(configuration);
  const database = await openDatabase(configuration, options);
  try {
    const { connection } = database;
    const migration = await migrate(connection);
    const storage = new Storage({
      connection,
      roles: migration.roles,
      masterKey,
      works: options.works,
      onError: error =>
        options.log?.('jobs.error', { message: error instanceof Error ? error.message : String(error) }),
    });
    await storage.start();
    const close = async (graceSeconds?: number) => {
      await storage.close(graceSeconds);
      await database.close();
    };
    return { storage, migration, close };
  } catch (error) {
    await database.close();
    throw error;
  }
}
