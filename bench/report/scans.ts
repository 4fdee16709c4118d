import type { ScanResults } from '../measurements/results.ts';
import type { ScanRate } from '../measurements/scans.ts';
import type { Aim } from './aims.ts';
import { table } from './table.ts';

/** Sites per minute, CPU time per site, and the duration of one inspection. */
export function scanTables(results: ScanResults): string {
  const { scanned, inspected, requested, requests, away } = results;
  const row = (name: string, rate: ScanRate) => [
    name,
    Math.round(rate.sitesPerMinute).toLocaleString('en'),
    rate.workerCpu.toFixed(1),
    rate.planningCpu === 0 ? '' : rate.planningCpu.toFixed(1),
    rate.postgresCpu === 0 ? '' : rate.postgresCpu.toFixed(1),
    rate.sitesCpu.toFixed(1),
  ];
  const rates = table(
    [
      `${results.sites} websites of four kinds`,
      'sites/min',
      'CPU ms per site: worker',
      'without sandbox',
      'PostgreSQL',
      'websites',
    ],
    [
      row('one worker', scanned),
      row('one process, without queue and database', inspected),
      row(`${requests.toFixed(0)} requests per site, without detectors`, requested),
      row(`one worker, ${away.sites} sites with ${away.delayMs} ms latency`, away.scanned),
    ],
  );
  const inspections = table(
    ['one inspection: median, p95 in ms', 'no latency', `${away.delayMs} ms latency`],
    results.inspections.map(({ kind, median, p95 }, index) => {
      const farther = away.inspections[index]!;
      return [
        kind,
        `${median.toFixed(0)}, ${p95.toFixed(0)}`,
        `${farther.median.toFixed(0)}, ${farther.p95.toFixed(0)}`,
      ];
    }),
  );
  return `${rates}\n\n${inspections}\n\nThe worker’s peak memory was ${results.peakMegabytes.toFixed(0)} MB.`;
}

/** Once it was 1.54 times: 27 and 17.5 ms. */
const mostOverInspection = 0.77;

/** The aim for planning, queueing and reconciling. */
export function scanAims({ scanned, inspected }: ScanResults): Aim[] {
  const times = (scanned.planningCpu + scanned.postgresCpu) / inspected.workerCpu;
  return [
    {
      aim: `planning, queueing and reconciling a scan take at most ${mostOverInspection} times the CPU of its inspection`,
      met: times <= mostOverInspection,
      because: `${times.toFixed(2)} times`,
    },
  ];
}
