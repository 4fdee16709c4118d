import type pg from 'pg';
import type { Load } from '../load/load.ts';
import { ingestedEvents } from '../load/requests.ts';
import { cpuSeconds, familyCpuSeconds } from '../processes/cpu-time.ts';
import type { Server } from '../servers/start.ts';
import { median } from './median.ts';

/** Events in one request: the most that a probe can send. */
export const batch = 500;

/** CPU is in seconds per 1,000 events. */
export interface EventRate {
  readonly eventsPerSecond: number;
  readonly serverCpu: number;
  readonly postgresCpu: number;
}

export interface Target {
  readonly server: Server;
  readonly postmaster: number;
  readonly load: Load;
  readonly owner: pg.Client;
}

/** Events of probes that each send full batches, the next one as soon as the last is acknowledged. */
export async function measureProbes(
  { server, postmaster, load, owner }: Target,
  {
    group,
    probes,
    requests,
    randomIds = false,
  }: { group: string; probes: number; requests: number; randomIds?: boolean },
): Promise<EventRate> {
  // A round stays within the limits of a minute; the next one would not.
  await owner.query('delete from request_admissions');
  const ask = { kind: 'ingest', events: batch, randomIds } as const;
  const round = { port: server.port, connections: probes, requests: probes * requests, group, ask };
  let before: readonly [number, number] = [0, 0];
  const outcome = await load.run(round, () => {
    before = [cpuSeconds(server.pid), familyCpuSeconds(postmaster)];
  });
  const events = probes * requests * batch;
  return {
    eventsPerSecond: events / outcome.seconds,
    serverCpu: ((cpuSeconds(server.pid) - before[0]) * 1_000) / events,
    postgresCpu: ((familyCpuSeconds(postmaster) - before[1]) * 1_000) / events,
  };
}

/** The same rows in one statement, into an empty table with the same indexes. */
export async function measureBulkInsert(
  owner: pg.Client,
  postmaster: number,
  events: number,
): Promise<EventRate> {
  await owner.query('drop table if exists plain_events');
  await owner.query('create table plain_events (like events including defaults including generated)');
  await owner.query('create unique index on plain_events (organization_id, system_id, channel, id)');
  await owner.query(`create index on plain_events (organization_id, occurred_at desc, id desc, channel desc, system_id desc)
    include (kind, retention_days, received_at)`);
  await owner.query('create index on plain_events (organization_id, series_hash, occurred_at desc, id desc)');
  const rows = ingestedEvents(events, {});
  const column = (of: (row: (typeof rows)[number]) => string) => rows.map(of).join('\n');
  const values = [
    column(row => row.id),
    column(row => row.kind),
    column(row => row.occurred_at),
    column(row => JSON.stringify(row)),
  ];
  const before = familyCpuSeconds(postmaster);
  const started = performance.now();
  await owner.query(
    `insert into plain_events
        (organization_id, system_id, channel, id, retention_days, received_at, occurred_at, key_id, kind, payload)
      select o.id, o.id, 'events', e.id::uuid, 90, now(), e.occurred_at::timestamptz, o.id, e.kind, e.payload::json
      from (select id from organizations limit 1) as o, rows from (string_to_table($1, E'\\n'), string_to_table($2, E'\\n'),
        string_to_table($3, E'\\n'), string_to_table($4, E'\\n')) as e (id, kind, occurred_at, payload)`,
    values,
  );
  const seconds = (performance.now() - started) / 1_000;
  return {
    eventsPerSecond: events / seconds,
    serverCpu: 0,
    postgresCpu: ((familyCpuSeconds(postmaster) - before) * 1_000) / events,
  };
}

export function medianRate(rates: readonly EventRate[]): EventRate {
  const of = (figure: keyof EventRate) => median(rates.map(rate => rate[figure]));
  return {
    eventsPerSecond: of('eventsPerSecond'),
    serverCpu: of('serverCpu'),
    postgresCpu: of('postgresCpu'),
  };
}
