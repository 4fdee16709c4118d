import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { trialLock } from './advisory-locks.ts';
import { beginTransaction, runTransaction } from './run-transaction.ts';

/**
 * What this database does not do though Parapet depends on it, in words for the operator. Databases that speak PostgreSQL's protocol may
 * accept a lock and lock nothing: limits and audit logs would be wrong without an error. Takes two connections, and leaves no row.
 */
export async function findLockFaults(pool: pg.Pool): Promise<string[]> {
  const faults: string[] = [];
  const row = randomUUID();
  await runTransaction(pool, beginTransaction, async one => {
    await one.query('select pg_advisory_xact_lock($1)', [trialLock]);
    await one.query(
      `insert into nodes (id, host, role, version, started_at) values ($1, 'doctor', 'api', '0', now())`,
      [row],
    );
    const { rows } = await runTransaction(pool, beginTransaction, other =>
      other.query<{ locked: boolean; seen: boolean }>(
        `select pg_try_advisory_xact_lock($1) as locked, exists (select from nodes where id = $2) as seen`,
        [trialLock, row],
      ),
    );
    if (rows[0]!.locked) faults.push('advisory locks do not exclude each other');
    if (rows[0]!.seen) faults.push('rows are visible before they are committed');
    await one.query('delete from nodes where id = $1', [row]);
  });
  return faults;
}
