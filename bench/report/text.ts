import type { Results } from '../measurements/results.ts';
import { type Aim, aimLines } from './aims.ts';
import { detectorTable } from './detectors.ts';
import { eventTables } from './events.ts';
import { junkTable } from './junk.ts';
import { processTable } from './processes.ts';
import { requestTable } from './requests.ts';
import { scanTables } from './scans.ts';
import { scheduleTable } from './schedule.ts';
import { table } from './table.ts';
import { writeTables } from './writes.ts';

/** The results in Markdown. */
export function reportText(results: Results, aims: readonly Aim[]): string {
  const { date, cpu, cores, node, postgres } = results.machine;
  return [
    `${date}, ${cpu}, ${cores} cores, Node ${node}, PostgreSQL ${postgres}`,
    verificationTable(results),
    requestTable(results.throughput),
    writeTables(results.writes),
    processTable(results.processes),
    latencyTable(results),
    planTable(results),
    detectorTable(results.detectors),
    scanTables(results.scans),
    scheduleTable(results.schedule),
    eventTables(results.events),
    junkTable(results.junk),
    aimLines(aims),
  ].join('\n\n');
}

function verificationTable({ verification }: Results): string {
  const rates = [
    ['libsodium', verification.libsodium],
    ['node:crypto', verification.nodeCrypto],
  ] as const;
  const rows = rates.map(([library, rate]) => [library, whole(rate), (1000 / rate).toFixed(3)]);
  return table(['Ed25519 verified on one core', 'per second', 'ms'], rows);
}

function latencyTable({ latency }: Results): string {
  const sizes = [...new Set(latency.map(({ findings }) => findings))];
  const queries = [...new Set(latency.map(({ query }) => query))];
  return table(
    ['one connection: median, p95 in ms', ...sizes.map(size => `${whole(size)} findings`), 'growth'],
    queries.map(query => {
      const of = sizes.map(size => latency.find(each => each.query === query && each.findings === size)!);
      const growth = of.at(-1)!.median / of[0]!.median;
      return [
        query,
        ...of.map(each => `${each.median.toFixed(2)}, ${each.p95.toFixed(2)}`),
        growth.toFixed(2),
      ];
    }),
  );
}

function planTable({ plans }: Results): string {
  return table(
    ['plan', 'mode', 'findings', 'returned', 'rows read', 'sorted', 'pages', 'ms', 'by'],
    plans.map(plan => [
      plan.query,
      plan.mode,
      ...[plan.findings, plan.returned, plan.read, plan.sorted, plan.buffers].map(whole),
      plan.milliseconds.toFixed(2),
      [...new Set(plan.by)].join(', '),
    ]),
  );
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}
