import type pg from 'pg';
import { queryConfig, type Statement } from './connection.ts';
import { sendTogether } from './send-together.ts';

/**
 * Begins a transaction that locks first and reads afterwards. This is the default of sessions, but a pooler
 * may drop the startup options that set it.
 */
export const beginTransaction = 'begin isolation level read committed read write';

/** Sends a statement together with the commit, in one round trip. If it fails, nothing is committed. */
export type Conclude = (statement: Statement) => void;

/**
 * Runs the work on a connection of the pool between `begin` and `commit`, and rolls back if it rejects.
 *
 * @param begin the statement that begins the transaction, including its settings
 */
export async function runTransaction<T>(
  pool: pg.Pool,
  begin: string,
  work: (client: pg.PoolClient, conclude: Conclude) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  try {
    // Not awaited: it is sent with the first statement, and if it failed, every later statement would fail.
    sendTogether(client);
    const begun = client.query(begin);
    begun.catch(() => {});
    const last: Statement[] = [];
    const result = await work(client, statement => void last.push(statement));
    await begun;
    sendTogether(client);
    const ended = await Promise.all([
      ...last.map(statement => client.query(queryConfig(statement))),
      client.query('commit'),
    ]);
    // PostgreSQL rolls back instead after a statement that failed, also if the work has ignored its error.
    if (ended.at(-1)!.command !== 'COMMIT')
      throw new Error('a statement of the transaction failed: it was rolled back');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {
      broken = true;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
