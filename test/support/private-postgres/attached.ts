/**
 * A process that uses the private PostgreSQL of the data folder in its first argument, like `parapet serve`. It is
 * controlled over the IPC channel, see `attached-process.ts`.
 */
import pg from 'pg';
import { giveUpRoot } from '../../../src/private-postgres/give-up-root.ts';
import { openPrivatePostgres } from '../../../src/private-postgres/open.ts';
import type { Order, Report } from './attached-process.ts';

const report = (message: Report) => process.send?.(message);

try {
  const directory = process.argv[2]!;
  const log = (event: string, fields: object) => report({ kind: 'log', event, fields });
  await giveUpRoot(directory, log);
  const postgres = await openPrivatePostgres({
    directory,
    log,
    onLost: cause => report({ kind: 'lost', reason: cause.message }),
  });
  report({ kind: 'opened', connection: postgres.connection });
  process.on('message', async (order: Order) => {
    if (order === 'close') {
      await postgres.close();
      report({ kind: 'closed' });
      process.disconnect();
    } else {
      await insertUntilKilled(postgres.connection);
    }
  });
} catch (error) {
  report({ kind: 'failed', message: String(error) });
  process.disconnect();
}

/** Inserts 1, 2, 3 … one by one, and reports each number once the database has acknowledged it. */
async function insertUntilKilled(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  await client.query('create table if not exists acknowledged (number bigint primary key)');
  const { rows } = await client.query('select coalesce(max(number), 0)::int as last from acknowledged');
  try {
    for (let number = rows[0].last + 1; ; number++) {
      await client.query('insert into acknowledged values ($1)', [number]);
      report({ kind: 'acknowledged', number });
    }
  } catch {
    // The server was killed: what it acknowledged before counts.
  }
}
