import type { Results } from '../measurements/results.ts';
import { eventAims } from './events.ts';
import { processAims } from './processes.ts';
import { requestAims } from './requests.ts';
import { scanAims } from './scans.ts';
import { scheduleAims } from './schedule.ts';
import { writeAims } from './writes.ts';

export interface Aim {
  readonly aim: string;
  readonly met: boolean;
  /** The figures behind the result. */
  readonly because: string;
}

const slowestGrowth = 1.3;

/** The aims, and whether this run met them. */
export function judgeAims(results: Results): Aim[] {
  return [
    ...requestAims(results.throughput),
    ...writeAims(results.writes),
    ...processAims(results.processes),
    growthAim(results),
    planAim(results),
    {
      aim: 'the detectors take less than a second of CPU for the largest page a scan reads',
      met: results.detectors.whole < 1_000,
      because: `${results.detectors.whole.toFixed(0)} ms`,
    },
    ...scanAims(results.scans),
    ...scheduleAims(results.schedule),
    ...eventAims(results.events),
    ...junkAims(results.junk),
  ];
}

/** Aims for latency while other clients send junk. */
export function junkAims({ signed, healthz }: Results['junk']): Aim[] {
  const slower = signed.junk.p99 / signed.quiet.p99;
  const underScans = signed.hostile.p99 / signed.quiet.p99;
  return [
    {
      aim: 'the p99 of signed requests with junk is at most twice the quiet one',
      met: slower <= 2,
      because: `${slower.toFixed(2)} times`,
    },
    {
      aim: 'the p99 of signed requests with junk and hostile scans is at most twice the quiet one',
      met: underScans <= 2,
      because: `${underScans.toFixed(2)} times`,
    },
    {
      aim: 'the p99 of /healthz with both is below 100 ms',
      met: healthz.hostile.p99 < 100,
      because: `${healthz.hostile.p99.toFixed(1)} ms`,
    },
  ];
}

function growthAim({ latency }: Results): Aim {
  const sizes = latency.map(({ findings }) => findings);
  const smallest = Math.min(...sizes);
  const largest = Math.max(...sizes);
  const growths = latency
    .filter(({ findings }) => findings === largest)
    .map(({ query, median }) => {
      const before = latency.find(other => other.query === query && other.findings === smallest)!;
      return { query, growth: median / before.median };
    });
  const worst = growths.toSorted((a, b) => b.growth - a.growth)[0]!;
  return {
    aim: `each list at ${largest.toLocaleString('en')} findings takes at most ${slowestGrowth} times as long as at ${smallest.toLocaleString('en')}`,
    met: worst.growth <= slowestGrowth,
    because: `worst: ${worst.growth.toFixed(2)} times, ${worst.query}`,
  };
}

/** A prefix reads a page of each of its categories: more than it returns, but not more as findings grow. */
function planAim({ plans }: Results): Aim {
  const largest = Math.max(...plans.map(({ findings }) => findings));
  const few = plans.filter(({ findings }) => findings !== largest);
  const growing = plans
    .filter(({ findings }) => findings === largest)
    .flatMap(plan => {
      const before = few.find(({ query, mode }) => query === plan.query && mode === plan.mode)!;
      const grows = plan.read > slowestGrowth * before.read || plan.sorted > slowestGrowth * before.sorted;
      return grows ? [`${plan.query} (${plan.mode}): ${before.read} and ${plan.read}`] : [];
    });
  return {
    aim: 'no list reads or sorts more rows as findings grow',
    met: growing.length === 0,
    because: growing.length === 0 ? `${few.length} plans` : growing.join('; '),
  };
}

/** One line per aim, in Markdown. */
export function aimLines(aims: readonly Aim[]): string {
  return aims.map(({ aim, met, because }) => `- ${met ? 'met' : 'NOT MET'}: ${aim} (${because})`).join('\n');
}
