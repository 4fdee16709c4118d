import type { ProcessThroughput } from '../phases/processes.ts';
import type { Aim } from './aims.ts';
import { table } from './table.ts';

const mostGrowth = 1.1;

const cpuOf = ({ serverCpu, postgresCpu }: ProcessThroughput['changed']) => serverCpu + postgresCpu;

export function processTable(measured: readonly ProcessThroughput[]): string {
  const rows = (['unchanged', 'changed'] as const).flatMap(data =>
    measured.map(({ processes, [data]: each }) => [
      `list, data ${data}: ${processes}`,
      each.requestsPerSecond.toFixed(0),
      each.serverCpu.toFixed(2),
      each.postgresCpu.toFixed(2),
      (cpuOf(each) / cpuOf(measured[0]![data])).toFixed(2),
    ]),
  );
  return table(['processes', 'requests/s', 'CPU s per 1,000: server', 'PostgreSQL', 'both: factor'], rows);
}

export function processAims(measured: readonly ProcessThroughput[]): Aim[] {
  return (['unchanged', 'changed'] as const).map(data => {
    const factors = measured.map(({ [data]: each }) => cpuOf(each) / cpuOf(measured[0]![data]));
    return {
      aim: `with several processes, a signed list with data ${data} takes at most ${mostGrowth} times the CPU`,
      met: factors.every(factor => factor <= mostGrowth),
      because: factors.map(factor => factor.toFixed(2)).join(', '),
    };
  });
}
