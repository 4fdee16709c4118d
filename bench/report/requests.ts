import { type ScenarioName, scenarioNames } from '../measurements/results.ts';
import type { Throughput } from '../measurements/throughput.ts';
import type { Aim } from './aims.ts';
import { table } from './table.ts';

type Requests = Readonly<Record<ScenarioName, Throughput>>;

/** CPU milliseconds of server and PostgreSQL for one request. */
export const cpuOf = ({ serverCpu, postgresCpu }: Throughput) => serverCpu + postgresCpu;

/** The CPU of each request as a multiple of the bare route's. */
function cpuRatios(requests: Requests): Record<ScenarioName, number> {
  const bare = cpuOf(requests.verify);
  const names = Object.keys(scenarioNames) as ScenarioName[];
  return Object.fromEntries(names.map(name => [name, cpuOf(requests[name]) / bare])) as Record<
    ScenarioName,
    number
  >;
}

export function requestTable(requests: Requests): string {
  const ratios = cpuRatios(requests);
  const rows = (Object.keys(scenarioNames) as ScenarioName[]).map(name => {
    const { requestsPerSecond, serverCpu, postgresCpu, latency } = requests[name];
    return [
      scenarioNames[name],
      Math.round(requestsPerSecond).toLocaleString('en'),
      serverCpu.toFixed(3),
      postgresCpu.toFixed(3),
      ratios[name].toFixed(2),
      latency.toFixed(1),
    ];
  });
  const head = ['64 connections', 'requests/s', 'CPU ms: server', 'PostgreSQL', 'times the bare route'];
  return table([...head, 'median ms'], rows);
}

/** Aims for CPU per request: server and PostgreSQL together. */
export function requestAims(requests: Requests): Aim[] {
  const { list, listAll, listOpen, selfMade, unchanged, notModified } = requests;
  const ratios = cpuRatios(requests);
  const times = (ratio: number) => `${ratio.toFixed(2)} times`;
  const atMost = (aim: string, ratio: number, most: number): Aim => ({
    aim: `${aim} takes at most ${most} times the CPU`,
    met: ratio <= most,
    because: times(ratio),
  });
  return [
    atMost('a list with a changed row, of that of the minimal service,', cpuOf(list) / cpuOf(selfMade), 0.9),
    atMost('a list of changed rows, of that of the minimal service,', cpuOf(listAll) / cpuOf(selfMade), 0.9),
    atMost('a list with a changed row, of that of the bare route,', ratios.list, 3.5),
    atMost('an unchanged list, of that of the bare route,', ratios.unchanged, 1.5),
    atMost('a 304, of that of an unchanged list,', cpuOf(notModified) / cpuOf(unchanged), 1),
    atMost('row-level security, of that of a list without it,', cpuOf(listAll) / cpuOf(listOpen), 1.1),
  ];
}
