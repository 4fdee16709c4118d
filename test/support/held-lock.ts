import type pg from 'pg';
import type { ConnectionSettings } from '../../src/database/connection.ts';
import { poll } from './poll.ts';
import { asOwner } from './postgres.ts';

/** Blocks every transaction that writes to an audit log: those on people's accounts do so right before they end. */
export const auditLogsLock = 'lock table audit_entries, pending_audit_entries in share mode';

/**
 * Holds a lock until all started sessions wait in the database, then releases them at once: a race that does not depend
 * on luck. Returns their results.
 *
 * @param lock the statement that takes the lock
 */
export function raceBehindLock<T>(
  connection: ConnectionSettings,
  lock: string,
  begin: readonly (() => Promise<T>)[],
): Promise<T[]> {
  return asOwner(connection, async holder => {
    await holder.query('begin');
    await holder.query(lock);
    const results = begin.map(start => start());
    await untilWaiting(connection, begin.length);
    await holder.query('commit');
    return Promise.all(results);
  });
}

/** Blocks all readers of the table, as if it had endless rows. */
export function whileReadsWait<T>(
  connection: ConnectionSettings,
  table: string,
  work: () => Promise<T>,
): Promise<T> {
  return asOwner(connection, async holder => {
    await holder.query('begin');
    await holder.query(`lock table ${table} in access exclusive mode`);
    try {
      return await work();
    } finally {
      await holder.query('rollback');
    }
  });
}

/** Waits until this many sessions of the database wait for a lock. */
export function untilWaiting(connection: ConnectionSettings, sessions: number): Promise<true> {
  return asOwner(connection, watcher =>
    poll(`${sessions} sessions that wait`, async () => (await waitingOf(watcher)) >= sessions || undefined),
  );
}

/** Sessions of the database that wait for a lock. */
export function countWaiting(connection: ConnectionSettings): Promise<number> {
  return asOwner(connection, waitingOf);
}

async function waitingOf(watcher: pg.ClientBase): Promise<number> {
  const { rows } = await watcher.query(
    "select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  );
  return rows[0].waiting;
}
