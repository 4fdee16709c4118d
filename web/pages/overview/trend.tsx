import { Skeleton, Text, VisuallyHidden } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { Overview } from '../../../src/contract/dashboard/overview.ts';

const TrendChart = lazy(() => import('./trend-chart.tsx'));

/** Whether it gets better, drawn and in a sentence. */
export function Trend({ trend }: { readonly trend: Overview['trend'] }) {
  if (trend.length < 2) {
    return (
      <Text c="dimmed" size="sm">
        From tomorrow on, this shows how the score changes.
      </Text>
    );
  }
  return (
    <>
      <div aria-hidden>
        <Suspense fallback={<Skeleton h={180} />}>
          <TrendChart trend={trend} />
        </Suspense>
      </div>
      <VisuallyHidden>{sentence(trend)}</VisuallyHidden>
    </>
  );
}

function sentence(trend: Overview['trend']): string {
  const [first, last] = [trend[0]!, trend.at(-1)!];
  return `The score was ${first.score ?? 'unknown'} on ${first.day} and is ${last.score ?? 'unknown'} now.`;
}

/** By how much the score has changed within 30 days. */
export function changeOf(trend: Overview['trend']): string | undefined {
  const last = trend.at(-1)?.score;
  const before = trend.at(-31)?.score ?? trend[0]?.score;
  if (trend.length < 2 || last == null || before == null) return undefined;
  const change = last - before;
  const days = Math.min(30, trend.length - 1);
  if (change === 0) return `As ${days} days ago`;
  return `${Math.abs(change)} ${change > 0 ? 'better' : 'worse'} than ${days} days ago`;
}
