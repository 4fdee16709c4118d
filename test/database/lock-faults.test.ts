import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { findLockFaults } from '../../src/database/find-lock-faults.ts';
import { migrate } from '../../src/database/migrate.ts';
import { createDatabase, type TestDatabase, testPool } from '../support/postgres.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase(inject('postgres'));
  await migrate(database.connection);
});
afterAll(() => database?.drop());

/** A database in which some functions do something else, as in one that only speaks the protocol. */
async function faultsWith(replace: (sql: string) => string): Promise<string[]> {
  class Altered extends pg.Client {
    override query(...given: unknown[]): never {
      const [text, ...rest] = given;
      const altered = typeof text === 'string' ? replace(text) : text;
      return Reflect.apply(super.query, this, [altered, ...rest]) as never;
    }
  }
  const pool = testPool({ ...database.connection, max: 2, Client: Altered } as pg.PoolConfig);
  try {
    const faults = await findLockFaults(pool);
    expect((await pool.query('select from nodes')).rowCount).toBe(0);
    return faults;
  } finally {
    await pool.end();
  }
}

it('finds nothing in PostgreSQL', async () => {
  expect(await faultsWith(sql => sql)).toEqual([]);
});

it('finds locks that do not exclude each other', async () => {
  const shared = (sql: string) => sql.replace('advisory_xact_lock(', 'advisory_xact_lock_shared(');
  expect(await faultsWith(shared)).toEqual(['advisory locks do not exclude each other']);
});

it('finds transactions that are none', async () => {
  const faults = await faultsWith(sql => (sql.startsWith('begin') ? 'select 1' : sql));
  expect(faults).toEqual([
    'advisory locks do not exclude each other',
    'rows are visible before they are committed',
  ]);
});
