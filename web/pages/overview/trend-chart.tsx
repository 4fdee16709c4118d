import '@mantine/charts/styles.css';
import { AreaChart } from '@mantine/charts';
import type { Overview } from '../../../src/contract/dashboard/overview.ts';

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** The score over the last days. Its code loads when there is something to show. */
export default function TrendChart({ trend }: { readonly trend: Overview['trend'] }) {
  const data = trend.map(({ day: date, score }) => ({ day: day.format(new Date(date)), Score: score }));
  return (
    <AreaChart
      h={180}
      data={data}
      dataKey="day"
      series={[{ name: 'Score', color: 'ink.5' }]}
      curveType="monotone"
      withDots={false}
      yAxisProps={{ domain: [0, 100], ticks: [0, 50, 100], interval: 0, width: 32 }}
      xAxisProps={{ minTickGap: 48 }}
      areaChartProps={{ accessibilityLayer: false }}
      areaProps={{ isAnimationActive: false }}
    />
  );
}
