import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import type { EventCounts } from '../../../src/contract/dashboard/events.ts';

const formats = {
  day: new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
  hour: new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: '2-digit', timeZone: 'UTC' }),
};

/** Events by hour or day. */
export default function EventsChart({ counts, bucket }: Pick<EventCounts, 'counts' | 'bucket'>) {
  const data = counts.map(({ at, events, shield }) => ({
    at: formats[bucket].format(new Date(at)),
    'Probes and API clients': events,
    Shield: shield,
  }));
  return (
    <BarChart
      h={200}
      data={data}
      dataKey="at"
      type="stacked"
      withLegend
      series={[
        { name: 'Probes and API clients', color: 'ink.5' },
        { name: 'Shield', color: 'orange.6' },
      ]}
      yAxisProps={{ width: 40, allowDecimals: false }}
      xAxisProps={{ minTickGap: 40 }}
      barChartProps={{ accessibilityLayer: false }}
      barProps={{ isAnimationActive: false }}
    />
  );
}
