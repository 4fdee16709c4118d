import { VisuallyHidden } from '@mantine/core';
import type { Overview } from '../../../src/contract/dashboard/overview.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { laterChart } from '../../later/chart.tsx';

const TrendChart = laterChart(180, () => import('./trend-chart.tsx'));

/** The score over time, as a chart and as a sentence for screen readers. */
export function Trend({ trend }: { readonly trend: Overview['trend'] }) {
  if (trend.length < 2) return <Dimmed>The score over time appears here from tomorrow.</Dimmed>;
  const [first, last] = [trend[0]!, trend.at(-1)!];
  return (
    <>
      <TrendChart trend={trend} />
      <VisuallyHidden>
        The score was {first.score ?? 'unknown'} on {first.day} and is {last.score ?? 'unknown'} now.
      </VisuallyHidden>
    </>
  );
}
