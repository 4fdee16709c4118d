import type pg from 'pg';

/**
 * Begins a transaction that locks first and reads afterwards. Sessions have this as their default already; a pooler may
 * have dropped the start-up options that say so.
 */
export const beginTransaction = 'begin isolation level read committed read write';

/**
 * Does the work on a connection of the pool between `begin` and `commit`; what rejects is rolled back.
 *
 * @param begin the statement that begins it, with whatever is set for its time
 */
export async function runTransaction<T>(
  pool: pg.Pool,
  begin: string,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  try {
    // Not awaited: it travels with the first statement. Were it to fail, so would every statement after it.
    const begun = client.query(begin);
    begun.catch(() => {});
    const result = await work(client);
    await begun;
    await client.query('commit');
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
