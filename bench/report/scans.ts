import type { ScanResults } from '../measurements/results.ts';
import type { ScanRate } from '../measurements/scans.ts';
import { table } from './table.ts';

/** What one worker scans in a minute, what a site costs, and how long one look takes. */
export function scanTables(results: ScanResults): string {
  const { scanned, inspected, requested, requests, away } = results;
  const row = (name: string, rate: ScanRate) => [
    name,
    Math.round(rate.sitesPerMinute).toLocaleString('en'),
    rate.workerCpu.toFixed(1),
    rate.postgresCpu === 0 ? '' : rate.postgresCpu.toFixed(1),
    rate.sitesCpu.toFixed(1),
  ];
  const rates = table(
    [`${results.sites} websites of four kinds`, 'sites/min', 'CPU ms each', 'PostgreSQL', 'the sites'],
    [
      row('scanned by one worker', scanned),
      row('scanned in one process', inspected),
      row(`${requests.toFixed(0)} requests each, and nothing else`, requested),
      row(`scanned, ${away.sites} that answer after ${away.delayMs} ms`, away.scanned),
    ],
  );
  const looks = table(
    ['one look: median, p95 in ms', 'at once', `after ${away.delayMs} ms`],
    results.looks.map(({ kind, median, p95 }, index) => {
      const farther = away.looks[index]!;
      return [
        kind,
        `${median.toFixed(0)}, ${p95.toFixed(0)}`,
        `${farther.median.toFixed(0)}, ${farther.p95.toFixed(0)}`,
      ];
    }),
  );
  return `${rates}\n\n${looks}\n\nThe worker had at most ${results.peakMegabytes.toFixed(0)} MB of memory.`;
}
