import type { Results } from '../measurements/results.ts';

export interface Aim {
  readonly aim: string;
  readonly met: boolean;
  /** The figures that say so. */
  readonly because: string;
}

const slowestGrowth = 1.3;
const rowSecurityShare = 0.2;

/** What the product promises itself, and whether this run found it so. */
export function judgeAims(results: Results): Aim[] {
  const { verify, list, listOpen, selfMade } = results.throughput;
  const half = list.requestsPerSecond / verify.requestsPerSecond;
  const faster = list.requestsPerSecond / selfMade.requestsPerSecond;
  const cost = 1 - list.requestsPerSecond / listOpen.requestsPerSecond;
  return [
    {
      aim: 'the signed list makes at least half of the requests/s of the bare verified route',
      met: half >= 0.5,
      because: `${percent(half)} of it`,
    },
    {
      aim: 'the signed list is faster than the self-made service',
      met: faster > 1,
      because: `${faster.toFixed(2)} times as fast`,
    },
    growthAim(results),
    {
      aim: `row-level security costs less than ${percent(rowSecurityShare)} of the list's requests/s`,
      met: cost < rowSecurityShare,
      because: `it costs ${percent(cost)}`,
    },
    planAim(results),
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
    aim: `each list at ${largest.toLocaleString('en')} findings takes at most ${slowestGrowth} times what it takes at ${smallest.toLocaleString('en')}`,
    met: worst.growth <= slowestGrowth,
    because: `at worst ${worst.growth.toFixed(2)} times, with ${worst.query}`,
  };
}

/** One row more than the page is read on purpose, and a row or two where ranges of an index meet. */
function planAim({ plans }: Results): Aim {
  const wasteful = plans.filter(plan => plan.looked > 2 * plan.returned + 10 || plan.sorted > plan.returned);
  const list = wasteful.map(plan => `${plan.query} (${plan.mode}: ${plan.looked} for ${plan.returned})`);
  return {
    aim: 'no plan of a list looks at or sorts more rows than it returns',
    met: wasteful.length === 0,
    because: wasteful.length === 0 ? `${plans.length} plans` : list.join('; '),
  };
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
