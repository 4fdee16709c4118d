import type { DetectorTimes } from '../measurements/detectors.ts';
import { table } from './table.ts';

/** Each detector's time, also as a multiple of one parse of the page, and its throughput. */
export function detectorTable({ size, baseline, detectors, whole }: DetectorTimes): string {
  const megabytes = size / 1024 / 1024;
  const row = (name: string, milliseconds: number) => [
    name,
    milliseconds.toFixed(1),
    (milliseconds / baseline).toFixed(2),
    Math.round(megabytes / (milliseconds / 1_000)).toLocaleString('en'),
  ];
  return table(
    [`page and scripts of ${megabytes.toFixed(0)} MB`, 'CPU ms', 'parses', 'MB/s'],
    [
      ['one parse of the page (2 MB)', baseline.toFixed(1), '1', ''],
      ...detectors.map(({ name, milliseconds }) => row(name, milliseconds)),
      row('all detectors', whole),
    ],
  );
}
