import { type ScenarioName, scenarioNames } from '../measurements/results.ts';
import type { Throughput } from '../measurements/throughput.ts';
import { table } from './table.ts';

/** CPU of server and PostgreSQL together, in milliseconds per request. */
export function totalCpu({ serverCpu, postgresCpu }: Throughput): number {
  return serverCpu + postgresCpu;
}

/** The CPU of each request, as a multiple of the bare route and of the minimal service. */
export function costTable(throughput: Record<ScenarioName, Throughput>): string {
  const { verify, selfMade } = throughput;
  const rows = (Object.keys(scenarioNames) as ScenarioName[]).map(name => {
    const measured = throughput[name];
    const total = totalCpu(measured);
    return [
      scenarioNames[name],
      measured.requestsPerSecond.toFixed(0),
      measured.serverCpu.toFixed(3),
      measured.postgresCpu.toFixed(3),
      (total / totalCpu(verify)).toFixed(2),
      (total / totalCpu(selfMade)).toFixed(2),
    ];
  });
  return table(
    [
      '64 connections',
      'requests/s',
      'CPU ms: server',
      'PostgreSQL',
      'of the bare route',
      'of the minimal service',
    ],
    rows,
  );
}
