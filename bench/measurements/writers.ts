import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Database } from '../fixture/postgres.ts';
import { familyCpuSeconds } from '../processes/cpu-time.ts';
import { median } from './median.ts';

/** Connections that write at the same time. */
export const writers = 64;

/** Transactions that insert a system each. */
export interface WriterRate {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p95: number;
  /** Seconds per 1,000 transactions. */
  readonly postgresCpu: number;
}

export const writerNames = {
  alone: 'the row alone, in one organization',
  apart: 'with audit entry and version, each in another organization',
  together: 'with audit entry and version, all in one organization',
} as const;
export type WriterRates = Readonly<Record<keyof typeof writerNames, WriterRate>>;

/** On PostgreSQL alone: as `TenantStore` writes, so that the writers of one organization may wait for each other. */
export async function measureWriters(
  owner: pg.Client,
  database: Database,
  { postmaster, rounds, seconds }: { postmaster: number; rounds: number; seconds: number },
): Promise<WriterRates> {
  const { rows } = await owner.query<{ id: string }>('select id from organizations limit $1', [writers]);
  const write = (organizationId: string, table: string, more: string) =>
    `begin; select set_config('parapet.organization_id', '${organizationId}', true);
      insert into ${table} (organization_id, name, environment, kind) values ('${organizationId}', 'Shop', 'production', 'site');
      ${more} commit`;
  const recorded = `select record_audit('service', 'bench', 'system.created', 'system', '${randomUUID()}', '{"name": "Shop"}', null);
    select advance_data_version();`;
  const one = rows[0]!.id;
  const transactions: Record<keyof WriterRates, (writer: number) => string> = {
    alone: () => write(one, 'plain_systems', ''),
    apart: writer => write(rows[writer]!.id, 'systems', recorded),
    together: () => write(one, 'systems', recorded),
  };
  await owner.query(`create table plain_systems (like systems including all);
    grant insert on plain_systems to ${pg.escapeIdentifier(database.roles.app.user!)}`);
  const clients = Array.from(
    { length: writers },
    () => new pg.Client({ ...database.connection, ...database.roles.app }),
  );
  await Promise.all(clients.map(client => client.connect()));
  const names = Object.keys(writerNames) as (keyof WriterRates)[];
  const samples: Record<keyof WriterRates, WriterRate[]> = { alone: [], apart: [], together: [] };
  try {
    for (let round = -1; round < rounds; round++) {
      for (const name of names) {
        const rate = await measure(clients, transactions[name], { postmaster, seconds });
        // The first round warms up.
        if (round >= 0) samples[name].push(rate);
      }
    }
  } finally {
    await Promise.all(clients.map(client => client.end()));
  }
  return {
    alone: medianOf(samples.alone),
    apart: medianOf(samples.apart),
    together: medianOf(samples.together),
  };
}

async function measure(
  clients: readonly pg.Client[],
  transactionOf: (writer: number) => string,
  { postmaster, seconds }: { postmaster: number; seconds: number },
): Promise<WriterRate> {
  const times: number[] = [];
  const before = familyCpuSeconds(postmaster);
  const started = performance.now();
  await Promise.all(
    clients.map(async (client, writer) => {
      const transaction = transactionOf(writer);
      while (performance.now() - started < seconds * 1000) {
        const sent = performance.now();
        await client.query(transaction);
        times.push(performance.now() - sent);
      }
    }),
  );
  times.sort((a, b) => a - b);
  return {
    perSecond: (times.length * 1000) / (performance.now() - started),
    p95: times[Math.floor(times.length * 0.95)]!,
    postgresCpu: ((familyCpuSeconds(postmaster) - before) * 1000) / times.length,
  };
}

function medianOf(rates: readonly WriterRate[]): WriterRate {
  const of = (figure: keyof WriterRate) => median(rates.map(rate => rate[figure]));
  return { perSecond: of('perSecond'), p95: of('p95'), postgresCpu: of('postgresCpu') };
}
