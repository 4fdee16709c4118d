import type pg from 'pg';
import { connectOwner } from './connect-owner.ts';
import type { ConnectionSettings } from './connection.ts';
import { settleTransaction } from './session-settings.ts';
import { StorageError } from './storage-error.ts';

/**
 * Connects as the owner of the tables for the work, without pipelining. Throws `StorageError` if the role of the connection is not their
 * owner: it would neither read all rows nor delete what is kept.
 */
export async function withOwner<T>(
  connection: ConnectionSettings,
  applicationName: string,
  work: (owner: pg.ClientBase) => Promise<T>,
): Promise<T> {
  const owner = await connectOwner(connection, applicationName);
  try {
    const { rows } = await owner.query<{ owns: boolean }>(
      `select coalesce(pg_get_userbyid(relowner) = current_user, false) as owns from pg_class where oid = 'public.organizations'::regclass`,
    );
    if (!rows[0]!.owns) {
      throw new StorageError(
        'This needs the role that owns the database: set DATABASE_DIRECT_URL, as for parapet migrate',
      );
    }
    return await work(owner);
  } finally {
    await owner.end();
  }
}

/** The mode of a transaction that reads one snapshot. */
export const oneSnapshot = 'isolation level repeatable read read only';

const usual = 'isolation level read committed read write';

/** Begins a transaction without limits of time, with the settings of sessions, which a pooler does not pass on. */
export async function beginOwner(
  owner: pg.ClientBase,
  mode = usual,
  changes: Readonly<Record<string, string>> = {},
): Promise<void> {
  await owner.query(`begin ${mode}`);
  await settleTransaction(owner, { idle_in_transaction_session_timeout: '0', ...changes });
}

/**
 * Runs the work in a transaction of `beginOwner` that is bound to an organization: row-level security keeps what it changes within
 * the organization. What it reads, it must limit itself: an owner reads all rows. If reading one snapshot fails, the connection must be
 * closed: it may be in the middle of a copy.
 */
export async function ownerTransaction<T>(
  owner: pg.ClientBase,
  organizationId: string,
  work: () => Promise<T>,
  mode = usual,
): Promise<T> {
  try {
    await beginOwner(owner, mode, { 'parapet.organization_id': organizationId });
    const result = await work();
    await owner.query('commit');
    return result;
  } catch (error) {
    if (mode !== oneSnapshot) await owner.query('rollback').catch(() => {});
    throw error;
  }
}
