import { type ConnectionSettings, connectionFromUrl } from '../storage/connection.ts';
import { keyRingOf } from '../storage/credentials/key-files.ts';
import { givenKeyRing, type KeyRing } from '../storage/credentials/key-ring.ts';
import { parseMasterKey } from '../storage/credentials/master-key.ts';
import { type MigrationResult, migrate } from '../storage/migrate.ts';
import { giveUpRoot } from '../storage/private-postgres/give-up-root.ts';
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
  await giveUpRoot(configuration.dataDirectory, log);
  return openPrivatePostgres({
    directory: configuration.dataDirectory,
    ...(configuration.postgresUser === undefined ? {} : { serverUser: configuration.postgresUser }),
    ...(log ? { log } : {}),
    ...(onLost ? { onLost } : {}),
  });
}

/** The master keys that were given; with the private PostgreSQL, else those of the data folder. */
async function openKeyRing({ masterKey, otherMasterKeys, dataDirectory }: Configuration): Promise<KeyRing> {
  if (!masterKey) return keyRingOf(dataDirectory);
  const others = otherMasterKeys.map(value => parseMasterKey(value, 'Each of PARAPET_OTHER_MASTER_KEYS'));
  return givenKeyRing(parseMasterKey(masterKey), others);
}

export interface OpenStorage {
  readonly storage: Storage;
  readonly migration: MigrationResult;
  close(graceSeconds?: number): Promise<void>;
}

/** Database, migrations, and everything that is kept in it. */
export async function openStorage(configuration: Configuration, options: StorageHooks): Promise<OpenStorage> {
  if (!configuration.databaseUrl) await giveUpRoot(configuration.dataDirectory, options.log);
  const keyRing = await openKeyRing(configuration);
  const database = await openDatabase(configuration, options);
  try {
    const { connection } = database;
    const migration = await migrate(connection);
    const storage = new Storage({
      connection,
      roles: migration.roles,
      keyRing,
      works: options.works,
      // Some of what the queue reports only has the shape of an error.
      onError: error =>
        options.log?.('jobs.error', { message: (error as Partial<Error>)?.message ?? String(error) }),
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
