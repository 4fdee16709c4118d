import { Skeleton, VisuallyHidden } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { EventCounts } from '../../../src/contract/dashboard/events.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { Section } from '../../components/section.tsx';
import { counted } from '../../formats/numbers.ts';

const EventsChart = lazy(() => import('./events-chart.tsx'));

/** The number of events over time, as a chart and as a sentence for screen readers. */
export function EventVolume({ counts }: { readonly counts: EventCounts }) {
  const total = counts.counts.reduce((sum, { events, shield }) => sum + events + shield, 0);
  if (total === 0) return null;
  const most = counts.kinds.slice(0, 3).map(({ kind, count }) => `${kind}, ${count}`);
  return (
    <Section
      title="Event volume"
      actions={
        <Dimmed className="tabular">
          {counted(total, 'event')} by {counts.bucket} (UTC)
        </Dimmed>
      }
    >
      <div aria-hidden>
        <Suspense fallback={<Skeleton h={200} />}>
          <EventsChart counts={counts.counts} bucket={counts.bucket} />
        </Suspense>
      </div>
      <VisuallyHidden>
        {counted(total, 'event')}. Most frequent types: {most.join('; ')}
        {counts.more_kinds > 0 && `; and ${counts.more_kinds.toLocaleString()} more`}.
      </VisuallyHidden>
    </Section>
  );
}
