import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import type { ShieldDetail } from '../../../src/contract/dashboard/shield.ts';

const formats = {
  day: new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
  hour: new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: '2-digit', timeZone: 'UTC' }),
};

/** Requests that matched rules, by hour or day. */
export default function ShieldChart({ timeline, bucket }: Pick<ShieldDetail, 'timeline' | 'bucket'>) {
  const data = timeline.map(({ at, blocked, detected }) => ({
    at: formats[bucket].format(new Date(at)),
    Blocked: blocked,
    Detected: detected,
  }));
  return (
    <BarChart
      h={200}
      data={data}
      dataKey="at"
      type="stacked"
      withLegend
      series={[
        { name: 'Blocked', color: 'ink.5' },
        { name: 'Detected', color: 'orange.6' },
      ]}
      yAxisProps={{ width: 40, allowDecimals: false }}
      xAxisProps={{ minTickGap: 40 }}
      barChartProps={{ accessibilityLayer: false }}
      barProps={{ isAnimationActive: false }}
    />
  );
}
