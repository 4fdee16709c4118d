import { SimpleGrid, Stack, VisuallyHidden } from '@mantine/core';
import type { ShieldDetail, ShieldTop } from '../../../src/contract/dashboard/shield.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Dimmed } from '../../components/dimmed.tsx';
import type { Column } from '../../components/table-column.ts';
import { laterChart } from '../../later/chart.tsx';
import { CrowdsecReport } from './crowdsec-report.tsx';
import { FirewallsTable } from './firewalls-table.tsx';
import { attackLabels } from './shield-labels.ts';

const VolumeChart = laterChart(200, () => import('../../components/volume-chart.tsx'));

interface Counted {
  readonly name: string;
  readonly blocked: number;
  readonly detected: number;
}

const countColumns = (header: string): readonly Column<Counted>[] => [
  { header, render: ({ name }) => <span style={{ overflowWrap: 'anywhere' }}>{name}</span> },
  { header: 'Blocked', align: 'right', render: ({ blocked }) => blocked.toLocaleString() },
  { header: 'Detected', align: 'right', render: ({ detected }) => detected.toLocaleString() },
];

function Counts({ header, rows }: { readonly header: string; readonly rows: readonly Counted[] }) {
  if (rows.length === 0) return null;
  return (
    <DataTable
      narrow
      caption={header}
      columns={countColumns(header)}
      rows={rows}
      rowKey={({ name }) => name}
    />
  );
}

const named = (tops: readonly ShieldTop[]): Counted[] =>
  tops.map(({ value, label, ...counts }) => ({
    ...counts,
    name: value === '' ? 'Others' : label ? `${value} ${label}` : value,
  }));

interface Props {
  readonly shield: ShieldDetail;
  /** By a probe or the service. */
  readonly scanned: boolean;
}

/** What the firewalls of a website blocked and detected, and how they report. */
export function ShieldReport({ shield, scanned }: Props) {
  const { total, timeline, bucket, attacks } = shield;
  const isCounted = shield.firewalls.some(({ engine }) => engine !== 'crowdsec');
  const sentence = `${total.blocked.toLocaleString()} blocked and ${total.detected.toLocaleString()} detected requests, by ${bucket} (UTC)`;
  return (
    <Stack>
      <Dimmed className="tabular">
        {isCounted || total.blocked + total.detected > 0
          ? sentence
          : 'No firewall reports requests of this website: what was blocked is not counted.'}
      </Dimmed>
      {total.blocked + total.detected > 0 && (
        <>
          <Dimmed>
            Blocked: the firewall denied the request. Detected: rules matched, and the website answered.
            {scanned && " Requests of Parapet's scans and probes are counted too."}
          </Dimmed>
          <VolumeChart
            bucket={bucket}
            names={['Blocked', 'Detected']}
            counts={timeline.map(({ at, blocked, detected }) => ({ at, numbers: [blocked, detected] }))}
          />
          <VisuallyHidden>{sentence}.</VisuallyHidden>
        </>
      )}
      {bucket === 'hour' && shield.rules.length > 0 && (
        <Dimmed>
          Rules, paths and networks are counted by day (UTC): these include all of the first day.
        </Dimmed>
      )}
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Counts
          header="Attack"
          rows={attacks.map(({ attack, ...counts }) => ({ name: attackLabels[attack], ...counts }))}
        />
        <Counts header="Rule" rows={named(shield.rules)} />
        <Counts header="Path" rows={named(shield.paths)} />
        <Counts header="Network" rows={named(shield.networks)} />
      </SimpleGrid>
      <FirewallsTable firewalls={shield.firewalls} />
      <CrowdsecReport {...shield} />
    </Stack>
  );
}
