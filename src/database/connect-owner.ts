import type pg from 'pg';
import { type ConnectionSettings, sessionOptions } from './connection.ts';
import { DatabaseClient } from './database-client.ts';
import { StorageError } from './storage-error.ts';

export const announcePooler =
  'If a pooler in transaction mode stands before PostgreSQL, set DATABASE_POOLER=transaction.';

/** Connects for the work of the owner, without pipelining. Throws `StorageError` with the reason in one line. */
export async function connectOwner(
  connection: ConnectionSettings,
  applicationName: string,
): Promise<pg.Client> {
  const owner: pg.Client = new DatabaseClient({
    ...sessionOptions(connection, applicationName),
    pipeline: false,
  } as pg.ClientConfig);
  try {
    await owner.connect();
    return owner;
  } catch (error) {
    const { message, code } = error as Partial<pg.DatabaseError>;
    // PgBouncer's answer to startup options.
    const hint = /unsupported startup parameter/.test(message ?? '') ? `. ${announcePooler}` : '';
    throw new StorageError(`The database cannot be used: ${message || code}${hint}`);
  }
}
