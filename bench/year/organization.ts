import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Storage } from '../../src/resources/storage.ts';
import { createSystem } from '../../src/resources/systems/systems.ts';
import { connectAsOwner, type Database, type Postgres } from '../fixture/postgres.ts';
import { openStorage } from '../fixture/scans.ts';
import { startWorker } from '../servers/start.ts';
import { readTableSizes, type TableSize } from './table-sizes.ts';

/** An organization in a database of its own, with the connections that the benchmark needs. */
export interface YearOrganization {
  readonly id: string;
  readonly database: Database;
  /** Bound to the organization, for functions that read the session’s one. */
  readonly owner: pg.Client;
  readonly storage: Storage;
  /** What the tables took before there was anything in them. */
  readonly emptySizes: readonly TableSize[];
  close(): Promise<void>;
}

/** Sources of one system. */
const perSystem = 10;

/** A worker that takes longer has died or is stuck. */
const longestMs = 120_000;

/**
 * An organization whose websites a worker has scanned twice, started by hourly Watch. The second scan is what each later one of an unchanged
 * website writes.
 */
export async function scannedOrganization(
  postgres: Postgres,
  hosts: readonly string[],
  masterKey: string,
): Promise<YearOrganization> {
  const database = await postgres.createDatabase();
  const owner = await connectAsOwner(database);
  const emptySizes = await readTableSizes(owner);
  const storage = await openStorage(database);
  const { id } = await storage.system.createOrganization('Bench', { kind: 'operator', id: 'bench' });
  await owner.query("select set_config('parapet.organization_id', $1, false)", [id]);
  const person = storage.tenant(id, { kind: 'person', id: randomUUID() });
  await person.transaction(async transaction => {
    for (let first = 0; first < hosts.length; first += perSystem) {
      const system = await createSystem(transaction, {
        name: `Sites ${first}`,
        environment: 'production',
        kind: 'site',
      });
      await transaction.query({
        text: `insert into sources (system_id, name, kind, host, connection_mode, status, scan_authorized_at)
          select $1, 'Website ' || host, 'website', host, 'direct', 'connected', now() from unnest($2::text[]) as host`,
        values: [system.id, hosts.slice(first, first + perSystem)],
      });
    }
    await transaction.query({
      text: `insert into watches (source_id, every_hours, next_scan_at, turned_on_by)
        select id, 1, now(), gen_random_uuid() from sources`,
    });
  });
  const worker = await startWorker({
    name: `worker-${database.connection.database}`,
    directory: postgres.directory,
    databaseUrl: database.url,
    masterKey,
  });
  try {
    await endedScans(owner, hosts.length);
    await owner.query('update watches set next_scan_at = now()');
    await endedScans(owner, 2 * hosts.length);
    await owner.query("update watches set next_scan_at = now() + interval '1 day'");
  } finally {
    await worker.stop();
  }
  const close = async () => {
    await storage.close(0);
    await owner.end();
    await database.drop();
  };
  return { id, database, owner, storage, emptySizes, close };
}

async function endedScans(owner: pg.Client, expected: number): Promise<void> {
  const deadline = Date.now() + longestMs;
  for (;;) {
    const { rows } = await owner.query<{ ended: number; failed: number }>(
      `select count(*) filter (where finished_at is not null)::int as ended,
        count(*) filter (where status = 'failed')::int as failed from scans`,
    );
    const { ended, failed } = rows[0]!;
    if (failed > 0) throw new Error(`${failed} scans did not go well`);
    if (ended >= expected) return;
    if (Date.now() > deadline) throw new Error('the worker did not end its scans');
    await pause(200);
  }
}
