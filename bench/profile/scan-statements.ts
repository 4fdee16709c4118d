import { randomBytes } from 'node:crypto';
import { asOwner } from '../../test/support/postgres.ts';
import { connectAsOwner, openPostgres } from '../fixture/postgres.ts';
import { openStorage } from '../fixture/scans.ts';
import { measureScans } from '../measurements/scans.ts';
import { table } from '../report/table.ts';
import { startWorker } from '../servers/start.ts';
import { serveSites } from '../sites/served-sites.ts';

// The statements of a worker that scans websites, on the last build: `tsx bench/profile/scan-statements.ts [sites]`.

const count = Number(process.argv[2] ?? 100);
const postgres = await openPostgres({ shared_preload_libraries: 'pg_stat_statements' });
try {
  const database = await postgres.createDatabase();
  const owner = await connectAsOwner(database);
  await owner.query('create extension pg_stat_statements');
  await asOwner(database.connection, client =>
    client.query(`alter system set pg_stat_statements.track = 'all'`),
  );
  await owner.query('select pg_reload_conf()');
  const storage = await openStorage(database);
  const served = await serveSites(count, 0);
  const worker = await startWorker({
    name: 'profiled',
    directory: postgres.directory,
    databaseUrl: database.url,
    masterKey: randomBytes(32).toString('base64'),
  });
  const processes = { worker: worker.pid, postmaster: postgres.postmaster, sites: served.pid };
  const service = { storage, owner, processes };
  await measureScans(service, served.sites);
  await owner.query('select pg_stat_statements_reset()');
  const { sitesPerMinute, workerCpu, postgresCpu } = await measureScans(service, served.sites);
  const { rows } = await owner.query<{
    query: string;
    nested: boolean;
    calls: number;
    ms: number;
    wal: number;
  }>(
    `select left(regexp_replace(query, '\\s+', ' ', 'g'), 110) as query, not toplevel as nested, calls::float8 / $1 as calls,
      (total_exec_time + total_plan_time) / $1 as ms, wal_bytes::float8 / $1 as wal
     from pg_stat_statements order by 4 desc limit 70`,
    [count],
  );
  const sums = await owner.query<{ calls: number; ms: number }>(
    'select sum(calls)::float8 / $1 as calls, sum(total_exec_time + total_plan_time) / $1 as ms from pg_stat_statements where toplevel',
    [count],
  );
  const { calls, ms } = sums.rows[0]!;
  process.stdout.write(
    `${Math.round(sitesPerMinute)} sites/min, CPU ms per site: worker ${workerCpu.toFixed(1)}, PostgreSQL ${postgresCpu.toFixed(1)}; ${calls.toFixed(1)} statements, ${ms.toFixed(1)} ms in them\n`,
  );
  const lines = rows.map(row => [
    row.query.replaceAll('|', '/') + (row.nested ? ' (nested)' : ''),
    row.calls.toFixed(2),
    row.ms.toFixed(3),
    (row.wal / 1024).toFixed(2),
  ]);
  process.stdout.write(`${table(['statement', 'calls per site', 'ms', 'KB of WAL'], lines)}\n`);
  await worker.stop();
  served.close();
  await storage.close(0);
  await owner.end();
} finally {
  await postgres.close();
}
