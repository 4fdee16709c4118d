import { Parser } from 'htmlparser2';
import { detectorsFor } from '../../src/detectors/catalogue.ts';
import { LargePage } from '../fixture/large-page.ts';
import { median } from './median.ts';

export interface DetectorTimes {
  /** Characters of the page and its scripts. */
  readonly size: number;
  /** One pass of htmlparser2 over the page, without callbacks, as a baseline for the machine. CPU ms. */
  readonly baseline: number;
  /** In order of execution, CPU ms. The first detector that needs the page's markup parses it for all. */
  readonly detectors: readonly { readonly name: string; readonly milliseconds: number }[];
  /** The median total of all detectors. CPU ms. */
  readonly whole: number;
}

/** CPU time of all detectors of websites on the largest page that a scan reads: a capture in, observations out. */
export function measureDetectors(rounds: number): DetectorTimes {
  const large = new LargePage();
  const detectors = detectorsFor('website');
  const baseline: number[] = [];
  const times = new Map<string, number[]>(detectors.map(({ name }) => [name, []]));
  const sums: number[] = [];
  for (let round = 0; round < rounds; round++) {
    baseline.push(
      cpuTime(() => {
        new Parser({}).end(large.page);
      }),
    );
    const capture = large.capture();
    let sum = 0;
    for (const detector of detectors) {
      const time = cpuTime(() => detector.detect(capture));
      times.get(detector.name)!.push(time);
      sum += time;
    }
    sums.push(sum);
  }
  return {
    size: large.size,
    baseline: median(baseline),
    detectors: detectors.map(({ name }) => ({ name, milliseconds: median(times.get(name)!) })),
    whole: median(sums),
  };
}

function cpuTime(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
