import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';

const formats = {
  day: new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
  hour: new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: '2-digit', timeZone: 'UTC' }),
};

interface VolumeChartProps {
  readonly bucket: keyof typeof formats;
  /** Names of the two numbers, which are stacked. */
  readonly names: readonly [string, string];
  readonly counts: readonly { readonly at: string; readonly numbers: readonly [number, number] }[];
}

/** Two numbers by hour or day. */
export default function VolumeChart({ bucket, names: [first, second], counts }: VolumeChartProps) {
  const data = counts.map(({ at, numbers: [one, other] }) => ({
    at: formats[bucket].format(new Date(at)),
    [first]: one,
    [second]: other,
  }));
  return (
    <BarChart
      h={200}
      data={data}
      dataKey="at"
      type="stacked"
      withLegend
      series={[
        { name: first, color: 'ink.5' },
        { name: second, color: 'orange.6' },
      ]}
      yAxisProps={{ width: 40, allowDecimals: false }}
      xAxisProps={{ minTickGap: 40 }}
      barChartProps={{ accessibilityLayer: false }}
      barProps={{ isAnimationActive: false }}
    />
  );
}
