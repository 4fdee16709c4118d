import type { WriteResults } from '../measurements/results.ts';
import { writers as connections, type WriterRates, writerNames } from '../measurements/writers.ts';
import type { Aim } from './aims.ts';
import { table } from './table.ts';

/** Requests that change data, and writers of one organization on PostgreSQL alone. */
export function writeTables({ requests, writers }: WriteResults): string {
  const names = Object.keys(writerNames) as (keyof WriterRates)[];
  return [
    table(
      ['64 connections', 'requests/s', 'CPU ms: server', 'PostgreSQL', 'median ms'],
      requests.map(({ name, requestsPerSecond, serverCpu, postgresCpu, latency }) => [
        name,
        requestsPerSecond.toFixed(0),
        serverCpu.toFixed(2),
        postgresCpu.toFixed(2),
        latency.toFixed(1),
      ]),
    ),
    table(
      [`${connections} writers, PostgreSQL alone`, 'transactions/s', 'p95 ms', 'CPU ms'],
      names.map(name => {
        const { perSecond, p95, postgresCpu } = writers[name];
        return [writerNames[name], perSecond.toFixed(0), p95.toFixed(0), postgresCpu.toFixed(2)];
      }),
    ),
  ].join('\n\n');
}

/** The writers of one organization wait for each other no longer than a write takes without waiting. */
export function writeAims({ writers: { apart, together } }: WriteResults): Aim[] {
  const factor = apart.perSecond / together.perSecond;
  return [
    {
      aim: `${connections} writers of one organization take at most twice as long as those of ${connections}`,
      met: factor <= 2,
      because: `${factor.toFixed(2)} times`,
    },
  ];
}
