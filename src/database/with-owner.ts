import type pg from 'pg';
import { connectOwner } from './connect-owner.ts';
import type { ConnectionSettings } from './connection.ts';
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

/**
 * Runs the work in a transaction that is bound to an organization, without limits of time: row-level security keeps what it changes within
 * the organization. What it reads, it must limit itself: an owner reads all rows. If reading one snapshot fails, the connection must be
 * closed: it may be in the middle of a copy.
 */
export async function ownerTransaction<T>(
  owner: pg.ClientBase,
  organizationId: string,
  work: () => Promise<T>,
  mode = 'isolation level read committed read write',
): Promise<T> {
  await owner.query(`begin ${mode}`);
  try {
    await owner.query(
      `select set_config('parapet.organization_id', $1, true), set_config('statement_timeout', '0', true),
        set_config('lock_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true),
        set_config('timezone', 'UTC', true), set_config('search_path', 'public, pg_temp', true)`,
      [organizationId],
    );
    const result = await work();
    await owner.query('commit');
    return result;
  } catch (error) {
    if (mode !== oneSnapshot) await owner.query('rollback').catch(() => {});
    throw error;
  }
}
