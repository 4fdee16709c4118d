import { Type } from 'typebox';
import { Run, Scan, type ScanWithRuns } from '../../../contract/scans.ts';
import { closed } from '../../../contract/values.ts';
import type { DescribeCause } from '../../scan-outcome.ts';
import { only } from './lists.ts';

/** Runs of one result: a system can have thousands. */
const mostRuns = 50;

/** Of a scan with its runs. */
export const scanOutput = {
  scan: Scan,
  runs_by_status: Type.Record(Type.String(), Type.Integer()),
  runs: Type.Array(closed({ ...Run.properties, meaning: Type.Optional(Type.String()) }), {
    description: `At most ${mostRuns}, those that did not succeed first. meaning explains the cause.`,
  }),
  runs_omitted: Type.Integer(),
};

export function scanData(scan: ScanWithRuns, describeCause: DescribeCause) {
  const counts: Record<string, number> = {};
  for (const { status } of scan.runs) counts[status] = (counts[status] ?? 0) + 1;
  const ordered = [
    ...scan.runs.filter(({ status }) => status !== 'succeeded'),
    ...scan.runs.filter(({ status }) => status === 'succeeded'),
  ];
  const runs = ordered
    .slice(0, mostRuns)
    .map(run => ({ ...only(Run, run), ...(run.cause ? { meaning: describeCause(run.cause) } : {}) }));
  return {
    scan: only(Scan, scan),
    runs_by_status: counts,
    runs,
    runs_omitted: ordered.length - runs.length,
  };
}

export function scanLines({ runs, runs_by_status, runs_omitted }: ReturnType<typeof scanData>): string[] {
  return [
    `Runs: ${Object.entries(runs_by_status)
      .map(([status, count]) => `${count} ${status}`)
      .join(', ')}`,
    ...runs
      .filter(({ status, cause }) => status !== 'succeeded' || cause)
      .map(
        ({ detector, source_id, status, cause, meaning }) =>
          `${detector} on source ${source_id}: ${status}${cause ? ` (${cause}) ${meaning}` : ''}`,
      ),
    ...(runs_omitted > 0 ? [`${runs_omitted} further runs are not listed.`] : []),
  ];
}

export function describeScan({ id, status, verdict }: Pick<Scan, 'id' | 'status' | 'verdict'>): string {
  return `Scan ${id} is ${status}${verdict ? ` with verdict ${verdict}` : ''}.`;
}
