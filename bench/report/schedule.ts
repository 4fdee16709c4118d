import type { ScheduleResults } from '../measurements/results.ts';
import type { Aim } from './aims.ts';
import { table } from './table.ts';

const percent = (share: number) => `${(100 * share).toFixed(1)}%`;

/** CPU of planning, as a share of one core. */
export function scheduleTable({ sources, rows }: ScheduleResults): string {
  return table(
    [
      `${sources.toLocaleString('en')} hourly sources`,
      'scans planned per second',
      'share of a core: worker',
      'PostgreSQL',
    ],
    rows.map(({ organizations, scansPerSecond, worker, postgres }) => [
      `of ${organizations} organization${organizations === 1 ? '' : 's'}`,
      scansPerSecond.toFixed(1),
      percent(worker),
      percent(postgres),
    ]),
  );
}

/** The aim for the scheduler. */
export function scheduleAims({ sources, rows }: ScheduleResults): Aim[] {
  const shares = rows.map(({ worker, postgres }) => worker + postgres);
  return [
    {
      aim: `planning ${sources.toLocaleString('en')} hourly sources takes less than 5% of a core`,
      met: shares.every(share => share < 0.05),
      because: shares.map(percent).join(', '),
    },
  ];
}
