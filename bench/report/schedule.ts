import type { ScheduleResults } from '../measurements/results.ts';
import type { Aim } from './aims.ts';
import { table } from './table.ts';

const percent = (share: number) => `${(100 * share).toFixed(1)}%`;

/** Of one core. */
const shareOf = (cpuSeconds: number, sources: number) => (cpuSeconds * sources) / 3_600;

/** CPU of planning a scan, and of planning all of an hour as a share of one core. */
export function scheduleTable({ sources, rows }: ScheduleResults): string {
  return table(
    [
      `${sources.toLocaleString('en')} hourly sources`,
      'scans planned',
      'CPU ms per scan: worker',
      'PostgreSQL',
      'share of a core: worker',
      'PostgreSQL',
    ],
    rows.map(({ organizations, scans, worker, postgres }) => [
      `of ${organizations} organization${organizations === 1 ? '' : 's'}`,
      String(scans),
      ...[worker, postgres].map(seconds => (1_000 * seconds).toFixed(1)),
      ...[worker, postgres].map(seconds => percent(shareOf(seconds, sources))),
    ]),
  );
}

/** The aim for the scheduler. */
export function scheduleAims({ sources, rows }: ScheduleResults): Aim[] {
  const shares = rows.map(({ worker, postgres }) => shareOf(worker + postgres, sources));
  return [
    {
      aim: `planning ${sources.toLocaleString('en')} hourly sources takes less than 5% of a core`,
      met: shares.every(share => share < 0.05),
      because: shares.map(percent).join(', '),
    },
  ];
}
